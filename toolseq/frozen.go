package toolseq

import "math/rand/v2"

// Frozen is an immutable sampler made from a model at one temperature. It is
// safe for concurrent use; each goroutine brings its own random stream.
type Frozen struct {
	contexts
	min     int    // shortest length
	lengths []slot // alias table over lengths
	slots   []slot // alias tables over tools, context by context; nil with gates
	gated   *gated // nil without gates
}

// Freeze prepares fast sampling at the given temperature, from exactly the
// distribution of [Model.Next].
func (m *Model) Freeze(temperature float64) *Frozen {
	f := &Frozen{
		contexts: m.pos.contexts, min: m.params.Length.Min,
		lengths: make([]slot, len(m.lengths)),
	}
	fillAlias(f.lengths, m.lengths)
	e := m.params.exponent(temperature)
	if m.gates != nil {
		f.gated = newGated(m, e)
		return f
	}
	f.slots = make([]slot, len(m.pos.cells))
	p := make([]float64, f.tools)
	for ctx := range f.size {
		m.logContrast(p, ctx)
		softmax(p, e)
		fillAlias(f.slots[ctx*f.tools:(ctx+1)*f.tools], p)
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
	if f.gated != nil {
		return f.gated.append(dst, length, r)
	}
	ctx := 0
	for range length {
		t := drawAlias(f.slots[ctx*f.tools:(ctx+1)*f.tools], r.Uint64())
		dst = append(dst, t)
		ctx = f.next(ctx, t)
	}
	return dst
}
