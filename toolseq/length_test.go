package toolseq_test

import (
	"math"
	"testing"

	"taste/toolseq"
)

func TestPaperLengths(t *testing.T) {
	p := toolseq.PaperLength().Probabilities()
	sum, mean := 0.0, 0.0
	for i, q := range p {
		sum += q
		mean += q * float64(i+1)
	}
	if len(p) != 15 || math.Abs(sum-1) > 1e-9 {
		t.Errorf("%d probabilities that add up to %v", len(p), sum)
	}
	if math.Abs(mean-10.34) > .005 {
		t.Errorf("mean length is %.4f, want 10.34", mean)
	}
}

// Without skew the law is the normal one, which the standard library knows.
func TestLengthsWithoutSkew(t *testing.T) {
	law := toolseq.LengthLaw{Location: 6, Scale: 2, Min: 3, Max: 9}
	cdf := func(x float64) float64 { return math.Erfc(-(x-6)/2/math.Sqrt2) / 2 }
	p := law.Probabilities()
	for i, want := range []float64{cdf(3.5), cdf(4.5) - cdf(3.5), cdf(5.5) - cdf(4.5)} {
		if math.Abs(p[i]-want) > 1e-9 || math.Abs(p[len(p)-1-i]-want) > 1e-9 {
			t.Errorf("length %d has %v, its mirror %v, want %v", 3+i, p[i], p[len(p)-1-i], want)
		}
	}
}

// A skew-normal variable is δ|U| + √(1−δ²)·U' of two normal ones, δ = α/√(1+α²).
func TestLengthsFollowTheConstruction(t *testing.T) {
	law := toolseq.PaperLength()
	r := newRand(1)
	delta := law.Skew / math.Sqrt(1+law.Skew*law.Skew)
	const draws = 200_000
	counts := make([]float64, 15)
	for range draws {
		z := delta*math.Abs(r.NormFloat64()) + math.Sqrt(1-delta*delta)*r.NormFloat64()
		x := min(max(law.Location+law.Scale*z, 1), 15)
		counts[int(math.Round(x))-1]++
	}
	for i, p := range law.Probabilities() {
		if got := counts[i] / draws; math.Abs(got-p) > 5*math.Sqrt(p/draws)+1e-4 {
			t.Errorf("length %d: drawn %.4f, computed %.4f", i+1, got, p)
		}
	}
}

func TestLengthLawRefuses(t *testing.T) {
	for _, law := range []toolseq.LengthLaw{{}, {Scale: 1}, {Scale: 1, Min: 3, Max: 2}, {Scale: -1, Min: 1, Max: 2}, {Scale: 1, Min: 1, Max: 65}} {
		if law.Validate() == nil {
			t.Errorf("%+v: no error", law)
		}
	}
}
