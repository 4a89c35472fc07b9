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
	// gates holds one gate per tool; nil without [Params].Gates.
	gates []gate
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
	m := &Model{vocab: v, params: p, pos: newTable(c), neg: newTable(c), lengths: p.Length.Probabilities()}
	if p.Gates != nil {
		if v.Len() > maxGateTool {
			return nil, fmt.Errorf("size gates: %d tools, at most %d are possible", v.Len(), maxGateTool)
		}
		m.gates = newEvidence(v).fit(p.Gates)
	}
	return m, nil
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

// logContrast fills out with α·log(S+ / S−^λneg) for each tool in ctx. Both
// denominators are the same for all tools of a context, and left out.
func (m *Model) logContrast(out []float64, ctx int) {
	pos, neg := m.pos.row(ctx), m.neg.row(ctx)
	alpha := m.params.contrast()
	for t := range out {
		w := math.Log(float64(pos[t]) + m.params.Lambda0)
		w -= m.params.LambdaNeg * math.Log(float64(neg[t])+m.params.Lambda0)
		out[t] = alpha * w
	}
}

// logGate is γ·log G of tool t in a state.
func (m *Model) logGate(t int, r *registers) float64 {
	g := m.gates[t]
	return m.params.Gates.Weight * math.Log(g[g.leaf(r)].value)
}

// softmax turns log weights into probabilities in place, at exponent e.
func softmax(logs []float64, e float64) {
	top := math.Inf(-1)
	for _, w := range logs {
		top = max(top, w)
	}
	total := 0.0
	for t, w := range logs {
		logs[t] = math.Exp(e * (w - top))
		total += logs[t]
	}
	for t := range logs {
		logs[t] /= total
	}
}

// Next is the distribution of the next tool at temperature T, after the tools of
// prefix and with left more calls to come after it.
func (m *Model) Next(prefix []int, left int, temperature float64) []float64 {
	w := newWalk(m)
	for _, t := range prefix {
		w.push(t)
	}
	p := make([]float64, m.vocab.Len())
	w.next(p, left, m.params.exponent(temperature))
	return p
}

// modelJSON is the file form of a model.
type modelJSON struct {
	Vocab  Vocab       `json:"vocab"`
	Params Params      `json:"params"`
	K      int         `json:"k"`
	Pos    []tableRow  `json:"positive"`
	Neg    []tableRow  `json:"negative"`
	Gates  []*gateJSON `json:"gates,omitempty"`
}

// MarshalJSON writes vocabulary, hyperparameters, k, both tables and the gates. Equal
// models give equal bytes.
func (m *Model) MarshalJSON() ([]byte, error) {
	j := modelJSON{Vocab: m.vocab, Params: m.params, K: m.k, Pos: m.pos.rows(), Neg: m.neg.rows()}
	for _, g := range m.gates {
		j.Gates = append(j.Gates, g.file(0))
	}
	return json.Marshal(j)
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
	if err := fresh.readGates(j.Gates); err != nil {
		return fmt.Errorf("read model: %w", err)
	}
	*m = *fresh
	return nil
}

func (m *Model) readGates(files []*gateJSON) error {
	if len(files) != len(m.gates) {
		return fmt.Errorf("%d gates, want %d", len(files), len(m.gates))
	}
	for t, f := range files {
		g, err := readGate(f, layout(m.vocab.Len()), t, m.params.Gates)
		if err != nil {
			return err
		}
		m.gates[t] = g
	}
	return nil
}
