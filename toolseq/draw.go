package toolseq

import "math/rand/v2"

// draw samples one sequence from the live model: first the length, then exactly
// that many tools.
func (m *Model) draw(r *rand.PCG, temperature float64) []int {
	e := m.params.exponent(temperature)
	length := m.params.Length.Min + pick(m.lengths, unit(r.Uint64()))
	seq := make([]int, 0, length)
	w := make([]float64, m.vocab.Len())
	ctx := 0
	for range length {
		m.weights(w, ctx, e)
		t := pick(w, unit(r.Uint64()))
		seq = append(seq, t)
		ctx = m.pos.next(ctx, t)
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
