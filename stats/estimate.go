package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Estimate is a mean over clusters, one value each, with its uncertainty.
type Estimate struct {
	Clusters int      `json:"clusters"`
	Mean     float64  `json:"mean"`
	SE       *float64 `json:"se"` // standard error; nil below two clusters
	// Low and High are a 95 % interval; nil where the values show no spread to
	// judge by: below two clusters, and where all values are equal.
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// resamples is how often clusters are drawn anew for an interval.
const resamples = 2000

// NewEstimate computes the mean of values, its standard error with the values
// as independent clusters, √(Σ(v−mean)²/(m(m−1))), and the percentile interval
// of the bootstrap over them (Efron 1979). Values must not be empty.
func NewEstimate(values []float64, seed uint64) Estimate {
	e := Estimate{Clusters: len(values), Mean: mean(values)}
	m := float64(len(values))
	if m < 2 {
		return e
	}
	if slices.Min(values) == slices.Max(values) {
		e.Mean, e.SE = values[0], new(float64)
		return e
	}
	sum := 0.0
	for _, v := range values {
		sum += (v - e.Mean) * (v - e.Mean)
	}
	se := math.Sqrt(sum / (m * (m - 1)))
	low, high := bootstrap(values, rand.New(rand.NewPCG(seed, bootstrapStream)))
	e.SE, e.Low, e.High = &se, &low, &high
	return e
}

// bootstrapStream keeps the draws apart from others of the same seed.
const bootstrapStream = 0x626f6f74

func bootstrap(values []float64, rng *rand.Rand) (low, high float64) {
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range values {
			sum += values[rng.IntN(len(values))]
		}
		means[i] = sum / float64(len(values))
	}
	slices.Sort(means)
	const tail = resamples / 40 // 2.5 % on either side
	return means[tail], means[resamples-1-tail]
}

// Quantiles of the standard normal distribution.
const (
	z975 = 1.959963984540054
	z80  = 0.8416212335729143
)

// Detectable is the smallest true difference that a two-sided test at 5 % finds
// in four of five cases, for a difference with that standard error; ok is false
// where the error is 0: clusters that are all alike do not show how far others
// would be apart.
func Detectable(se float64) (d float64, ok bool) { return (z975 + z80) * se, se > 0 }

// Unpaired is the standard error of the difference to another system of the
// same spread.
func Unpaired(se float64) float64 { return math.Sqrt2 * se }
