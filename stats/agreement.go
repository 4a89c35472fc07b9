package stats

import (
	"math/rand/v2"
	"slices"
)

// NoRating stands for a rating that a rater did not give.
const NoRating = -1

// Agreement says how far raters agree beyond chance. Measures are nil where they
// are undefined: where nothing is rated twice, or all ratings are the same.
type Agreement struct {
	Items    int      `json:"items"`    // with two ratings or more
	Observed *float64 `json:"observed"` // mean share of pairs of raters that agree about an item
	Kappa    *float64 `json:"kappa"`    // Fleiss' kappa (Fleiss 1971), Cohen's without regard to who rated what; nil, too, where ratings are missing
	Alpha    *float64 `json:"alpha"`    // Krippendorff's alpha for nominal data, which takes missing ratings (Krippendorff 2004)

	// Low and High are a 95 % interval of alpha, by the percentiles of the
	// bootstrap over items; nil below two items, and where resamples leave alpha undefined too often.
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// NewAgreement compares ratings, ratings[item][rater], of categories from 0 or
// NoRating. Items are resampled with the seed.
func NewAgreement(ratings [][]int, seed uint64) Agreement {
	var units []unit
	complete := true
	for _, r := range ratings {
		u := newUnit(r)
		complete = complete && u.n == len(r) && len(r) == len(ratings[0])
		if u.n > 1 {
			units = append(units, u)
		}
	}
	a := Agreement{Items: len(units)}
	if len(units) == 0 {
		return a
	}
	observed := 0.0
	for _, u := range units {
		observed += u.agreement()
	}
	observed /= float64(len(units))
	a.Observed = &observed
	a.Alpha = alpha(units)
	if complete && a.Alpha != nil {
		kappa := fleiss(units, observed)
		a.Kappa = &kappa
	}
	if a.Alpha != nil {
		a.Low, a.High = alphaInterval(units, rand.New(rand.NewPCG(seed, agreementStream)))
	}
	return a
}

// agreementStream keeps the draws apart from others of the same seed.
const agreementStream = 0x6167726565

// unit is an item as its number of ratings of each category.
type unit struct {
	counts []int
	n      int
}

func newUnit(ratings []int) unit {
	var u unit
	for _, r := range ratings {
		if r == NoRating {
			continue
		}
		for len(u.counts) <= r {
			u.counts = append(u.counts, 0)
		}
		u.counts[r]++
		u.n++
	}
	return u
}

// agreement is the share of pairs of ratings that agree.
func (u unit) agreement() float64 {
	same := 0
	for _, c := range u.counts {
		same += c * (c - 1)
	}
	return float64(same) / float64(u.n*(u.n-1))
}

// totals are the ratings of each category over all units, and their sum.
func totals(units []unit) (counts []int, n int) {
	for _, u := range units {
		for c, k := range u.counts {
			for len(counts) <= c {
				counts = append(counts, 0)
			}
			counts[c] += k
		}
		n += u.n
	}
	return counts, n
}

// fleiss is (P̄ − P̄e) / (1 − P̄e), with P̄e = Σ p², p the share of a category in all
// ratings.
func fleiss(units []unit, observed float64) float64 {
	counts, n := totals(units)
	expected := 0.0
	for _, c := range counts {
		p := float64(c) / float64(n)
		expected += p * p
	}
	return (observed - expected) / (1 - expected)
}

// alpha is 1 − Do/De: Do the disagreement within units, each weighing as many as
// its ratings, De that of all pairs of ratings. It is nil where De is 0.
func alpha(units []unit) *float64 {
	counts, n := totals(units)
	within, same := 0.0, 0
	for _, u := range units {
		within += float64(u.n) * (1 - u.agreement())
	}
	for _, c := range counts {
		same += c * (c - 1)
	}
	all := n * (n - 1)
	if same == all {
		return nil
	}
	a := 1 - within/float64(n)/(1-float64(same)/float64(all))
	return &a
}

// alphaInterval resamples units. Resamples in which alpha is undefined are drawn
// anew, as long as no more than every second is.
func alphaInterval(units []unit, rng *rand.Rand) (low, high *float64) {
	if len(units) < 2 {
		return nil, nil
	}
	var all []float64
	drawn := make([]unit, len(units))
	for try := 0; len(all) < resamples; try++ {
		if try >= 2*resamples {
			return nil, nil
		}
		for i := range drawn {
			drawn[i] = units[rng.IntN(len(units))]
		}
		if a := alpha(drawn); a != nil {
			all = append(all, *a)
		}
	}
	slices.Sort(all)
	const tail = resamples / 40 // 2.5 % on either side
	return &all[tail], &all[resamples-1-tail]
}
