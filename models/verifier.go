package models

import (
	"context"
	"fmt"
	"math/rand/v2"

	"taste/chat"
	"taste/eval"
	"taste/llm"
	"taste/role"
	"taste/rules"
	"taste/sim"
	"taste/tau"
)

// Verifier plays a task as an agent that knows the gold calls, shuffled and each
// with some arguments hidden, against a simulated user. It implements
// role.Verifier.
type Verifier struct {
	base Base
	user sim.NewUser
}

// NewVerifier makes a verifier that talks to such users.
func NewVerifier(b Base, user sim.NewUser) (*Verifier, error) {
	_, err := b.prompt("verifier")
	return &Verifier{base: b, user: user}, err
}

// verifierData is what the verifier's prompt is filled with.
type verifierData struct {
	Policy string
	Hints  []callDoc
}

// Verify implements role.Verifier. After a success there is no further attempt: one
// suffices, and each costs two models' talk. A conversation that a provider does not
// take, or answers unreadably, is an attempt that failed.
func (v *Verifier) Verify(ctx context.Context, t *tau.Task, seed uint64) ([]role.Attempt, error) {
	target, err := eval.NewTarget(v.base.Domain, t)
	if err != nil {
		return nil, fmt.Errorf("verify task %s: %w", t.ID, err)
	}
	var out []role.Attempt
	for n := range uint64(rules.Attempts) {
		draw := rand.New(rand.NewPCG(seed, attemptStream+n))
		p := rules.Play{
			Target: target, User: v.user, Seed: draw.Uint64(), Name: fmt.Sprintf("%s, attempt %d", t.ID, n+1), Agent: v.agent(hintsOf(t, draw)),
		}
		o, err := p.Run(ctx)
		if why, _, ok := llm.NoAnswer(err); ok {
			out = append(out, role.Attempt{Why: why, Turns: len(o.Messages), Broken: true})
			continue
		}
		if err != nil {
			return out, fmt.Errorf("verify: %w", err)
		}
		out = append(out, role.Attempt{Reward: o.Reward, Why: o.Why, Turns: len(o.Messages), Broken: o.Err != nil})
		if o.Reward >= success {
			break
		}
	}
	return out, nil
}

// success is the reward from which an attempt counts as one.
const success = 1 - 1e-6

// attemptStream keeps the draws of attempts apart from others of the same seed.
const attemptStream = 0x7665726966

// agent makes the agent of one attempt.
func (v *Verifier) agent(hints []callDoc) sim.NewAgent {
	return func(_ context.Context, s sim.AgentStart) (sim.Agent, error) {
		return v.base.begin("verifier", chat.Assistant, verifierData{s.Policy, hints}, s.Tools, s.Seed, s.Conversation)
	}
}
