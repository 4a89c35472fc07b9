package sim

import (
	"context"
	"errors"
	"fmt"
	"time"

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
	Timeout       Reason = "timeout"
	AgentError    Reason = "agent_error"
	UserError     Reason = "user_error"
	TooLong       Reason = "context_window_exceeded"
)

// Limits bound a conversation; the zero value stands for the defaults.
type Limits struct {
	Steps       int           // messages and rounds of tool answers; default 200
	Errors      int           // failed tool calls in all; default 10
	ErrorsInRow int           // failed tool calls without a success between; default none
	Empty       int           // times that a party is asked again after a message without text and calls; default 2
	Time        time.Duration // of the whole conversation, also while a party is at it; default none
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
	User    User           // nil: the agent works without one, and Env is of a domain for that (see env.Domain.Solo)
	History []chat.Message // what was said and done before, if anything; Env has it behind it
	Limits  Limits
	Clock   func() string // timestamps of messages; nil: none

	// Compat does as the reference where it loses something: text beside
	// calls is kept in the record and reaches nobody (else the other side
	// hears it), and a message without text and calls breaks the conversation
	// off with ErrEmpty (else the party is asked again, and in the end has
	// given up).
	Compat bool

	// Enforce ends a conversation as agent_error or user_error after a message
	// with both text and calls.
	Enforce bool
}

// Result is a finished conversation.
type Result struct {
	Messages    []chat.Message // in order, with turn indices
	Termination Reason
	Steps       int
	Errors      int   // failed tool calls
	Err         error // what a party did wrong, if it is that which ended it
}

// ErrEmpty is the failure of a party that says nothing and calls nothing.
var ErrEmpty = errors.New("message without text and calls")

// errTime is the cause of a context that ends with the conversation's time.
var errTime = errors.New("the conversation's time is up")

// Run holds a conversation. Its error is a fault of the machinery (a party's
// error that does not wrap ErrGaveUp, a history that cannot be, a cancelled
// context); the result then holds what was said so far and no termination.
func Run(ctx context.Context, s Setup) (Result, error) {
	timed, cancel := ctx, context.CancelFunc(func() {})
	if s.Limits.Time > 0 {
		timed, cancel = context.WithTimeoutCause(ctx, s.Limits.Time, errTime)
	}
	defer cancel()
	t := newTalk(s)
	err := t.hold(timed)
	if err != nil && errors.Is(context.Cause(timed), errTime) {
		t.ended, err = Timeout, nil
	}
	t.part(context.WithoutCancel(ctx))
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
