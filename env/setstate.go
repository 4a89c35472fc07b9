package env

import (
	"errors"
	"fmt"
	"slices"

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
	if err := next.Replay(s.MessageHistory); err != nil {
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
// tools and tools that change nothing are skipped. An answer unlike the
// recorded one is an error; texts that are JSON are compared as values. Errors
// wrap ErrReplay; the state is then of no use.
func (e *Environment) Replay(messages []chat.Message) error {
	if e.domain.solo && slices.ContainsFunc(messages, func(m chat.Message) bool { return m.Role == chat.User }) {
		return fmt.Errorf("%w: %w", ErrReplay, &Fault{Class: "AssertionError", Text: "User messages are not allowed in solo mode"})
	}
	departures, err := e.Reenact(messages)
	if len(departures) > 0 {
		return fmt.Errorf("%w: %s", ErrReplay, departures[0])
	}
	return err
}

// Reenact is Replay that goes on where the record departs from what happens
// now, and returns in words where it does: first answers that are missing or
// stray, then answers that come out otherwise. A call that was never answered
// is not made; answers are matched by id among the messages that follow a call
// at once.
func (e *Environment) Reenact(messages []chat.Message) (departures []string, err error) {
	pairs, departures := pair(messages)
	for _, p := range pairs {
		spec := e.domain.Tool(p.call.Name)
		if spec == nil || !spec.MutatesState {
			continue
		}
		if got := e.Do(p.call); !sameAnswer(got, p.answer) {
			departures = append(departures, fmt.Sprintf("message %d: call %s returned %q, recorded %q", p.at, p.call.Name, got.Content, p.answer.Body()))
		}
	}
	return departures, e.state.Sync()
}

type exchange struct {
	at     int // the message that calls
	call   *chat.ToolCall
	answer *chat.Message
}

// pair matches calls with the tool messages that follow them at once, and says
// what does not match: the answers have to come in the order of the calls.
func pair(messages []chat.Message) (out []exchange, faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for i := 0; i < len(messages); i++ {
		m := &messages[i]
		if m.Role == chat.Tool && m.ToolMessages == nil {
			fault("message %d answers no call", i)
		}
		if m.Role != chat.Assistant && m.Role != chat.User {
			continue
		}
		at, answers := i, answersAfter(messages[i+1:], len(m.ToolCalls))
		i += len(answers)
		for c, k := range assign(m.ToolCalls, answers) {
			call := &m.ToolCalls[c]
			switch {
			case k < 0 && c < len(answers):
				fault("message %d answers call id %q, want %q", at+1+c, answers[c].ID, call.ID)
			case k < 0:
				fault("message %d: call %s has no answer", at, call.Name)
			case k != c:
				fault("message %d: the answer to call %s comes out of order", at, call.Name)
			}
			if k >= 0 {
				out = append(out, exchange{at, call, &answers[k]})
			}
		}
	}
	return out, faults
}

// answersAfter returns the tool messages that messages begin with, n at most.
func answersAfter(messages []chat.Message, n int) []chat.Message {
	k := 0
	for k < min(n, len(messages)) && messages[k].Role == chat.Tool && messages[k].ToolMessages == nil {
		k++
	}
	return messages[:k]
}

// assign finds the answer to each call, -1 for none: the one in its place if
// the id fits, else the first with that id that answers no other call.
func assign(calls []chat.ToolCall, answers []chat.Message) []int {
	to := make([]int, len(calls))
	taken := make([]bool, len(answers))
	for c := range calls {
		to[c] = -1
		if c < len(answers) && answers[c].ID == calls[c].ID {
			to[c], taken[c] = c, true
		}
	}
	for c := range calls {
		for k := 0; to[c] < 0 && k < len(answers); k++ {
			if !taken[k] && answers[k].ID == calls[c].ID {
				to[c], taken[k] = k, true
			}
		}
	}
	return to
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
