package remote

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"taste/chat"
	"taste/pyjson"
	"taste/sim"
	"taste/tau"
)

// Requests of a conversation.
const (
	start = "start"
	next  = "next"
	end   = "end"
)

// Protocol names the version of the protocol in the first request.
const Protocol = "taste/1"

// Agent begins a conversation about a task as its agent.
func (c *Client) Agent(ctx context.Context, task string, s sim.AgentStart) (sim.Agent, error) {
	body := c.opening(chat.Assistant, s.Conversation, task, s.Seed, s.Tools)
	body.Set("policy", s.Policy)
	if s.Ticket != "" {
		body.Set("ticket", s.Ticket)
	}
	if s.Gold != nil {
		body.Set("gold", list(s.Gold, func(a *tau.Action) any { return a.JSON() }))
	}
	return c.begin(ctx, chat.Assistant, body)
}

// User begins a conversation about a task as its user.
func (c *Client) User(ctx context.Context, task string, s sim.UserStart) (sim.User, error) {
	body := c.opening(chat.User, s.Conversation, task, s.Seed, s.Tools)
	body.Set("scenario", s.Scenario.JSON())
	body.Set("guidelines", s.Guidelines)
	return c.begin(ctx, chat.User, body)
}

// opening is what the first request of both sides says.
func (c *Client) opening(side, conversation, task string, seed uint64, tools []chat.ToolSpec) *pyjson.Object {
	args := c.Args
	if args == nil {
		args = pyjson.NewObject()
	}
	return pyjson.NewObject(
		"protocol", Protocol, "side", side, "conversation", c.Session+side+"-"+conversation, "task_id", task,
		"seed", pyjson.ParseInt(strconv.FormatUint(seed, 10)), "args", args, "tools", list(tools, schema),
	)
}

func schema(t *chat.ToolSpec) any {
	v, err := pyjson.Decode(t.Schema)
	if err != nil { // a domain has been loaded with it
		return nil
	}
	return v
}

func list[T any](all []T, toJSON func(*T) any) []any {
	out := make([]any, len(all))
	for i := range all {
		out[i] = toJSON(&all[i])
	}
	return out
}

// party is a remote agent or user in one conversation.
type party struct {
	client *Client
	side   string
	id     any  // of the conversation
	whole  bool // the program wants all messages each time
	turn   int
	told   int   // messages of the history that were told, or are its own
	failed error // its own failure to begin, which is for the conversation to tell
}

func (c *Client) begin(ctx context.Context, side string, body *pyjson.Object) (*party, error) {
	p := &party{client: c, side: side}
	p.id, _ = body.Get("conversation")
	answer, err := c.post(ctx, start, body)
	if err != nil {
		p.failed = fmt.Errorf("begin as %s: %w", side, err)
		if errors.Is(err, sim.ErrGaveUp) {
			return p, nil
		}
		return nil, p.failed
	}
	switch mode, _ := answer.Get("messages"); mode {
	case "whole":
		p.whole = true
	case nil, "new":
	default:
		return nil, fmt.Errorf("%w: begin as %s: the program wants %s messages; there are \"new\" and \"whole\"", sim.ErrHopeless, side, pyjson.Dumps(mode))
	}
	return p, nil
}

// Next implements sim.Agent and sim.User.
func (p *party) Next(ctx context.Context, history []chat.Message) (chat.Message, error) {
	if p.failed != nil {
		return chat.Message{}, p.failed
	}
	body := pyjson.NewObject("conversation", p.id, "turn", int64(p.turn), "messages", p.news(history))
	answer, err := p.client.post(ctx, next, body)
	if err != nil {
		return chat.Message{}, fmt.Errorf("turn %d: %w", p.turn, err)
	}
	m, err := p.read(answer)
	if err != nil {
		return chat.Message{}, fmt.Errorf("%w: turn %d: %w", sim.ErrGaveUp, p.turn, err)
	}
	p.turn++
	p.told = len(history)
	return m, nil
}

// news lists the messages that a request tells: all, or those since the last,
// without the program's own answer.
func (p *party) news(history []chat.Message) []any {
	from := 0
	if !p.whole {
		from = p.told
		if p.turn > 0 && from < len(history) && history[from].Role == p.side {
			from++
		}
	}
	return list(history[from:], func(m *chat.Message) any { return m.JSON() })
}

// End implements sim.Ender. It asks once and does not mind the answer.
func (p *party) End(ctx context.Context, reason sim.Reason, history []chat.Message) {
	body := pyjson.NewObject("conversation", p.id, "reason", string(reason), "messages", p.news(history))
	_, _, _ = p.client.try(ctx, end, pyjson.Append(nil, body, pyjson.UTF8), farewell) //nolint:dogsled // see above
}
