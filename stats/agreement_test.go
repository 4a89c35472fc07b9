package stats_test

import (
	"math"
	"testing"

	"taste/stats"
)

// near compares a measure to the figure that its source prints.
func near(t *testing.T, what string, got *float64, want, precision float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > precision {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// fromCounts spreads numbers of ratings of each category over raters.
func fromCounts(counts ...[]int) [][]int {
	var out [][]int
	for _, row := range counts {
		var ratings []int
		for category, n := range row {
			for range n {
				ratings = append(ratings, category)
			}
		}
		out = append(out, ratings)
	}
	return out
}

// The worked example of 10 subjects, 14 raters and 5 categories that goes with
// Fleiss' kappa: P̄ = .378, P̄e = .213, κ = .210.
func TestFleissKappa(t *testing.T) {
	a := stats.NewAgreement(fromCounts(
		[]int{0, 0, 0, 0, 14}, []int{0, 2, 6, 4, 2}, []int{0, 0, 3, 5, 6}, []int{0, 3, 9, 2, 0}, []int{2, 2, 8, 1, 1},
		[]int{7, 7, 0, 0, 0}, []int{3, 2, 6, 3, 0}, []int{2, 5, 3, 2, 2}, []int{6, 5, 2, 1, 0}, []int{0, 2, 2, 3, 7},
	), 1)
	if a.Items != 10 {
		t.Errorf("%d items", a.Items)
	}
	near(t, "observed agreement", a.Observed, .378, .0005)
	near(t, "kappa", a.Kappa, .210, .0005)
	if a.Low == nil || a.High == nil || *a.Low > *a.Alpha || *a.High < *a.Alpha {
		t.Errorf("alpha %v lies outside its interval from %v to %v", *a.Alpha, a.Low, a.High)
	}
}

// Krippendorff's worked example with missing ratings, nominal: 4 observers and
// 12 units, α = .743.
func TestKrippendorffAlpha(t *testing.T) {
	const no = stats.NoRating
	observers := [][]int{
		{1, 2, 3, 3, 2, 1, 4, 1, 2, no, no, no},
		{1, 2, 3, 3, 2, 2, 4, 1, 2, 5, no, 3},
		{no, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, no},
		{1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, no},
	}
	var units [][]int
	for i := range observers[0] {
		var u []int
		for _, o := range observers {
			u = append(u, o[i])
		}
		units = append(units, u)
	}
	a := stats.NewAgreement(units, 1)
	near(t, "alpha", a.Alpha, .743, .0005)
	if a.Items != 11 || a.Kappa != nil {
		t.Errorf("%d items, kappa %v: the last unit has one rating alone", a.Items, a.Kappa)
	}
}

// Two raters, 100 items, 45 twice yes, 25 twice no: observed .7, and by hand
// κ = (.7 − .52)/(1 − .52) with 120 of 200 ratings yes.
func TestAgreementOfTwo(t *testing.T) {
	var ratings [][]int
	for pair, n := range map[[2]int]int{{1, 1}: 45, {0, 0}: 25, {1, 0}: 15, {0, 1}: 15} {
		for range n {
			ratings = append(ratings, []int{pair[0], pair[1]})
		}
	}
	a := stats.NewAgreement(ratings, 1)
	near(t, "observed agreement", a.Observed, .7, 1e-12)
	near(t, "kappa", a.Kappa, .18/.48, 1e-12)
	near(t, "alpha", a.Alpha, 1-.3/(1-(120*119+80*79)/(200.*199)), 1e-12)
}

func TestNoAgreementToSpeakOf(t *testing.T) {
	for name, ratings := range map[string][][]int{
		"nothing rated":   nil,
		"one rating each": {{1, stats.NoRating}, {stats.NoRating, 0}},
		"all the same":    {{1, 1}, {1, 1}},
	} {
		if a := stats.NewAgreement(ratings, 1); a.Kappa != nil || a.Alpha != nil || a.Low != nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if a := stats.NewAgreement([][]int{{1, 1, 1}, {0, 0, 0}}, 1); *a.Kappa != 1 || *a.Alpha != 1 || *a.Observed != 1 {
		t.Errorf("of one mind: %+v", a)
	}
}
