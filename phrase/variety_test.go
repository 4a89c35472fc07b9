package phrase

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// composeRun composes scenarios of two to seven wishes.
func composeRun(t testing.TB, b *Book, n int, used *Variety) []Scenario {
	draw := rand.New(rand.NewPCG(1, 5))
	var out []Scenario
	for range n {
		s, err := Compose(b, randomBrief(t, b, 2+draw.IntN(6), draw), draw, used)
		if err != nil {
			t.Fatal(err)
		}
		if used != nil {
			used.Add(s)
		}
		out = append(out, s)
	}
	return out
}

func TestScenariosOfARunDiffer(t *testing.T) {
	b := airline(t)
	for _, size := range []struct{ tasks, most int }{{50, 3}, {114, 5}} {
		run := composeRun(t, b, size.tasks, &Variety{})
		s, n := MaskedSentenceMax(run)
		o := MedianOverlap(run)
		t.Logf("%d scenarios: most frequent sentence %d times, median overlap %+v", size.tasks, n, o)
		if n > size.most {
			t.Errorf("%q stands in %d of %d scenarios", s, n, size.tasks)
		}
		if o.Jaccard > .15 {
			t.Errorf("%d scenarios: median overlap %+v", size.tasks, o)
		}
	}
}

// TestVarietyHelps: without counting what was used, sentences come back oftener.
func TestVarietyHelps(t *testing.T) {
	b := airline(t)
	_, with := MaskedSentenceMax(composeRun(t, b, 50, &Variety{}))
	_, without := MaskedSentenceMax(composeRun(t, b, 50, nil))
	if with >= without {
		t.Errorf("%d times with counting, %d without", with, without)
	}
}

func TestOverlapByHand(t *testing.T) {
	a := Scenario{ReasonForCall: "the cat sat on the mat"}
	b := Scenario{ReasonForCall: "the cat sat on the hat", KnownInfo: "the dog sat on it"}
	// runs of a: 3; of b: 3 + 2; common: "the cat sat on", "cat sat on the".
	o := MedianOverlap([]Scenario{a, b})
	if math.Abs(o.Jaccard-2.0/6) > 1e-12 || math.Abs(o.Containment-2.0/3) > 1e-12 {
		t.Errorf("%+v", o)
	}
	if s, n := MaskedSentenceMax([]Scenario{a, a, b}); n != 2 || s != "the cat sat on the mat" {
		t.Error(s, n)
	}
}

// TestWordingsSuffice holds the number of surface forms and of skeletons.
func TestWordingsSuffice(t *testing.T) {
	b := airline(t)
	frequent := []string{"cancel", "move", "recabin", "add_bags", "choose", "pay", "ask_paid", "ask_status", "ask_fare", "user_id", "insurance"}
	for _, a := range b.Acts() {
		if !slices.Contains([]string{Wish, Ask, Detail, Fact}, a.Role) {
			continue
		}
		least, skeletons := uint64(60), 11
		if slices.Contains(frequent, a.Name) {
			least, skeletons = 150, 12
		}
		if forms, templates := b.Wordings(a.Name, Second); forms < least || templates < skeletons {
			t.Errorf("%s has %d forms of %d wordings", a.Name, forms, templates)
		}
	}
}
