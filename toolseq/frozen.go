package toolseq

import (
	"math/rand/v2"
)

// Frozen is an immutable sampler made from a model at one temperature. It is
// safe for concurrent use; each goroutine brings its own random stream.
type Frozen struct {
	contexts
	vocab   Vocab
	min     int    // shortest length
	lengths []slot // alias table over lengths
	slots   []slot // alias tables over tools, context by context
}

// Freeze prepares fast sampling at the given temperature.
func (m *Model) Freeze(temperature float64) *Frozen {
	f := &Frozen{
		contexts: m.pos.contexts, vocab: m.vocab, min: m.params.Length.Min,
		lengths: make([]slot, len(m.lengths)),
		slots:   make([]slot, len(m.pos.cells)),
	}
	fillAlias(f.lengths, m.lengths)
	w := make([]float64, f.tools)
	e := m.params.exponent(temperature)
	for ctx := range f.count {
		m.weights(w, ctx, e)
		fillAlias(f.slots[ctx*f.tools:(ctx+1)*f.tools], w)
	}
	return f
}

// Uniform samples every tool with the same probability at every position, the
// weakest baseline.
func Uniform(v Vocab, law LengthLaw) (*Frozen, error) {
	p := PaperParams()
	p.N, p.Length = 1, law
	m, err := NewModel(v, p)
	if err != nil {
		return nil, err
	}
	return m.Freeze(1), nil
}

// Append draws one sequence from r and appends it to dst.
func (f *Frozen) Append(dst []int, r *rand.PCG) []int {
	length := f.min + drawAlias(f.lengths, r.Uint64())
	ctx := 0
	for range length {
		t := drawAlias(f.slots[ctx*f.tools:(ctx+1)*f.tools], r.Uint64())
		dst = append(dst, t)
		ctx = f.next(ctx, t)
	}
	return dst
}
