package llm

import (
	"context"
	"fmt"
	"sync"

	"taste/internal/hint"
)

// Caps bound what calls may take; 0 stands for no bound.
type Caps struct {
	Dollars Money
	Tokens  int64 // of input and output
	Calls   int64
}

// Budget holds all models that share it to caps. It is safe for concurrent use.
type Budget struct {
	caps   Caps
	prices *Prices

	mu      sync.Mutex
	spent   cost
	open    cost          // what calls in flight may take
	settled chan struct{} // closed when a call in flight has ended
}

// cost is what calls take in everything that is capped.
type cost struct {
	dollars Money
	tokens  int64
	calls   int64
}

func (c cost) plus(d cost) cost {
	return cost{c.dollars + d.dollars, c.tokens + d.tokens, c.calls + d.calls}
}

func (c cost) minus(d cost) cost {
	return cost{c.dollars - d.dollars, c.tokens - d.tokens, c.calls - d.calls}
}

// NewBudget makes a budget of which nothing is spent.
func NewBudget(caps Caps, prices *Prices) *Budget {
	return &Budget{caps: caps, prices: prices, settled: make(chan struct{})}
}

// Cap refuses calls of m that could exceed the budget, before they are sent,
// with an OverBudget error. It goes by Guess until it knows what a call took;
// while others in flight may turn out cheaper than guessed, a call waits for them.
// Failed calls count as nothing. A model without a price has no place under a cap in dollars.
func (b *Budget) Cap(m Model) (Model, error) {
	price, ok := b.prices.Of(m.Name())
	if b.caps.Dollars > 0 && !ok {
		return nil, hint.Add(fmt.Errorf("cap the cost of %s: its price is not known", m.Name()),
			"give its price in a file of prices (docs/llm.md), or cap tokens or calls instead of dollars")
	}
	return &decorated{m, func(ctx context.Context, r *Request) (*Response, error) {
		guess := costOf(price, Guess(r))
		if err := b.reserve(ctx, m.Name(), r, guess); err != nil {
			return nil, err
		}
		res, err := m.Call(ctx, r)
		var took cost
		if err == nil {
			took = costOf(price, res.Usage)
		}
		b.settle(guess, took)
		return res, err
	}}, nil
}

// Charge counts calls that an earlier process made of the same budget.
func (b *Budget) Charge(name string, u Usage) {
	price, _ := b.prices.Of(name)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = b.spent.plus(costOf(price, u))
}

func costOf(p Price, u Usage) cost { return cost{p.Cost(u), u.Input + u.Output, u.Calls} }

// reserve takes a call's guessed cost out of the budget, or refuses it.
func (b *Budget) reserve(ctx context.Context, name string, r *Request, guess cost) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.over(b.open.plus(guess)) != "" {
		if why := b.over(guess); why != "" {
			return hint.Add(&Error{Class: OverBudget, Model: name, Message: "the call" + r.Label.about() + " is not sent: " + why},
				"nothing is lost: give a larger budget, and it goes on from here")
		}
		if err := b.await(ctx); err != nil {
			return err
		}
	}
	b.open = b.open.plus(guess)
	return nil
}

// over says which cap is exceeded if more is spent, or "".
func (b *Budget) over(more cost) string {
	total := b.spent.plus(more)
	switch {
	case b.caps.Dollars > 0 && total.dollars > b.caps.Dollars:
		return fmt.Sprintf("of %s dollars %s are spent, and it may take %s", b.caps.Dollars, b.spent.dollars, more.dollars)
	case b.caps.Tokens > 0 && total.tokens > b.caps.Tokens:
		return fmt.Sprintf("of %d tokens %d are spent, and it may take %d", b.caps.Tokens, b.spent.tokens, more.tokens)
	case b.caps.Calls > 0 && total.calls > b.caps.Calls:
		return fmt.Sprintf("all of %d calls are spent", b.caps.Calls)
	}
	return ""
}

// await lets go of the lock until a call in flight has ended.
func (b *Budget) await(ctx context.Context) error {
	settled := b.settled
	b.mu.Unlock()
	defer b.mu.Lock()
	select {
	case <-settled:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *Budget) settle(guess, took cost) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = b.spent.plus(took)
	b.open = b.open.minus(guess)
	close(b.settled)
	b.settled = make(chan struct{})
}
