package players

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"taste/chat"
	"taste/env"
	"taste/results"
	"taste/sim"
	"taste/tau"
)

// soloPrefix stands before an agent that works on a ticket, without a user.
const soloPrefix = "solo/"

// Names of a solo run's parties, by which τ²-bench tells that it is one.
const (
	soloAgent = "llm_agent_solo"
	soloUser  = "dummy_user"
)

// soloPolicy names the policy for agents without a user; behind the name of
// another policy and soloOf, that policy's form for them.
const soloPolicy, soloOf = "solo", "_solo"

// Alone tells whether a policy of that name is for agents without a user.
func Alone(policy string) bool { return policy == soloPolicy || strings.HasSuffix(policy, soloOf) }

// Solo returns the domain of a run without users: the agent has the tools of
// both sides, and its policy's form for that where the domain has one.
func Solo(d *env.Domain) *env.Domain {
	name := soloPolicy
	if d.Variant != "" {
		name = d.Variant + soloOf
	}
	alone, err := d.WithPolicy(name)
	if err != nil {
		alone = d
	}
	return alone.Solo()
}

// soloAgents makes agents that have the tools of both sides and a ticket, and
// call done when they are.
func soloAgents(inner *agents, d *env.Domain) *agents {
	out := *inner
	name := inner.info.Name()
	if inner.info.Implementation == goldAgent {
		name = goldPrefix + name
	}
	out.info.Party = results.Party{Implementation: soloAgent, LLM: &name, LLMArgs: inner.info.LLMArgs}
	out.info.Fingerprint = fingerprint(soloPrefix, inner.info.Fingerprint)
	out.info.Solo = true
	out.fits = both(hasTicket, inner.fits)
	out.make = func(t *tau.Task) sim.NewAgent {
		made := inner.make(t)
		return func(ctx context.Context, s sim.AgentStart) (sim.Agent, error) {
			s.Tools = append(slices.Clone(d.Tools), Done)
			if t.Ticket != nil {
				s.Ticket = *t.Ticket
			}
			a, err := made(ctx, s)
			if err != nil {
				return nil, err
			}
			return solo{a}, nil
		}
	}
	return &out
}

// Done is the tool by which an agent without a user says that it is done.
var Done = chat.ToolSpec{
	Name: "done", Requestor: chat.Assistant, Type: chat.Generic,
	Schema: json.RawMessage(`{"type": "function", "function": {"name": "done", "description": "Says that the work on the ticket is over.", ` +
		`"parameters": {"properties": {}, "title": "parameters", "type": "object"}}}`),
}

// Reasons why an agent without a user does not fit a task.
var (
	errNoTicket = errors.New("it has no ticket")
	errTalk     = errors.New("its history has words of agent or user")
)

func hasTicket(t *tau.Task) error {
	if t.Ticket == nil {
		return errNoTicket
	}
	if t.InitialState == nil {
		return hasGold(t)
	}
	for _, m := range t.InitialState.MessageHistory {
		if m.Role == chat.User || m.Role == chat.Assistant && m.ToolCalls == nil {
			return errTalk
		}
	}
	return nil
}

// solo is an agent without a user. Its call of done is a message by which it
// ends the conversation, whatever else stands in it.
type solo struct{ sim.Agent }

// Next implements sim.Agent.
func (a solo) Next(ctx context.Context, history []chat.Message) (chat.Message, error) {
	m, err := a.Agent.Next(ctx, history)
	if slices.ContainsFunc(m.ToolCalls, func(c chat.ToolCall) bool { return c.Name == Done.Name }) {
		stop := sim.Stop
		m.Content, m.ToolCalls = &stop, nil
	}
	return m, err
}

// End implements sim.Ender.
func (a solo) End(ctx context.Context, reason sim.Reason, history []chat.Message) {
	if e, ok := a.Agent.(sim.Ender); ok {
		e.End(ctx, reason, history)
	}
}

// both holds a task to two conditions; the second may be nil.
func both(one, other func(*tau.Task) error) func(*tau.Task) error {
	if other == nil {
		return one
	}
	return func(t *tau.Task) error {
		if err := one(t); err != nil {
			return err
		}
		return other(t)
	}
}

// errDummy says that somebody asked the user of a solo run.
var errDummy = errors.New("a run without users has none")

// noUsers stands for the users of a solo run.
func noUsers() *users {
	info := named(soloUser)
	info.Solo = true
	return &users{info: info, make: func(*tau.Task) sim.NewUser {
		return func(context.Context, sim.UserStart) (sim.User, error) { return nil, errDummy }
	}}
}
