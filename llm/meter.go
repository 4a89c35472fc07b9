package llm

import (
	"context"
	"sync"
)

// Meter adds up what calls take, by role and model. It is safe for concurrent use.
type Meter struct {
	mu   sync.Mutex
	bill *Bill
}

// NewMeter makes a meter that stands at nothing.
func NewMeter(p *Prices) *Meter { return &Meter{bill: NewBill(p)} }

// Watch has m's answers counted. Failed calls are not.
func (t *Meter) Watch(m Model) Model {
	return &decorated{m, func(ctx context.Context, r *Request) (*Response, error) {
		res, err := m.Call(ctx, r)
		if err == nil {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.bill.Add(r.Label.Role, m.Name(), res.Usage)
		}
		return res, err
	}}
}

// Take returns what was counted since the last time.
func (t *Meter) Take() *Bill {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.bill
	t.bill = NewBill(b.prices)
	return b
}
