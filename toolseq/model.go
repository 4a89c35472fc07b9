package toolseq

import (
	"encoding/json"
	"fmt"
	"math"
)

// Model is the adaptive contrastive n-gram model: how often each n-gram stood
// in a plausible sequence, and how often it ended at a position that a judge
// called problematic. With
//
//	S±(t|ctx) = (C±(ctx,t) + λ0) / (Σ C±(ctx,·) + |V|·λ0)
//
// the next tool is drawn in proportion to (S+ / S−^λneg)^e. A Model is not
// safe for concurrent use while it is trained; see [Model.Freeze].
type Model struct {
	vocab  Vocab
	params Params
	k      int
	pos    table
	neg    table
	// lengths are the probabilities of the lengths from Length.Min on.
	lengths []float64
}

// NewModel makes an untrained model: both tables empty, k = 0, and therefore
// uniform over tools.
func NewModel(v Vocab, p Params) (*Model, error) {
	if err := v.Validate(); err != nil {
		return nil, err
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	c, err := newContexts(v.Len(), p.N)
	if err != nil {
		return nil, err
	}
	return &Model{vocab: v, params: p, pos: newTable(c), neg: newTable(c), lengths: p.Length.Probabilities()}, nil
}

// Vocab is the model's vocabulary.
func (m *Model) Vocab() Vocab { return m.vocab }

// Params are the model's hyperparameters.
func (m *Model) Params() Params { return m.params }

// K is the number of generation attempts the model was trained with.
func (m *Model) K() int { return m.k }

// Temperature is T at the model's own k.
func (m *Model) Temperature() float64 { return m.params.Temperature(m.k) }

// Ingest learns from one verdict. Plausible: each window of the padded
// sequence counts once in C+. Implausible: each window that ends at a
// problematic position counts once in C−, where the model keeps one. Positions
// outside the sequence, and repeated ones, are ignored.
func (m *Model) Ingest(seq []int, v Verdict) error {
	if err := m.vocab.check(seq); err != nil {
		return err
	}
	bad := badSet(len(seq), v.Bad)
	ctx := 0
	for i, t := range seq {
		switch {
		case v.Plausible:
			m.pos.row(ctx)[t]++
		case bad[i] && m.params.Negatives:
			m.neg.row(ctx)[t]++
		}
		ctx = m.pos.next(ctx, t)
	}
	return nil
}

func badSet(n int, bad []int) []bool {
	set := make([]bool, n)
	for _, i := range bad {
		if i >= 0 && i < n {
			set[i] = true
		}
	}
	return set
}

// weights fills out with the unnormalised probability of each tool in ctx at
// exponent e. For a fixed context both denominators cancel, but they are kept
// where they are cheap: S± are the numbers the method speaks of.
func (m *Model) weights(out []float64, ctx int, e float64) {
	pos, neg := m.pos.row(ctx), m.neg.row(ctx)
	for t := range out {
		w := math.Log(float64(pos[t]) + m.params.Lambda0)
		w -= m.params.LambdaNeg * math.Log(float64(neg[t])+m.params.Lambda0)
		out[t] = e * w
	}
	softmax(out)
}

// softmax turns log weights into probabilities in place.
func softmax(logs []float64) {
	top := math.Inf(-1)
	for _, w := range logs {
		top = max(top, w)
	}
	total := 0.0
	for t, w := range logs {
		logs[t] = math.Exp(w - top)
		total += logs[t]
	}
	for t := range logs {
		logs[t] /= total
	}
}

// Prob is P(t | the tools before it) at temperature T: prefix holds what was
// called so far in the sequence.
func (m *Model) Prob(prefix []int, t int, temperature float64) float64 {
	ctx := 0
	for _, p := range prefix {
		ctx = m.pos.next(ctx, p)
	}
	w := make([]float64, m.vocab.Len())
	m.weights(w, ctx, m.params.exponent(temperature))
	return w[t]
}

// modelJSON is the file form of a model.
type modelJSON struct {
	Vocab  Vocab      `json:"vocab"`
	Params Params     `json:"params"`
	K      int        `json:"k"`
	Pos    []tableRow `json:"positive"`
	Neg    []tableRow `json:"negative"`
}

// MarshalJSON writes vocabulary, hyperparameters, k and both tables. Equal
// models give equal bytes.
func (m *Model) MarshalJSON() ([]byte, error) {
	return json.Marshal(modelJSON{m.vocab, m.params, m.k, m.pos.rows(), m.neg.rows()})
}

// UnmarshalJSON reads what MarshalJSON wrote, and validates it.
func (m *Model) UnmarshalJSON(b []byte) error {
	var j modelJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return fmt.Errorf("read model: %w", err)
	}
	fresh, err := NewModel(j.Vocab, j.Params)
	if err != nil {
		return fmt.Errorf("read model: %w", err)
	}
	fresh.k = j.K
	if err := fresh.pos.fill(j.Pos); err != nil {
		return fmt.Errorf("read model: positive table: %w", err)
	}
	if err := fresh.neg.fill(j.Neg); err != nil {
		return fmt.Errorf("read model: negative table: %w", err)
	}
	*m = *fresh
	return nil
}
