package stats

import (
	"flag"
	"math"
	"math/big"
	"os"
	"testing"

	"pgregory.net/rapid"
)

// TestMain draws the same random cases every time, unless -rapid.seed asks for
// others.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// Values of statsmodels.stats.proportion.proportion_confint(method="wilson").
func TestShareAgainstPublishedValues(t *testing.T) {
	for _, c := range []struct {
		n, k      int
		low, high float64
	}{{10, 8, .4901625, .9433178}, {50, 50, .9286524, 1}, {50, 0, 0, .0713476}, {300, 284, .9151309, .9669081}} {
		s := NewShare(c.n, c.k)
		if math.Abs(s.Low-c.low) > 1e-7 || math.Abs(s.High-c.high) > 1e-7 {
			t.Errorf("%d of %d: %.7f to %.7f, want %.7f to %.7f", c.k, c.n, s.Low, s.High, c.low, c.high)
		}
	}
	if s := NewShare(0, 0); s.Low != 0 || s.High != 1 || s.Share != 0 {
		t.Errorf("no trials: %+v", s)
	}
}

func TestShareHoldsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		s := NewShare(n, k)
		if s.Low > s.Share || s.High < s.Share || s.Low < 0 || s.High > 1 {
			t.Fatalf("%+v", s)
		}
		if m := NewShare(n, n-k); math.Abs(m.Low-(1-s.High)) > 1e-12 {
			t.Fatalf("not symmetric: %+v and %+v", s, m)
		}
	})
}

// exactP is the same probability with whole numbers.
func exactP(b, c int) float64 {
	n := int64(b + c)
	sum := new(big.Int)
	for i := int64(0); i <= int64(min(b, c)); i++ {
		sum.Add(sum, new(big.Int).Binomial(n, i))
	}
	r, _ := new(big.Rat).SetFrac(sum.Lsh(sum, 1), new(big.Int).Lsh(big.NewInt(1), uint(n))).Float64()
	return min(1, r)
}

func TestPairIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.SliceOfN(rapid.Bool(), 0, 200).Draw(t, "first")
		second := rapid.SliceOfN(rapid.Bool(), len(first), len(first)).Draw(t, "second")
		p := Pair(first, second)
		if p.Both+p.First+p.Second+p.None != len(first) {
			t.Fatalf("%+v of %d pairs", p, len(first))
		}
		if want := exactP(p.First, p.Second); math.Abs(p.P/want-1) > 1e-9 {
			t.Fatalf("%+v, want p = %v", p, want)
		}
	})
}

func TestPairOfKnownTable(t *testing.T) {
	var a, b []bool
	for range 9 {
		a, b = append(a, true), append(b, false)
	}
	a, b = append(a, false), append(b, true)
	// Ten disagreements, one the other way: 2 · (1 + 10) / 1024.
	if p := Pair(a, b); math.Abs(p.P-22.0/1024) > 1e-12 {
		t.Errorf("%+v", p)
	}
}
