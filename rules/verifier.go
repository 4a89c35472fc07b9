package rules

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"taste/contract"
	"taste/env"
	"taste/eval"
	"taste/phrase"
	"taste/role"
	"taste/sim"
	"taste/tau"
)

// Attempts is how often a verifier plays a task.
const Attempts = 2

// Verifier plays a task as an agent that is given the gold calls, shuffled and
// each with ⌈0.3·n⌉ of its n arguments hidden, against the rules user. What
// only the customer can know it must be told, and a hint has to agree with it;
// hints serve for planning and for what is neither said nor read. It acts on
// wishes that the customer brings up, on no others. A task with a ticket has to be
// solved from that alone first. It implements role.Verifier.
type Verifier struct {
	domain   *env.Domain
	contract *contract.Contract
	book     *phrase.Book
}

// NewVerifier makes a verifier for a domain.
func NewVerifier(d *env.Domain, c *contract.Contract, b *phrase.Book) *Verifier {
	return &Verifier{domain: d, contract: c, book: b}
}

// Verify implements role.Verifier. Both attempts are made, whatever the first
// one earns. The error wraps ErrUnreadable for a scenario with sentences that
// no act of the phrase book accounts for: such a task is not checked.
func (v *Verifier) Verify(ctx context.Context, t *tau.Task, seed uint64) ([]role.Attempt, error) {
	if _, unread := phrase.Read(v.book, scenarioText(t.UserScenario)); len(unread) > 0 {
		return nil, fmt.Errorf("verify task %s: %w: %q", t.ID, ErrUnreadable, unread[0])
	}
	const alone = "from the ticket alone: "
	if a, err := v.Ticket(ctx, t, seed); errors.Is(err, ErrUnreadable) {
		return []role.Attempt{{Why: alone + err.Error()}}, nil
	} else if err != nil || a != nil && a.Reward < 1 {
		a.Why = alone + a.Why
		return []role.Attempt{*a}, err
	}
	target, err := eval.NewTarget(v.domain, t)
	if err != nil {
		return nil, fmt.Errorf("verify task %s: %w", t.ID, err)
	}
	return v.attempts(ctx, Play{Target: target, User: Customer(v.book)}, seed)
}

// Ticket has the careful agent work on the task's ticket alone, with what stands in
// it and what tools show; nil where there is no ticket. The error wraps ErrUnreadable
// for one in other words than the book's.
func (v *Verifier) Ticket(ctx context.Context, t *tau.Task, seed uint64) (*role.Attempt, error) {
	if t.Ticket == nil {
		return nil, nil
	}
	target, err := eval.NewTarget(v.domain.Solo(), t)
	if err != nil {
		return &role.Attempt{}, fmt.Errorf("verify task %s: %w", t.ID, err)
	}
	o, err := Play{Target: target, Agent: Alone(Careful(v.contract, v.book), v.book), Seed: seed}.Run(ctx)
	return &role.Attempt{Reward: o.Reward, Why: o.Why, Turns: len(o.Messages)}, err
}

// attempts plays p as often as a verifier does.
func (v *Verifier) attempts(ctx context.Context, p Play, seed uint64) ([]role.Attempt, error) {
	texts := &decoded{}
	var out []role.Attempt
	for n := range uint64(Attempts) {
		p.Seed = attemptSeed(seed, n)
		p.Agent = hinted(v.contract, v.book, p.Target.Task, texts)
		o, err := p.Run(ctx)
		if err != nil {
			return out, err
		}
		out = append(out, role.Attempt{Reward: o.Reward, Why: o.Why, Turns: len(o.Messages)})
	}
	return out, nil
}

// attemptSeed gives every attempt a seed of its own.
func attemptSeed(seed, n uint64) uint64 {
	return rand.New(rand.NewPCG(seed, n)).Uint64()
}

// hinted makes the verifier's agents.
func hinted(c *contract.Contract, b *phrase.Book, t *tau.Task, texts *decoded) sim.NewAgent {
	return func(_ context.Context, s sim.AgentStart) (sim.Agent, error) {
		h := newHints(t, rand.New(rand.NewPCG(s.Seed, hintStream)))
		return newDesk(c, b, s.Seed, texts, h), nil
	}
}
