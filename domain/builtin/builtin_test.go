package builtin

import (
	"regexp"
	"slices"
	"testing"
	"testing/fstest"
)

func TestDiceDependOnSeedAndName(t *testing.T) {
	draws := func(seed uint64, name string) []int {
		d := Dice(seed, name)
		var out []int
		for range 8 {
			out = append(out, Between(d, 1, 1000))
		}
		return out
	}
	first := draws(1, "users")
	if !slices.Equal(first, draws(1, "users")) {
		t.Error("one stream gave two sequences")
	}
	if slices.Equal(first, draws(2, "users")) || slices.Equal(first, draws(1, "orders")) {
		t.Error("two streams gave the same sequence")
	}
}

func TestDrawsKeepTheirBounds(t *testing.T) {
	d := Dice(3, "bounds")
	counts := make([]int, 4)
	for range 4000 {
		if n := Between(d, 5, 7); n < 5 || n > 7 {
			t.Fatalf("drew %d from 5 to 7", n)
		}
		if Chance(d, 0) || !Chance(d, 100) {
			t.Fatal("a sure thing failed")
		}
		counts[Weighted(d, []int{1, 0, 3, 0})]++
	}
	if counts[1]+counts[3] > 0 || counts[0] < 800 || counts[2] < 2600 {
		t.Errorf("weights 1, 0, 3, 0 gave %v of 4000", counts)
	}
}

func TestTakenGivesEachNameOnce(t *testing.T) {
	taken := Taken{}
	if !taken.Claim("a") || taken.Claim("a") || !taken.Claim("b") {
		t.Error("a name was given twice or not at all")
	}
}

func TestHomesAndNames(t *testing.T) {
	d := Dice(4, "homes")
	zip, street := regexp.MustCompile(`^\d{5}$`), regexp.MustCompile(`^\d+ [A-Z]`)
	flats := 0
	for range 500 {
		h := DrawHome(d)
		if !zip.MatchString(h.Zip) || !street.MatchString(h.Address1) || h.City == "" || len(h.State) != 2 {
			t.Fatalf("address %+v", h)
		}
		if h.Address2 != "" {
			flats++
		}
	}
	if flats < 200 || flats > 350 {
		t.Errorf("%d of 500 homes are flats", flats)
	}
	if id := UserID(d, "Noor", "Haddad"); !regexp.MustCompile(`^noor_haddad_\d{4}$`).MatchString(id) {
		t.Errorf("user id %s", id)
	}
	if e := Email(d, "Noor", "Haddad"); !regexp.MustCompile(`^noor\.haddad\d{2,3}@example\.com$`).MatchString(e) {
		t.Errorf("email %s", e)
	}
	for _, list := range [][]string{mustPeople().First, mustPeople().Last, mustPeople().Streets} {
		sorted := slices.Clone(list)
		slices.Sort(sorted)
		if len(list) < 40 || len(slices.Compact(sorted)) != len(list) {
			t.Errorf("%d names, or some twice: %v", len(list), list[:3])
		}
	}
}

func TestFiles(t *testing.T) {
	f := Files{fstest.MapFS{
		PolicyFile:            {Data: []byte("# Rules\n")},
		"phrases_twist.yaml":  {Data: []byte("third")},
		"phrases.yaml":        {Data: []byte("first")},
		"phrases_agent.yaml":  {Data: []byte("second")},
		"phrases_unknown.txt": {Data: []byte("no part of the book")},
		ToolsFile:             {Data: []byte(`[{"name": 5}]`)},
		SeedsFile:             {Data: []byte(`{`)},
	}}
	if f.Text(PolicyFile) != "# Rules\n" {
		t.Error("the policy differs from its file")
	}
	var got []string
	for _, p := range f.Phrases() {
		got = append(got, string(p))
	}
	if !slices.Equal(got, []string{"first", "second", "third"}) {
		t.Errorf("phrase book of %v", got)
	}
	if _, err := f.Tools(); err == nil {
		t.Error("broken tool specifications were read")
	}
	if _, err := f.Seeds(); err == nil {
		t.Error("broken seed tasks were read")
	}
}
