package toolseq

import (
	"errors"
	"math"
)

// LengthLaw is the distribution of sequence lengths: a skew-normal variable
// with the given location, scale and shape, clipped to [Min, Max] and rounded
// to the nearest whole number.
type LengthLaw struct {
	Location float64 `json:"location"`
	Scale    float64 `json:"scale"`
	Skew     float64 `json:"skew"`
	Min      int     `json:"min"`
	Max      int     `json:"max"`
}

// PaperLength is the law of the method: location 7, scale 5, skewness 2,
// clipped to [1, 15]. Its mean is 10.3; the 7 is the location, not the mean.
func PaperLength() LengthLaw {
	return LengthLaw{Location: 7, Scale: 5, Skew: 2, Min: 1, Max: 15}
}

var errLength = errors.New("check length law: want scale > 0 and 1 <= min <= max <= 64")

// Validate reports whether the law describes a distribution.
func (l LengthLaw) Validate() error {
	if !(l.Scale > 0) || l.Min < 1 || l.Max < l.Min || l.Max > 64 {
		return errLength
	}
	return nil
}

// Probabilities gives the probability of every length: entry i is that of
// Min+i. The distribution function is integrated numerically from the density
// 2/ω·φ(z)·Φ(αz), z = (x−ξ)/ω (Azzalini 1985), by Simpson's rule.
func (l LengthLaw) Probabilities() []float64 {
	p := make([]float64, l.Max-l.Min+1)
	below := 0.0
	for i := range p {
		upTo := 1.0
		if i < len(p)-1 {
			upTo = l.cdf(float64(l.Min+i) + 0.5)
		}
		p[i] = max(0, upTo-below)
		below = upTo
	}
	return p
}

func (l LengthLaw) density(z float64) float64 {
	phi := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	return phi * math.Erfc(-l.Skew*z/math.Sqrt2)
}

// cdf is exact to about 1e-12, far below the resolution of any draw.
func (l LengthLaw) cdf(x float64) float64 {
	const from, steps = -12.0, 4000
	to := (x - l.Location) / l.Scale
	if to <= from {
		return 0
	}
	h := (to - from) / steps
	sum := l.density(from) + l.density(to)
	for i := 1; i < steps; i++ {
		w := 2.0
		if i%2 == 1 {
			w = 4
		}
		sum += w * l.density(from+float64(i)*h)
	}
	return sum * h / 3
}
