package toolseq_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"taste/toolseq"
	"taste/toolseq/internal/toy"
)

// exact is the probability of a whole sequence, tool by tool from the model.
func exact(m *toolseq.Model, seq []int, temperature float64) float64 {
	p := 1.0
	for i, t := range seq {
		p *= m.Next(seq[:i], len(seq)-1-i, temperature)[t]
	}
	return p
}

// The frozen sampler draws every sequence as often as the model says.
func TestFrozenFollowsTheModel(t *testing.T) {
	judge := func(seq []int) toolseq.Verdict {
		v := toolseq.Verdict{Plausible: true}
		for i, tool := range seq {
			if tool == 2 && i != len(seq)-1 || tool == 1 && i == 0 {
				v.Plausible, v.Bad = false, append(v.Bad, i)
			}
		}
		return v
	}
	for name, p := range methods() {
		p.Length = toolseq.LengthLaw{Location: 5, Scale: 1, Min: 5, Max: 5}
		tr, err := toolseq.Train(t.Context(), abc(), p, 1, toolseq.Sure(judge), nil, 120)
		if err != nil {
			t.Fatal(err)
		}
		const draws, temperature = 150_000, 1.5
		f, r := tr.Model().Freeze(temperature), toolseq.Stream(1, "draw", 0)
		counts := map[string]float64{}
		var buf []int
		for range draws {
			buf = f.Append(buf[:0], r)
			counts[fmt.Sprint(buf)]++
		}
		chi, cells := 0.0, 0
		for n := range 243 {
			seq := []int{n / 81, n / 27 % 3, n / 9 % 3, n / 3 % 3, n % 3}
			want := draws * exact(tr.Model(), seq, temperature)
			got := counts[fmt.Sprint(seq)]
			if want >= 5 {
				chi += (got - want) * (got - want) / want
				cells++
			} else if got > 40 {
				t.Errorf("%s: %v was drawn %v times, expected %.2f", name, seq, got, want)
			}
		}
		// A chi-square variable with n degrees has mean n and variance 2n.
		if limit := float64(cells) + 5*math.Sqrt(2*float64(cells)); chi > limit {
			t.Errorf("%s: chi-square is %.0f over %d sequences, at most %.0f is likely", name, chi, cells, limit)
		}
	}
}

func TestUniform(t *testing.T) {
	f, err := toolseq.Uniform(toy.Vocab(), toolseq.PaperLength())
	if err != nil {
		t.Fatal(err)
	}
	r := toolseq.Stream(1, "draw", 0)
	counts, lengths := make([]float64, 14), make([]float64, 16)
	var buf []int
	const draws = 50_000
	for range draws {
		buf = f.Append(buf[:0], r)
		lengths[len(buf)]++
		for _, tool := range buf {
			counts[tool]++
		}
	}
	for l, p := range toolseq.PaperLength().Probabilities() {
		if got := lengths[l+1] / draws; math.Abs(got-p) > 5*math.Sqrt(p/draws)+1e-4 {
			t.Errorf("length %d: drawn %.4f, want %.4f", l+1, got, p)
		}
	}
	calls := 0.0
	for _, n := range counts {
		calls += n
	}
	for tool, n := range counts {
		if got := n / calls; math.Abs(got-1./14) > .003 {
			t.Errorf("tool %d: drawn %.4f, want %.4f", tool, got, 1./14)
		}
	}
}

func TestPool(t *testing.T) {
	f := train(t, toolseq.PaperParams(), 1, 200).Model().Freeze(1.5)
	short := func(s []int) bool { return len(s) < 5 }
	pool, err := toolseq.Pool(f, 300, 9, short)
	if err != nil {
		t.Fatal(err)
	}
	again, err := toolseq.Pool(f, 300, 9, short)
	if err != nil || fmt.Sprint(pool) != fmt.Sprint(again) {
		t.Errorf("the same seed gives another pool, %v", err)
	}
	seen := map[string]bool{}
	for _, s := range pool {
		if k := fmt.Sprint(s); seen[k] || len(s) < 5 {
			t.Errorf("%v is in the pool twice, or should have been skipped", s)
		} else {
			seen[k] = true
		}
	}
}

func TestPoolRunsShort(t *testing.T) {
	f, err := toolseq.Uniform(abc(), toolseq.LengthLaw{Location: 1, Scale: 1, Min: 1, Max: 1})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := toolseq.Pool(f, 4, 1, nil)
	var lack *toolseq.ShortPoolError
	if !errors.As(err, &lack) || lack.Got != 3 || len(pool) != 3 {
		t.Errorf("%d sequences, %v", len(pool), err)
	}
}

func BenchmarkFrozen(b *testing.B) {
	for name, p := range methods() {
		f := train(b, p, 1, 3000).Model().Freeze(1.5)
		b.Run(name, func(b *testing.B) {
			r := toolseq.Stream(1, "draw", 0)
			var buf []int
			tools := 0
			for b.Loop() {
				buf = f.Append(buf[:0], r)
				tools += len(buf)
			}
			b.ReportMetric(float64(tools)/b.Elapsed().Seconds()/1e6, "Mtools/s")
		})
	}
}
