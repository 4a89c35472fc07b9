package env

import (
	"errors"
	"fmt"

	"taste/chat"
	"taste/pyjson"
	"taste/tau"
)

// SetState brings a fresh environment into a task's initial state and makes it
// the one that Reset returns to: initialization data merged into the
// databases, initialization actions run, and the state-changing calls of the
// message history made again, whose answers must equal the recorded ones. A
// nil s is the domain's initial state. On an error the environment is left as
// it was.
func (e *Environment) SetState(s *tau.InitialState) error {
	if s == nil {
		e.start = e.domain.initial
		e.Reset()
		return nil
	}
	next := &Environment{domain: e.domain, state: e.domain.initial.Fork()}
	if err := next.merge(s.InitializationData); err != nil {
		return err
	}
	for i := range s.InitializationActions {
		c := &s.InitializationActions[i]
		if _, err := next.EnvCall(c); err != nil {
			return fmt.Errorf("run initialization action %d (%s): %w", i, c.FuncName, err)
		}
	}
	if err := next.Replay(s.MessageHistory, true); err != nil {
		return fmt.Errorf("replay message history: %w", err)
	}
	e.start = next.state
	e.Reset()
	return nil
}

func (e *Environment) merge(d *tau.InitializationData) error {
	if d == nil {
		return nil
	}
	for _, part := range []struct {
		side string
		data *pyjson.Object
	}{{chat.Assistant, d.AgentData}, {chat.User, d.UserData}} {
		if part.data == nil {
			continue
		}
		s, err := e.state.Merge(part.side, part.data)
		if err != nil {
			return fmt.Errorf("merge initialization data: %w", err)
		}
		e.state = s
	}
	return nil
}

// ErrReplay says that recorded tool messages do not fit their calls, or that a
// call answers otherwise than recorded.
var ErrReplay = errors.New("recorded messages do not replay")

// Replay makes the state-changing tool calls of a conversation again. Unknown
// tools and tools that change nothing are skipped. With strict, an answer
// unlike the recorded one is an error; texts that are JSON are compared as
// values. Errors wrap ErrReplay.
func (e *Environment) Replay(messages []chat.Message, strict bool) error {
	pairs, err := pair(messages)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		spec := e.domain.Tool(p.call.Name)
		if spec == nil || !spec.MutatesState {
			continue
		}
		got := e.Do(p.call)
		if strict && !sameAnswer(got, p.answer) {
			return fmt.Errorf("%w: call %s returned %q, recorded %q", ErrReplay, p.call.Name, got.Content, p.answer.Body())
		}
	}
	return e.state.Sync()
}

type exchange struct {
	call   *chat.ToolCall
	answer *chat.Message
}

// pair matches calls with the tool messages that follow them at once, in
// order and by id.
func pair(messages []chat.Message) ([]exchange, error) {
	var out []exchange
	for i := 0; i < len(messages); i++ {
		m := &messages[i]
		if m.Role == chat.Tool && m.ToolMessages == nil {
			return nil, fmt.Errorf("%w: message %d answers no call", ErrReplay, i)
		}
		if m.Role != chat.Assistant && m.Role != chat.User {
			continue
		}
		for c := range m.ToolCalls {
			i++
			if i >= len(messages) {
				return nil, fmt.Errorf("%w: call %s has no answer", ErrReplay, m.ToolCalls[c].Name)
			}
			a := &messages[i]
			if a.Role != chat.Tool || a.ToolMessages != nil {
				return nil, fmt.Errorf("%w: message %d should answer call %s", ErrReplay, i, m.ToolCalls[c].Name)
			}
			if a.ID != m.ToolCalls[c].ID {
				return nil, fmt.Errorf("%w: message %d answers call id %q, want %q", ErrReplay, i, a.ID, m.ToolCalls[c].ID)
			}
			out = append(out, exchange{&m.ToolCalls[c], a})
		}
	}
	return out, nil
}

func sameAnswer(got Result, want *chat.Message) bool {
	if got.Content == want.Body() {
		return true
	}
	if got.Inexact && want.Error {
		return true
	}
	a, errA := pyjson.Decode([]byte(got.Content))
	b, errB := pyjson.Decode([]byte(want.Body()))
	return errA == nil && errB == nil && pyjson.Equal(a, b)
}
