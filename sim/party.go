package sim

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"taste/chat"
	"taste/tau"
)

// Agent serves the customer of one conversation.
type Agent interface {
	// Next returns the agent's next message: text for the user, or tool calls,
	// or calls with text beside them (see Setup.Compat). history is what the
	// agent has seen, in order: its own messages, the user's texts and the
	// answers to its own calls. From call to call it only grows; it is
	// read-only. It is empty only for the first move of an agent without a
	// user. Calls come one at a time, never again after an error. ctx ends
	// with the conversation's time.
	//
	// An error that wraps ErrGaveUp is the agent's own failure and ends the
	// conversation as agent_error; any other is a fault of the machinery and
	// no part of the record.
	Next(ctx context.Context, history []chat.Message) (chat.Message, error)
}

// User plays the customer of one conversation.
type User interface {
	// Next is as Agent.Next, seen from the other side: history holds the
	// agent's texts, the user's own messages and the answers to the user's own
	// calls. A text with one of the stop tokens ends the conversation.
	Next(ctx context.Context, history []chat.Message) (chat.Message, error)
}

// Ender is implemented by agents and users that want to know when their
// conversation is over.
type Ender interface {
	// End is called once, after the last Next. reason is "" where a fault broke
	// the conversation off; history is as for Next. ctx outlives the
	// conversation's time and its cancellation.
	End(ctx context.Context, reason Reason, history []chat.Message)
}

// NewAgent makes the agent of one conversation; the state of the conversation
// lives in what it returns. It is safe for concurrent use.
type NewAgent func(ctx context.Context, s AgentStart) (Agent, error)

// AgentStart is all that an agent is given beside the messages.
type AgentStart struct {
	Policy       string
	Tools        []chat.ToolSpec // that the agent may call
	Ticket       string          // what an agent without a user works on
	Gold         []tau.Action    // what is to be done, of an agent that is told; nil: of others
	Seed         uint64
	Conversation string // names the conversation, to tell it from others at the same time
}

// NewUser makes the user of one conversation, as NewAgent makes the agent.
type NewUser func(ctx context.Context, s UserStart) (User, error)

// UserStart is all that a user is given beside the messages.
type UserStart struct {
	Scenario     tau.UserScenario
	Guidelines   string
	Tools        []chat.ToolSpec // the user's own
	Seed         uint64
	Conversation string
}

// ErrGaveUp marks a party's error as its own failure.
var ErrGaveUp = errors.New("gave up")

// ErrTooLong marks the failure of a model for which the conversation has
// become too long, which is counted by itself.
var ErrTooLong = fmt.Errorf("%w: the conversation is too long for the model", ErrGaveUp)

// ErrHopeless marks a fault of the machinery that all other conversations with
// the same party will meet as well.
var ErrHopeless = errors.New("no conversation is possible")

// Stop tokens of a user's text. The first also ends an agent's.
const (
	Stop       = "###STOP###"
	Transfer   = "###TRANSFER###"
	OutOfScope = "###OUT-OF-SCOPE###"
)

func userStops(m *chat.Message) bool {
	t := m.Body()
	return m.ToolCalls == nil && (strings.Contains(t, Stop) || strings.Contains(t, Transfer) || strings.Contains(t, OutOfScope))
}

// Ends tells whether a message ends a conversation, the user's by any of the stop
// tokens and the agent's by the first.
func Ends(m *chat.Message) bool {
	if m.Role == chat.User {
		return userStops(m)
	}
	return agentStops(m)
}

func agentStops(m *chat.Message) bool {
	return m.ToolCalls == nil && strings.Contains(m.Body(), Stop)
}

// Greeting is the agent's first message where the caller gives no other.
const Greeting = "Hi! How can I help you today?"
