package toolseq

import "math/rand/v2"

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
		layout(w.m.vocab.Len()).push(&w.regs, w.at, t, w.m.vocab.Types[t] == Write)
	}
	w.at++
}

// next fills out with the distribution of the next tool at exponent e, no gate
// counting below floor.
func (w *walk) next(out []float64, left int, e, floor float64) {
	w.m.logContrast(out, w.ctx)
	if w.m.gates != nil {
		w.regs[layout(len(out)).left()] = int16(left)
		for t := range out {
			out[t] += w.m.logGate(t, &w.regs, floor)
		}
	}
	softmax(out, e)
}

// draw samples one sequence from the live model: first the length, then exactly
// that many tools.
func (m *Model) draw(r *rand.PCG, temperature, floor float64) []int {
	e := m.params.exponent(temperature)
	length := m.params.Length.Min + pick(m.lengths, unit(r.Uint64()))
	seq := make([]int, 0, length)
	p := make([]float64, m.vocab.Len())
	w := newWalk(m)
	for left := length - 1; left >= 0; left-- {
		w.next(p, left, e, floor)
		t := pick(p, unit(r.Uint64()))
		seq = append(seq, t)
		w.push(t)
	}
	return seq
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
