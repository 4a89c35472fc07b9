package sim

import (
	"errors"
	"fmt"

	"taste/chat"
)

// errHistory says that a history is none that a conversation can go on from.
var errHistory = errors.New("the history cannot be gone on from")

// checkHistory holds a history to what the reference asks of one: messages of
// agent and user say or call something, and answers follow the calls that they
// answer. The last call may be open.
func checkHistory(history []chat.Message) error {
	open, by := 0, "" // answers that are to come, and to whom
	for i := range history {
		m := &history[i]
		var fault string
		switch {
		case m.Role == chat.Tool && m.ToolMessages == nil:
			if fault = strayAnswer(m, open, by); fault == "" {
				open--
			}
		case m.Role != chat.Assistant && m.Role != chat.User:
			fault = "is neither of agent or user nor one tool's answer"
		case len(m.ToolCalls) == 0 && !m.HasText():
			fault = "has no text and no calls"
		case len(m.ToolCalls) == 0:
			by = ""
		case open > 0:
			fault = fmt.Sprintf("calls while %d answers are missing", open)
		default:
			open, by = len(m.ToolCalls), m.Role
		}
		if fault != "" {
			return fmt.Errorf("%w: message %d %s", errHistory, i, fault)
		}
	}
	return nil
}

// strayAnswer says what is wrong with an answer where open ones to by are due.
func strayAnswer(m *chat.Message, open int, by string) string {
	requestor := m.Requestor
	if requestor == "" {
		requestor = chat.Assistant
	}
	switch {
	case open == 0 || by == "":
		return "answers no call"
	case requestor != by:
		return fmt.Sprintf("answers the %s, but it was the %s that called", requestor, by)
	}
	return ""
}
