package toolseq

import (
	"math/rand/v2"
	"slices"
)

// walk follows one sequence through a live model.
type walk struct {
	m    *Model
	at   int // position of the next call
	ctx  int
	regs registers
}

func newWalk(m *Model) *walk {
	w := &walk{m: m}
	layout(m.vocab.Len()).start(&w.regs)
	return w
}

// push records the call of tool t.
func (w *walk) push(t int) {
	w.ctx = w.m.pos.next(w.ctx, t)
	if w.m.gates != nil {
		layout(w.m.vocab.Len()).push(&w.regs, w.at, t, readsKept(w.m.vocab.Types[t]))
	}
	w.at++
}

// next fills out with the distribution of the next tool at exponent e.
func (w *walk) next(out []float64, left int, e float64) {
	w.m.logContrast(out, w.ctx)
	if w.m.gates != nil {
		w.regs[layout(len(out)).left()] = int16(left)
		for t := range out {
			out[t] += w.m.logGate(t, &w.regs)
		}
	}
	softmax(out, e)
}

// draw samples one sequence from the live model: first the length, then exactly
// that many tools. A tool lifted ≥ 0 is explored.
func (m *Model) draw(r *rand.PCG, temperature float64, lifted int) []int {
	e := m.params.exponent(temperature)
	length := m.params.Length.Min + pick(m.lengths, unit(r.Uint64()))
	seq := make([]int, 0, length)
	p := make([]float64, m.vocab.Len())
	w := newWalk(m)
	for left := length - 1; left >= 0; left-- {
		w.next(p, left, e)
		if lifted >= 0 {
			p[lifted] = max(p[lifted], m.params.Gates.Lift*slices.Max(p))
		}
		t := pick(p, unit(r.Uint64()))
		seq = append(seq, t)
		w.push(t)
	}
	return seq
}

// lifted is the tool that the present attempt explores, −1 for none: the one with
// the fewest plausible calls so far, the first of equals.
func (m *Model) lifted() int {
	g := m.params.Gates
	if g == nil || g.Explore == 0 || m.k%g.Explore != g.Explore-1 {
		return -1
	}
	calls := make([]uint64, m.vocab.Len())
	for i, n := range m.pos.cells {
		calls[i%len(calls)] += uint64(n)
	}
	return slices.Index(calls, slices.Min(calls))
}

// SeedModel is the untrained baseline: the n-grams of the given sequences, all
// taken as plausible, without a judge. Sample it at temperature 1.
func SeedModel(v Vocab, p Params, seeds [][]int) (*Model, error) {
	m, err := NewModel(v, p)
	if err != nil {
		return nil, err
	}
	for _, s := range seeds {
		if err := m.Ingest(s, Verdict{Plausible: true}); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// copyForSampling is a copy that further training of m does not touch.
func (m *Model) copyForSampling() *Model {
	c := *m
	c.pos.cells = append([]uint32(nil), m.pos.cells...)
	c.neg.cells = append([]uint32(nil), m.neg.cells...)
	return &c
}
