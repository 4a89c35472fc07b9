package phrase

import (
	"slices"
	"strings"
)

// Variety counts, over a run, in how many scenarios each masked sentence and
// each run of four masked words stands. The zero value is empty; it is not
// safe for concurrent use.
type Variety struct {
	sentences map[string]int
	grams     map[string]int
}

// Add counts a scenario that the run keeps.
func (v *Variety) Add(s Scenario) {
	if v.sentences == nil {
		v.sentences, v.grams = map[string]int{}, map[string]int{}
	}
	for _, m := range maskedSentences(s) {
		v.sentences[m]++
	}
	for _, g := range grams(s) {
		v.grams[g]++
	}
}

// cost says how worn a sentence is: how often it was used as it stands, and
// the mean use of its word runs. local counts the scenario being composed.
func (v *Variety) cost(sentence string, local *Variety) float64 {
	masked := Mask(sentence)
	cost := 0.0
	for _, c := range []*Variety{v, local} {
		cost += 100 * float64(c.sentences[masked])
	}
	list := gramsOf(strings.Fields(masked))
	for _, g := range list {
		cost += float64(v.grams[g]+2*local.grams[g]) / float64(len(list))
	}
	return cost
}

// MaskedSentenceMax returns the masked sentence that stands in most scenarios,
// and in how many.
func MaskedSentenceMax(scenarios []Scenario) (sentence string, n int) {
	counts := map[string]int{}
	for _, s := range scenarios {
		for _, m := range maskedSentences(s) {
			if counts[m]++; counts[m] > n {
				sentence, n = m, counts[m]
			}
		}
	}
	return sentence, n
}

// Overlap is how much of their runs of four masked words two scenarios share:
// the share of the union (Jaccard) and of the smaller set (containment).
type Overlap struct{ Jaccard, Containment float64 }

// MedianOverlap returns the median of each over all pairs; zero for fewer than
// two scenarios.
func MedianOverlap(scenarios []Scenario) Overlap {
	sets := make([]map[string]bool, len(scenarios))
	for i, s := range scenarios {
		sets[i] = map[string]bool{}
		for _, g := range grams(s) {
			sets[i][g] = true
		}
	}
	var jaccard, containment []float64
	for i := range sets {
		for j := range i {
			o := overlap(sets[i], sets[j])
			jaccard, containment = append(jaccard, o.Jaccard), append(containment, o.Containment)
		}
	}
	return Overlap{median(jaccard), median(containment)}
}

func overlap(a, b map[string]bool) Overlap {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return Overlap{}
	}
	common := 0
	for g := range a {
		if b[g] {
			common++
		}
	}
	c := float64(common)
	return Overlap{c / float64(len(a)+len(b)-common), c / float64(len(a))}
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	slices.Sort(x)
	mid := len(x) / 2
	if len(x)%2 == 1 {
		return x[mid]
	}
	return (x[mid-1] + x[mid]) / 2
}
