package phrase

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// composeRun composes a run of scenarios with 1 to 10 wishes each.
func composeRun(t testing.TB, b *Book, n int, seed uint64) []Scenario {
	draw := rand.New(rand.NewPCG(seed, 5))
	var used Variety
	var out []Scenario
	for range n {
		s, err := Compose(b, randomBrief(t, b, 2+draw.IntN(6), draw), draw, &used)
		if err != nil {
			t.Fatal(err)
		}
		used.Add(s)
		out = append(out, s)
	}
	return out
}

func TestScenariosOfARunDiffer(t *testing.T) {
	b := airline(t)
	for _, size := range []struct{ tasks, most int }{{50, 3}, {114, 5}} {
		run := composeRun(t, b, size.tasks, 1)
		if s, n := MaskedSentenceMax(run); n > size.most {
			t.Errorf("%q stands in %d of %d scenarios", s, n, size.tasks)
		}
		if o := MedianOverlap(run); o.Jaccard > .15 {
			t.Errorf("%d scenarios: median overlap %+v", size.tasks, o)
		}
	}
}

// TestMain is not needed; this dump serves reading by eye.
func TestDump(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip()
	}
	var sb strings.Builder
	b := airline(t)
	run := composeRun(t, b, 50, 9)
	for _, s := range run {
		sb.WriteString("REASON " + s.ReasonForCall + "\nKNOWN " + s.KnownInfo + "\nUNKNOWN " + s.UnknownInfo + "\nTASK " + s.TaskInstructions + "\n\n")
	}
	m, n := MaskedSentenceMax(run)
	t.Log(m, n, MedianOverlap(run))
	for _, a := range b.Acts() {
		for p := range persons {
			if n, k := b.Wordings(a.Name, p); k > 0 {
				t.Log(a.Name, p, n, k)
			}
		}
	}
	os.WriteFile(path, []byte(sb.String()), 0o644)
}

func TestNoVariety(t *testing.T) {
	b := airline(t)
	draw := rand.New(rand.NewPCG(2, 5))
	var out []Scenario
	for range 50 {
		s, err := Compose(b, randomBrief(t, b, 2+draw.IntN(6), draw), draw, nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	m, n := MaskedSentenceMax(out)
	t.Log(m, n, MedianOverlap(out))
}
