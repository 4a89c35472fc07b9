package rules

import (
	"context"
	"fmt"

	"taste/chat"
	"taste/phrase"
	"taste/sim"
)

// Alone makes agents that work on a ticket without a user, with the tools of both
// sides: the given agent talks to a customer who knows the ticket and nothing else,
// and both of them make their calls as one. What they say reaches nobody.
//
// The error of making one wraps ErrUnreadable for a ticket with a sentence that is
// not of the book.
func Alone(agent sim.NewAgent, b *phrase.Book) sim.NewAgent {
	return func(ctx context.Context, s sim.AgentStart) (sim.Agent, error) {
		brief, unread := phrase.ReadTicket(b, s.Ticket)
		if len(unread) > 0 {
			return nil, fmt.Errorf("work on a ticket: %w: %q", ErrUnreadable, unread[0])
		}
		inner, err := agent(ctx, s)
		if err != nil {
			return nil, err
		}
		u, err := told(b, brief)(ctx, sim.UserStart{Tools: toolsOf(chat.User, s.Tools), Seed: s.Seed, Conversation: s.Conversation})
		if err != nil {
			return nil, err
		}
		greeting := chat.Text(chat.Assistant, sim.Greeting)
		return &alone{agent: &inward{inner.Next, []chat.Message{greeting}}, user: &inward{u.Next, []chat.Message{greeting}}, turn: chat.User}, nil
	}
}

// alone is an agent and a customer in one.
type alone struct {
	agent, user *inward
	turn        string // whose move is next
	read        int    // messages of the history that were looked at
}

// inward is one of the two, with what it has seen.
type inward struct {
	next func(context.Context, []chat.Message) (chat.Message, error)
	seen []chat.Message
}

// aloneMoves is how many messages the two exchange between two calls before they
// have nothing to do any more.
const aloneMoves = 100

// Next implements sim.Agent: the two talk until one of them makes a call, or ends it.
func (a *alone) Next(ctx context.Context, history []chat.Message) (chat.Message, error) {
	for _, m := range history[a.read:] {
		if m.Role == chat.Tool {
			m.Requestor = a.turn
			mover := a.mover()
			mover.seen = append(mover.seen, m)
		}
	}
	a.read = len(history)
	for range aloneMoves {
		mover := a.mover()
		m, err := mover.next(ctx, mover.seen)
		if err != nil {
			return m, err
		}
		mover.seen = append(mover.seen, m)
		switch {
		case m.ToolCalls != nil:
			return byAgent(m), nil
		case sim.Ends(&m):
			return chat.Text(chat.Assistant, sim.Stop), nil
		}
		a.turn = map[string]string{chat.User: chat.Assistant, chat.Assistant: chat.User}[a.turn]
		other := a.mover()
		other.seen = append(other.seen, m)
	}
	return chat.Message{}, fmt.Errorf("%w: nothing comes of the ticket", sim.ErrGaveUp)
}

func (a *alone) mover() *inward {
	if a.turn == chat.User {
		return a.user
	}
	return a.agent
}

// byAgent makes calls of either side the agent's.
func byAgent(m chat.Message) chat.Message {
	out := chat.Message{Role: chat.Assistant}
	for i, c := range m.ToolCalls {
		c.Requestor = chat.Assistant
		if c.ID == "" {
			c.ID = fmt.Sprintf("alone_%d", i)
		}
		out.ToolCalls = append(out.ToolCalls, c)
	}
	return out
}
