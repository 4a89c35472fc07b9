package phrase

import (
	"math"
	"slices"
	"testing"
)

func TestScenariosOfARunDiffer(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, _ *Book) { checkVariety(t, d.run(t)) })
}

// checkVariety holds, for runs of two sizes, how often a masked sentence comes
// back and how much two scenarios share.
func checkVariety(t *testing.T, run []Scenario) {
	t.Helper()
	for _, size := range []struct{ tasks, most int }{{50, 3}, {manyTasks, 5}} {
		s, n := MaskedSentenceMax(run[:size.tasks])
		o := MedianOverlap(run[:size.tasks])
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
	everyTrade(t, func(t *testing.T, d *trade, _ *Book) {
		_, with := MaskedSentenceMax(d.run(t)[:50])
		_, without := MaskedSentenceMax(d.compose(t, 50, nil))
		if with >= without {
			t.Errorf("%d times with counting, %d without", with, without)
		}
	})
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
	everyTrade(t, func(t *testing.T, d *trade, b *Book) {
		for _, a := range b.Acts() {
			if !slices.Contains([]string{Wish, Ask, Detail, Fact}, a.Role) {
				continue
			}
			least, skeletons := uint64(60), 11
			if slices.Contains(d.frequent, a.Name) {
				least, skeletons = 150, 12
			}
			if forms, templates := b.Wordings(a.Name, Second); forms < least || templates < skeletons {
				t.Errorf("%s has %d forms of %d wordings", a.Name, forms, templates)
			}
		}
	})
}
