package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"taste/chat"
	"taste/llm"
	"taste/prompts"
	"taste/pyjson"
	"taste/rules"
	"taste/sim"
	"taste/tau"
)

// mover is an agent or a user.
type mover interface {
	Next(ctx context.Context, history []chat.Message) (chat.Message, error)
}

// playParty plays a side of a conversation from its beginning up to the turn that
// is asked for: whoever is made plays alike every time.
func playParty(ctx context.Context, r *llm.Request, side string, begin func() (mover, error)) (*llm.Response, error) {
	m, err := begin()
	if err != nil {
		return given(err)
	}
	history, err := historyOf(r, side)
	if err != nil {
		return nil, unplayable("%v", err)
	}
	for i := range history {
		if i > 0 && history[i].Role == side { // the greeting is nobody's
			if _, err := m.Next(ctx, history[:i:i]); err != nil {
				return given(err)
			}
		}
	}
	next, err := m.Next(ctx, history)
	if err != nil {
		return given(err)
	}
	out := words(next.Body())
	for i := range next.ToolCalls {
		c := &next.ToolCalls[i]
		out.Message.Calls = append(out.Message.Calls, llm.Call{Name: c.Name, Arguments: pyjson.Append(nil, c.Args(), pyjson.UTF8)})
	}
	return out, nil
}

// given is what is said in the place of a party that gives up.
func given(err error) (*llm.Response, error) {
	if errors.Is(err, sim.ErrGaveUp) || errors.Is(err, rules.ErrUnreadable) {
		return words(sim.OutOfScope), nil
	}
	return nil, unplayable("%v", err)
}

// historyOf reads the turns of a request as one side has seen them.
func historyOf(r *llm.Request, side string) ([]chat.Message, error) {
	other := chat.User
	if side == chat.User {
		other = chat.Assistant
	}
	var out []chat.Message
	for i := range r.Messages {
		m := &r.Messages[i]
		switch m.Role {
		case chat.Assistant:
			own, err := ownMessage(m, side)
			if err != nil {
				return nil, fmt.Errorf("message %d: %w", i, err)
			}
			out = append(out, own)
		case chat.Tool:
			out = append(out, chat.Answer(&chat.ToolCall{ID: m.CallID, Requestor: side}, m.Text, m.Failed))
		default:
			out = append(out, chat.Text(other, m.Text))
		}
	}
	return out, nil
}

func ownMessage(m *llm.Message, side string) (chat.Message, error) {
	out := chat.Message{Role: side}
	if m.Text != "" {
		out = chat.Text(side, m.Text)
	}
	for _, c := range m.Calls {
		args, err := pyjson.DecodeObject(c.Arguments)
		if err != nil {
			return out, err
		}
		out.ToolCalls = append(out.ToolCalls, chat.ToolCall{ID: c.ID, Name: c.Name, Arguments: pyjson.PlainMap(args), Requestor: side})
	}
	return out, nil
}

func playAgent(ctx context.Context, c *casting, r *llm.Request) (*llm.Response, error) {
	if ticket, ok := ticketOf(r); ok {
		return playAlone(ctx, c, r, ticket)
	}
	return playParty(ctx, r, chat.Assistant, func() (mover, error) {
		return rules.Careful(c.Contract, c.Book)(ctx, sim.AgentStart{Policy: c.Domain.Policy, Tools: c.Domain.Tools, Seed: seedOf(r.System)})
	})
}

// ticketOf is what an agent without a user works on; ok is false where there is a user.
func ticketOf(r *llm.Request) (ticket string, ok bool) {
	for _, text := range firstText(r) {
		_, rest, _ := strings.Cut(text, "<ticket>\n")
		ticket, _, ok = strings.Cut(rest, "\n</ticket>")
	}
	return ticket, ok
}

// doneTool is what an agent without a user calls in the end, as its prompt says.
const doneTool = "done"

// playAlone plays an agent who works on a ticket. Nobody reads its words: one by which it
// ends, or gives up, is a call.
func playAlone(ctx context.Context, c *casting, r *llm.Request, ticket string) (*llm.Response, error) {
	res, err := playParty(ctx, r, chat.Assistant, func() (mover, error) {
		agent := rules.Alone(rules.Careful(c.Contract, c.Book), c.Book)
		return agent(ctx, sim.AgentStart{Policy: c.Domain.Policy, Tools: c.Domain.Tools, Ticket: ticket, Seed: seedOf(r.System + ticket)})
	})
	if err == nil && len(res.Message.Calls) == 0 {
		res = &llm.Response{Message: llm.Message{Role: chat.Assistant, Calls: []llm.Call{{Name: doneTool, Arguments: json.RawMessage("{}")}}}}
	}
	return res, err
}

// playUser plays the customer of a scenario, which the prompt shows.
func playUser(ctx context.Context, c *casting, r *llm.Request) (*llm.Response, error) {
	var scenario *pyjson.Object
	if err := prompts.Input(r.System, &scenario); err != nil {
		return nil, unplayable("%v", err)
	}
	t, err := tau.ReadTask(pyjson.NewObject("id", "", "user_scenario", scenario))
	if err != nil {
		return nil, unplayable("%v", err)
	}
	tools, err := c.Domain.UserTools(nil)
	if err != nil {
		return nil, unplayable("%v", err)
	}
	return playParty(ctx, r, chat.User, func() (mover, error) {
		return rules.Customer(c.Book)(ctx, sim.UserStart{Scenario: t.UserScenario, Tools: tools, Seed: seedOf(r.System)})
	})
}

// actionsOf reads calls that a prompt shows.
func actionsOf(docs []callDoc) ([]tau.Action, error) {
	var out []tau.Action
	for i, d := range docs {
		owner := chat.Assistant
		if d.By == byCustomer {
			owner = chat.User
		}
		args := d.Arguments
		if args == nil {
			args = pyjson.NewObject()
		}
		a, err := tau.ReadAction(pyjson.NewObject("action_id", fmt.Sprint(i), "requestor", owner, "name", d.Name, "arguments", args), "")
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// taskOf makes a task of its description in a prompt.
func taskOf(id string, d *TaskDoc) (*tau.Task, error) {
	var calls []callDoc
	for _, g := range d.Gold {
		calls = append(calls, g.callDoc)
	}
	actions, err := actionsOf(calls)
	if err != nil {
		return nil, err
	}
	o := pyjson.NewObject("id", id, "user_scenario", d.Scenario)
	if d.Initial != nil {
		o.Set("initial_state", d.Initial)
	}
	t, err := tau.ReadTask(o)
	if err != nil {
		return nil, err
	}
	basis := tau.DefaultBasis()
	if len(d.Conditions) > 0 {
		basis = []tau.RewardType{tau.EnvAssertionReward}
	}
	t.EvaluationCriteria = &tau.EvaluationCriteria{Actions: actions, CommunicateInfo: append([]string{}, d.Communicate...), RewardBasis: basis}
	return &t, nil
}
