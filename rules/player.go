package rules

import (
	"context"

	"taste/contract"
	"taste/env"
	"taste/eval"
	"taste/phrase"
	"taste/role"
	"taste/tau"
)

// Player holds conversations of the reference agents with rules users.
type Player struct {
	Domain   *env.Domain
	Contract *contract.Contract
	Book     *phrase.Book
}

// Play holds one. agent is one of [AgentNames].
func (p *Player) Play(ctx context.Context, agent string, t *tau.Task, seed uint64) (role.Attempt, error) {
	a, err := AgentByName(agent, p.Contract, p.Book, t)
	if err != nil {
		return role.Attempt{}, err
	}
	target, err := eval.NewTarget(p.Domain, t)
	if err != nil {
		return role.Attempt{}, err
	}
	out, err := Play{Target: target, Agent: a, User: Customer(p.Book), Seed: seed}.Run(ctx)
	if err != nil {
		return role.Attempt{}, err
	}
	return role.Attempt{Reward: out.Reward, Why: out.Why, Turns: len(out.Messages)}, nil
}

// Strip takes a technique out of an evolved task, see Without.
func (p *Player) Strip(t *tau.Task, carried []role.Technique, technique string) (*tau.Task, error) {
	return Without(p.Domain, p.Contract, t, carried, technique)
}
