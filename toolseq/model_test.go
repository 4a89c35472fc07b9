package toolseq_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"taste/toolseq"
	"taste/toolseq/internal/toy"
)

func newRand(seed uint64) *rand.Rand { return rand.New(toolseq.Stream(seed, "test", 0)) }

// abc is a vocabulary of three tools.
func abc() toolseq.Vocab {
	return toolseq.Vocab{Names: []string{"get_a", "set_b", "c"}, Types: []toolseq.Type{toolseq.Read, toolseq.Write, toolseq.Generic}}
}

func newModel(t *testing.T, v toolseq.Vocab, p toolseq.Params) *toolseq.Model {
	t.Helper()
	m, err := toolseq.NewModel(v, p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ingest(t *testing.T, m *toolseq.Model, seq []int, plausible bool, bad ...int) {
	t.Helper()
	if err := m.Ingest(seq, toolseq.Verdict{Plausible: plausible, Bad: bad}); err != nil {
		t.Fatal(err)
	}
}

func near(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, want)
			return
		}
	}
}

// share is the method's formula to the letter: weights (S+ / S−^λ)^e, made to add
// up to 1, from the counts of the three tools in one context.
func share(pos, neg [3]float64, lambda, e float64) []float64 {
	w := make([]float64, 3)
	total := 0.0
	for t := range w {
		splus := (pos[t] + .1) / (pos[0] + pos[1] + pos[2] + .3)
		sminus := (neg[t] + .1) / (neg[0] + neg[1] + neg[2] + .3)
		w[t] = math.Pow(splus/math.Pow(sminus, lambda), e)
		total += w[t]
	}
	for t := range w {
		w[t] /= total
	}
	return w
}

func TestNextFollowsTheFormula(t *testing.T) {
	zero := [3]float64{}
	for _, tc := range []struct {
		name   string
		change func(*toolseq.Params)
		lambda float64
		e      float64
		neg    bool
	}{
		{"default", func(*toolseq.Params) {}, 1, 1 / 1.5, true},
		{"literal exponent", func(p *toolseq.Params) { p.Exponent = toolseq.Literal }, 1, 1.5, true},
		{"half the negative weight", func(p *toolseq.Params) { p.LambdaNeg = .5 }, .5, 1 / 1.5, true},
		{"no negative weight", func(p *toolseq.Params) { p.LambdaNeg = 0 }, 0, 1 / 1.5, true},
		{"no negative table", func(p *toolseq.Params) { p.Negatives = false }, 1, 1 / 1.5, false},
	} {
		p := toolseq.PaperParams()
		tc.change(&p)
		m := newModel(t, abc(), p)
		ingest(t, m, []int{0, 1, 2, 0, 1, 1}, true)
		ingest(t, m, []int{0, 1, 0}, false, 2)
		ingest(t, m, []int{1, 0, 1, 0}, false, 3, 0)
		neg := func(c [3]float64) [3]float64 {
			if !tc.neg {
				return zero
			}
			return c
		}
		// After get_a, set_b: c and set_b were plausible once, get_a was flagged twice.
		near(t, tc.name, m.Next([]int{2, 0, 1}, 3, 1.5), share([3]float64{0, 1, 1}, neg([3]float64{2, 0, 0}), tc.lambda, tc.e))
		// At the beginning: get_a was plausible once, set_b was flagged once.
		near(t, tc.name+", first", m.Next(nil, 3, 1.5), share([3]float64{1, 0, 0}, neg([3]float64{0, 1, 0}), tc.lambda, tc.e))
		// After get_a alone: BOS pads the context, which differs from any tool's.
		near(t, tc.name+", second", m.Next([]int{0}, 3, 1.5), share([3]float64{0, 1, 0}, zero, tc.lambda, tc.e))
		near(t, tc.name+", never seen", m.Next([]int{2, 2}, 3, 1.5), []float64{1. / 3, 1. / 3, 1. / 3})
	}
}

func TestVerdictsWithoutPositionsTeachNothing(t *testing.T) {
	m := newModel(t, abc(), toolseq.PaperParams())
	before := marshal(t, m)
	ingest(t, m, []int{0, 1, 2}, false)
	ingest(t, m, []int{0, 1, 2}, false, -1, 3)
	if got := marshal(t, m); got != before {
		t.Errorf("the model changed to %s", got)
	}
	ingest(t, m, []int{0, 1, 2}, false, 1, 1)
	near(t, "a position named twice", m.Next([]int{0}, 1, 1), share([3]float64{}, [3]float64{0, 1, 0}, 1, 1))
}

func TestOrdersOfNgrams(t *testing.T) {
	for n := 1; n <= 5; n++ {
		p := toolseq.PaperParams()
		p.N = n
		m := newModel(t, abc(), p)
		ingest(t, m, []int{2, 2, 2, 2, 0}, true)
		// The context that ends in five c's was seen only as far as n reaches back.
		want := share([3]float64{1, 0, 0}, [3]float64{}, 1, 1)
		switch {
		case n == 1:
			want = share([3]float64{1, 0, 4}, [3]float64{}, 1, 1)
		case n <= 4:
			want = share([3]float64{1, 0, float64(4 - n + 1)}, [3]float64{}, 1, 1)
		}
		near(t, "n-grams", m.Next([]int{2, 2, 2, 2}, 0, 1), want)
	}
	p := toolseq.PaperParams()
	p.N = 9
	if _, err := toolseq.NewModel(toy.Vocab(), p); err == nil {
		t.Error("tables of 9-grams over 14 tools are made")
	}
}

func TestTemperature(t *testing.T) {
	p := toolseq.PaperParams()
	for k, want := range map[int]float64{0: 3, 1500: 1 + 2/math.E, 3000: 1 + 2*math.Exp(-2)} {
		if got := p.Temperature(k); math.Abs(got-want) > 1e-12 {
			t.Errorf("T(%d) is %v, want %v", k, got, want)
		}
	}
}

func TestSeedModel(t *testing.T) {
	m, err := toolseq.SeedModel(abc(), toolseq.PaperParams(), [][]int{{0, 1}, {0, 2}, {}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "first", m.Next(nil, 1, 1), share([3]float64{2, 0, 0}, [3]float64{}, 1, 1))
	near(t, "second", m.Next([]int{0}, 0, 1), share([3]float64{0, 1, 1}, [3]float64{}, 1, 1))
	if _, err := toolseq.SeedModel(abc(), toolseq.PaperParams(), [][]int{{3}}); err == nil {
		t.Error("an unknown tool is learnt")
	}
}

func TestParamsRefuse(t *testing.T) {
	for name, change := range map[string]func(*toolseq.Params){
		"n":        func(p *toolseq.Params) { p.N = 0 },
		"lambda0":  func(p *toolseq.Params) { p.Lambda0 = 0 },
		"NaN":      func(p *toolseq.Params) { p.LambdaNeg = math.NaN() },
		"infinite": func(p *toolseq.Params) { p.LambdaNeg = math.Inf(1) },
		"order":    func(p *toolseq.Params) { p.N = 300 },
		"tau":      func(p *toolseq.Params) { p.Tau = 0 },
		"exponent": func(p *toolseq.Params) { p.Exponent = "" },
		"length":   func(p *toolseq.Params) { p.Length.Max = 0 },
		"contrast": func(p *toolseq.Params) { p.Gates.Contrast = -1 },
		"depth":    func(p *toolseq.Params) { p.Gates.Depth = 13 },
		"prior":    func(p *toolseq.Params) { p.Gates.Prior = 0 },
		"before":   func(p *toolseq.Params) { p.Gates.Before = -1 },
		"refit":    func(p *toolseq.Params) { p.Gates.Refit = 0 },
		"lift":     func(p *toolseq.Params) { p.Gates.Lift = 2 },
	} {
		p := toolseq.BestParams()
		change(&p)
		if _, err := toolseq.NewModel(abc(), p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
