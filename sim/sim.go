package sim

import (
	"context"
	"errors"
	"fmt"

	"taste/chat"
	"taste/env"
)

// Reason says how a conversation ended, in τ²-bench's words.
type Reason string

// The reasons. Only after the first two is a conversation scored.
const (
	UserStop      Reason = "user_stop"
	AgentStop     Reason = "agent_stop"
	MaxSteps      Reason = "max_steps"
	TooManyErrors Reason = "too_many_errors"
	AgentError    Reason = "agent_error"
	UserError     Reason = "user_error"
)

// Limits bound a conversation; the zero value stands for the defaults.
type Limits struct {
	Steps       int // messages and rounds of tool answers; default 200
	Errors      int // failed tool calls in all; default 10
	ErrorsInRow int // failed tool calls without a success between; default none
	Empty       int // times that a party is asked again after a message without text and calls; default 2
}

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		field *int
		value int
	}{{&l.Steps, 200}, {&l.Errors, 10}, {&l.Empty, 2}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	return l
}

// Setup is everything that one conversation needs.
type Setup struct {
	Env     *env.Environment // in the task's initial state; it is changed
	Agent   Agent
	User    User
	History []chat.Message // what was said and done before, if anything; Env has it behind it
	Limits  Limits
	Clock   func() string // timestamps of messages; nil: none
}

// Result is a finished conversation.
type Result struct {
	Messages    []chat.Message // in order, with turn indices
	Termination Reason
	Steps       int
	Errors      int   // failed tool calls
	Err         error // why a party gave up, after agent_error and user_error
}

// Run holds a conversation. Its error is a fault of the machinery (a party's
// error that does not wrap ErrGaveUp, a cancelled context); the result then
// holds what was said so far and no termination.
func Run(ctx context.Context, s Setup) (Result, error) {
	t := newTalk(s)
	err := t.open(s.History)
	for err == nil && t.ended == "" {
		if err = ctx.Err(); err == nil {
			err = t.step(ctx)
		}
	}
	for i := range t.messages {
		n := i
		t.messages[i].TurnIdx = &n
	}
	r := Result{Messages: t.messages, Termination: t.ended, Steps: t.steps, Errors: t.errors, Err: t.why}
	if err != nil {
		return r, fmt.Errorf("hold conversation: %w", err)
	}
	return r, nil
}

var errHistory = errors.New("the history must end with a message of agent or user, or a tool's answer")
