package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"taste/chat"
)

// side is a party with what it has seen.
type side struct {
	name string // chat.Assistant or chat.User
	next func(context.Context, []chat.Message) (chat.Message, error)
	end  func(context.Context, Reason, []chat.Message)
	seen []chat.Message
}

// talk is a conversation under way.
type talk struct {
	setup    Setup
	limits   Limits
	solo     bool
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
	t := &talk{setup: s, limits: s.Limits.withDefaults(), solo: s.User == nil}
	t.agent = side{name: chat.Assistant, next: s.Agent.Next}
	if e, ok := s.Agent.(Ender); ok {
		t.agent.end = e.End
	}
	if t.solo {
		return t
	}
	t.user = side{name: chat.User, next: s.User.Next}
	if e, ok := s.User.(Ender); ok {
		t.user.end = e.End
	}
	return t
}

// hold goes through the conversation. Time ends it only while no calls are open.
func (t *talk) hold(ctx context.Context) error {
	err := t.open(ctx, t.setup.History)
	for err == nil && t.ended == "" {
		if t.pending == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = t.step(ctx)
		}
	}
	return err
}

// part tells the parties that the conversation is over.
func (t *talk) part(ctx context.Context) {
	for _, s := range []*side{&t.agent, &t.user} {
		if s.end != nil {
			s.end(ctx, t.ended, s.seen)
		}
	}
}

// open takes over the history, or lets the agent begin.
func (t *talk) open(ctx context.Context, history []chat.Message) error {
	if len(history) > 0 {
		return t.resume(history)
	}
	if t.solo { // the first move counts as no step
		_, err := t.move(ctx, &t.agent)
		return err
	}
	t.add(chat.Text(chat.Assistant, Greeting))
	t.turn = &t.user
	return nil
}

// resume goes on from a history.
func (t *talk) resume(history []chat.Message) error {
	if err := checkHistory(history); err != nil {
		return err
	}
	for _, m := range history {
		if len(m.ToolCalls) == 0 {
			m.ToolCalls = nil
		}
		m.Timestamp = nil
		t.add(m)
	}
	last := &t.messages[len(t.messages)-1]
	if last.Role == chat.Tool {
		t.turn = t.side(last.Requestor)
	} else {
		t.pass(t.side(last.Role), last)
	}
	if t.turn == &t.user && t.solo {
		return fmt.Errorf("%w: it is a user's turn, and there is none", errHistory)
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
		t.see(t.side(m.Requestor), m)
	case m.ToolCalls != nil:
		s := t.side(m.Role)
		t.see(s, m)
		if m.HasText() && !t.setup.Compat {
			m.ToolCalls = nil
			t.see(t.other(s), m)
		}
	default:
		t.see(&t.agent, m)
		t.see(&t.user, m)
	}
}

func (t *talk) see(s *side, m chat.Message) { s.seen = append(s.seen, m) }

// pass decides what happens after a message of s.
func (t *talk) pass(s *side, m *chat.Message) {
	if m.ToolCalls != nil {
		t.turn, t.pending = s, s
	} else {
		t.turn, t.pending = t.other(s), nil
	}
	switch {
	case s == &t.user && userStops(m):
		t.ended = UserStop
	case s == &t.agent && agentStops(m):
		t.ended = AgentStop
	case t.solo && m.ToolCalls == nil:
		t.fail(s, errAlone)
	}
	if t.setup.Enforce && m.ToolCalls != nil && m.HasText() {
		t.fail(s, errBoth)
	}
}

// What parties do wrong, beside saying nothing.
var (
	errBoth  = fmt.Errorf("%w: message with both text and calls", ErrGaveUp)
	errAlone = fmt.Errorf("%w: text to a user, where there is none", ErrGaveUp)
)

// fail ends the conversation by what a party did wrong.
func (t *talk) fail(s *side, why error) {
	t.why = why
	switch {
	case errors.Is(why, ErrTooLong):
		t.ended = TooLong
	case s == &t.user:
		t.ended = UserError
	default:
		t.ended = AgentError
	}
}

// step makes one move and looks at the limits, which count only while nobody
// waits for the environment.
func (t *talk) step(ctx context.Context) error {
	if t.pending != nil {
		t.execute()
	} else if spoke, err := t.move(ctx, t.turn); err != nil || !spoke {
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

// move asks a party for its message, again where it says nothing, and reports
// whether one came.
func (t *talk) move(ctx context.Context, s *side) (spoke bool, err error) {
	for range t.limits.Empty + 1 {
		m, err := s.next(ctx, s.seen)
		if errors.Is(err, ErrGaveUp) {
			t.fail(s, err)
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", s.name, err)
		}
		opening := t.solo && len(t.messages) == 0 // the reference looks at the first message later
		if len(m.ToolCalls) > 0 || m.HasText() || opening && t.setup.Compat {
			t.speak(s, m)
			return true, nil
		}
		if t.setup.Compat {
			return false, fmt.Errorf("%s: %w", s.name, ErrEmpty)
		}
	}
	t.fail(s, fmt.Errorf("%w: %w", ErrGaveUp, ErrEmpty))
	return false, nil
}

// speak takes a party's message; an empty list of calls is none.
func (t *talk) speak(s *side, m chat.Message) {
	m.Role = s.name
	if len(m.ToolCalls) == 0 {
		m.ToolCalls = nil
	}
	m.ToolCalls = slices.Clone(m.ToolCalls) // the party may hand them out again
	for i := range m.ToolCalls {
		m.ToolCalls[i].Requestor = s.name
	}
	t.add(m)
	t.pass(s, &m)
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
