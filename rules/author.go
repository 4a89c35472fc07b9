package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/phrase"
	"taste/role"
	"taste/tau"
)

// draftTries is how many customers and groundings an author tries before it
// gives a sequence up.
const draftTries = 25

// wantedTries is how many of them insist on the fault that was drawn first: else
// those that are easily grounded would crowd out the others.
const wantedTries = 15

// Author makes tasks by search: it reads a sequence as a customer's wishes,
// looks for a customer and records in the database that fit them (adopting
// other customers' records where the customer's own do not), and fills every
// slot so that the policy allows each write and every question has an answer.
// It implements role.Author and is safe for concurrent use but for Tell.
type Author struct {
	domain   *env.Domain
	contract *contract.Contract
	book     *phrase.Book
	told     phrase.Variety // wordings used so far, by Tell
	base     sync.Map       // answers to reads in the initial state, by call
	promise  sync.Map       // whether a record may suit a wish, by wish and record, or a home a condition

	dwellings func() []home // all homes that the contract allows
}

// NewAuthor makes an author for a domain.
func NewAuthor(d *env.Domain, c *contract.Contract, b *phrase.Book) *Author {
	a := &Author{domain: d, contract: c, book: b}
	a.dwellings = sync.OnceValue(a.settlements)
	return a
}

// Draft implements role.Author. Reasons of the last failed try are wrapped.
func (a *Author) Draft(ctx context.Context, id string, seq []string, seed uint64) (*role.Draft, error) {
	draw := rand.New(rand.NewPCG(seed, 1))
	r := &readings{c: a.contract, seq: seq, draw: draw, wanted: wantedFault(a.contract, seq, draw), drawn: map[string]bool{}}
	var last error
	for try := range draftTries {
		if try == wantedTries {
			r.wanted = nil
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("draft %s: %w", id, err)
		}
		d, err := a.attempt(r)
		if err != nil {
			return nil, err
		}
		if last = d.try(); last != nil {
			continue
		}
		out, err := d.draft(id)
		if err != nil {
			last = err
			continue
		}
		out.Meta.Seed, out.Meta.Tries = seed, try
		return out, nil
	}
	return nil, fmt.Errorf("draft %s: %w: after %d tries: %w", id, role.ErrUnbuildable, draftTries, last)
}

// grounding is one attempt at a task.
type grounding interface {
	try() error
	draft(id string) (*role.Draft, error)
}

// attempt reads a sequence as what a customer brings up: wishes and questions or,
// where the customer has troubles, wishes and faults.
func (a *Author) attempt(r *readings) (grounding, error) {
	if len(a.contract.Troubles) > 0 {
		return a.breakings(r)
	}
	p, err := newPlan(a.contract, r.seq, r.draw)
	if err != nil {
		return nil, err
	}
	e := a.domain.Environment()
	return &drafting{a: a, plan: p, draw: r.draw, adds: &additions{}, env: e, sample: &sampler{env: e, draw: r.draw}}, nil
}

// try grounds the plan once.
func (d *drafting) try() error {
	d.done, d.seen = map[*item]*filled{}, map[string]bool{}
	d.gold = make([]read, len(d.plan.seq))
	steps := []func() error{d.chooseCustomer, d.introduce, d.ground, d.openRecords, d.doWrites, d.answerAsks}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// draft makes the task of a grounded plan; the scenario is still to be told.
func (d *drafting) draft(id string) (*role.Draft, error) {
	out := &role.Draft{Meta: role.Meta{Sequence: d.plan.seq, Adds: d.adds.list()}}
	crit := &tau.EvaluationCriteria{CommunicateInfo: []string{}, RewardBasis: tau.DefaultBasis()}
	for i, g := range d.gold {
		if g.tool != d.plan.seq[i] {
			return nil, fmt.Errorf("draft %s: call %d (%s) is not settled", id, i, d.plan.seq[i])
		}
		crit.Actions = append(crit.Actions, tau.Action{
			ActionID: fmt.Sprintf("%s_%d", id, i), Requestor: chat.Assistant, Name: g.tool, Arguments: g.args,
		})
	}
	brief := phrase.Brief{Facts: d.facts}
	rules := map[string]bool{}
	for _, it := range d.plan.items {
		f := d.done[it]
		brief.Items = append(brief.Items, f.said())
		out.Meta.Wishes = append(out.Meta.Wishes, f.wish.Name)
		if f.tells != "" {
			if err := d.unnamed(f.tells); err != nil {
				return nil, fmt.Errorf("draft %s: %w", id, err)
			}
			crit.CommunicateInfo = append(crit.CommunicateInfo, f.tells)
		}
		for _, r := range f.rules {
			rules[r] = true
		}
	}
	brief.Hidden = crit.CommunicateInfo
	out.Meta.Rules = sortedKeys(rules)
	state, err := d.adds.initial()
	if err != nil {
		return nil, err
	}
	out.Task = tau.Task{ID: id, InitialState: state, EvaluationCriteria: crit}
	if out.Brief, err = json.Marshal(brief); err != nil {
		return nil, fmt.Errorf("keep brief: %w", err)
	}
	return out, d.sayable(out)
}
