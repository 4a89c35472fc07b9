// Package stats holds the statistics that evaluations report: shares with
// intervals, pass^k with what is missing, paired comparisons. Everything is
// exact, closed form or drawn from a seed, so that equal counts give equal
// bytes.
package stats

import "math"

// Share is a number of successes out of trials, with Wilson's 95 % interval.
type Share struct {
	Trials    int     `json:"trials"`
	Successes int     `json:"successes"`
	Share     float64 `json:"share"` // 0 without trials
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
}

// NewShare computes the share and Wilson's score interval (Wilson 1927, "Probable
// inference, the law of succession, and statistical inference"). Without trials
// the interval is all of [0, 1].
func NewShare(trials, successes int) Share {
	s := Share{Trials: trials, Successes: successes, High: 1}
	if trials == 0 {
		return s
	}
	const z = z975
	n, p := float64(trials), float64(successes)/float64(trials)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	s.Share, s.Low, s.High = p, max(0, middle-half), min(1, middle+half)
	switch successes { // where the bounds are met but for rounding
	case 0:
		s.Low = 0
	case trials:
		s.High = 1
	}
	return s
}

// Paired compares two systems, or one system on two sets, over the same cases.
type Paired struct {
	Both   int     `json:"both"`   // cases in which both succeed
	First  int     `json:"first"`  // only the first
	Second int     `json:"second"` // only the second
	None   int     `json:"none"`
	P      float64 `json:"p"` // two-sided exact McNemar
}

// Pair counts the pairs and tests whether the two differ: given that one of
// them succeeds alone, under the null hypothesis each is that one with
// probability one half. P is the two-sided binomial probability, 1 where the two
// never differ (McNemar 1947; exact form: Fay 2010). The slices must be equally
// long; it panics otherwise.
func Pair(first, second []bool) Paired {
	if len(first) != len(second) {
		panic("stats: pairs of unequal number")
	}
	var p Paired
	for i, a := range first {
		switch b := second[i]; {
		case a && b:
			p.Both++
		case a:
			p.First++
		case b:
			p.Second++
		default:
			p.None++
		}
	}
	p.P = min(1, 2*atMost(min(p.First, p.Second), p.First+p.Second))
	return p
}

// atMost is the probability of at most k heads in n throws of a fair coin.
func atMost(k, n int) float64 {
	total := 0.0
	for i := 0; i <= k; i++ {
		total += math.Exp(logChoose(n, i) - float64(n)*math.Ln2)
	}
	return min(1, total)
}

func logChoose(n, k int) float64 { return logFactorial(n) - logFactorial(k) - logFactorial(n-k) }

func logFactorial(n int) float64 {
	l, _ := math.Lgamma(float64(n) + 1)
	return l
}
