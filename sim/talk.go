package sim

import (
	"context"
	"errors"
	"fmt"

	"taste/chat"
)

// side is a party with what it has seen.
type side struct {
	name string // chat.Assistant or chat.User
	next func(context.Context, []chat.Message) (chat.Message, error)
	seen []chat.Message
}

// talk is a conversation under way.
type talk struct {
	setup    Setup
	limits   Limits
	agent    side
	user     side
	messages []chat.Message

	turn    *side // who moves
	pending *side // whose calls wait for the environment; nil: nobody's
	steps   int
	errors  int
	row     int // failed calls in a row
	ended   Reason
	why     error
}

func newTalk(s Setup) *talk {
	return &talk{
		setup:  s,
		limits: s.Limits.withDefaults(),
		agent:  side{name: chat.Assistant, next: s.Agent.Next},
		user:   side{name: chat.User, next: s.User.Next},
	}
}

// open takes over the history, or greets.
func (t *talk) open(history []chat.Message) error {
	if len(history) == 0 {
		greeting := chat.Text(chat.Assistant, Greeting)
		t.add(greeting)
		t.turn = &t.user
		return nil
	}
	for _, m := range history {
		t.add(m)
	}
	last := &t.messages[len(t.messages)-1]
	switch last.Role {
	case chat.Tool:
		t.turn = t.side(last.Requestor)
	case chat.Assistant, chat.User:
		t.pass(t.side(last.Role), last)
	default:
		return errHistory
	}
	return nil
}

func (t *talk) side(name string) *side {
	if name == chat.User {
		return &t.user
	}
	return &t.agent
}

func (t *talk) other(s *side) *side {
	if s == &t.user {
		return &t.agent
	}
	return &t.user
}

// add records a message and shows it to whom it concerns.
func (t *talk) add(m chat.Message) {
	if t.setup.Clock != nil && m.Timestamp == nil {
		now := t.setup.Clock()
		m.Timestamp = &now
	}
	t.messages = append(t.messages, m)
	switch {
	case m.Role == chat.Tool:
		s := t.side(m.Requestor)
		s.seen = append(s.seen, m)
	case m.ToolCalls != nil:
		s := t.side(m.Role)
		s.seen = append(s.seen, m)
	default:
		t.agent.seen = append(t.agent.seen, m)
		t.user.seen = append(t.user.seen, m)
	}
}

// pass decides what happens after a message of s.
func (t *talk) pass(s *side, m *chat.Message) {
	switch {
	case s == &t.user && userStops(m):
		t.ended = UserStop
	case s == &t.agent && agentStops(m):
		t.ended = AgentStop
	}
	if m.ToolCalls != nil {
		t.turn, t.pending = s, s
	} else {
		t.turn, t.pending = t.other(s), nil
	}
}

// step makes one move and looks at the limits, which count only while nobody
// waits for the environment.
func (t *talk) step(ctx context.Context) error {
	if t.pending != nil {
		t.execute()
	} else if err := t.move(ctx, t.turn); err != nil || t.why != nil {
		return err
	}
	t.steps++
	if t.pending != nil {
		return nil
	}
	if t.steps >= t.limits.Steps {
		t.ended = MaxSteps
	}
	if t.errors >= t.limits.Errors || t.limits.ErrorsInRow > 0 && t.row >= t.limits.ErrorsInRow {
		t.ended = TooManyErrors
	}
	return nil
}

// errEmpty is the failure of a party that keeps saying nothing.
var errEmpty = fmt.Errorf("%w: message without text and calls", ErrGaveUp)

// move asks a party for its message, again where it says nothing.
func (t *talk) move(ctx context.Context, s *side) error {
	for range t.limits.Empty + 1 {
		m, err := s.next(ctx, s.seen)
		if errors.Is(err, ErrGaveUp) {
			t.giveUp(s, err)
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if len(m.ToolCalls) == 0 {
			m.ToolCalls = nil
		}
		if m.ToolCalls == nil && !m.HasText() {
			continue
		}
		m.Role = s.name
		for i := range m.ToolCalls {
			m.ToolCalls[i].Requestor = s.name
		}
		t.add(m)
		t.pass(s, &m)
		return nil
	}
	t.giveUp(s, errEmpty)
	return nil
}

func (t *talk) giveUp(s *side, why error) {
	t.why, t.ended = why, AgentError
	if s == &t.user {
		t.ended = UserError
	}
}

// execute answers the calls of the last message in order; one that fails
// holds up no other.
func (t *talk) execute() {
	calls := t.messages[len(t.messages)-1].ToolCalls
	for i := range calls {
		r := t.setup.Env.Do(&calls[i])
		t.row++
		if !r.Error {
			t.row = 0
		} else {
			t.errors++
		}
		t.add(chat.Answer(&calls[i], r.Content, r.Error))
	}
	t.pending = nil
}
