package chat

import (
	"strings"

	"taste/pyjson"
)

// Roles of a message.
const (
	System = "system"
	Tool   = "tool"
)

// Message is one message of a conversation. Which fields count depends on
// Role: assistant and user messages have Content, ToolCalls or both; tool
// messages answer the call named by ID; a tool message with ToolMessages
// bundles several answers.
type Message struct {
	Role      string
	Content   *string
	ToolCalls []ToolCall // nil: none; upstream counts an empty list as a call

	// Tool messages only.
	ID        string // id of the call that it answers
	Requestor string // who made that call
	Error     bool

	ToolMessages []Message // bundle of tool messages, else nil

	TurnIdx   *int
	Timestamp *string

	raw *pyjson.Object
}

// Text makes a message of plain text.
func Text(role, content string) Message { return Message{Role: role, Content: &content} }

// Calls makes a message that only calls tools.
func Calls(role string, calls ...ToolCall) Message { return Message{Role: role, ToolCalls: calls} }

// Answer makes the tool message that answers call.
func Answer(call *ToolCall, content string, failed bool) Message {
	return Message{Role: Tool, ID: call.ID, Content: &content, Requestor: call.Owner(), Error: failed}
}

// Body returns the content, "" where there is none.
func (m *Message) Body() string {
	if m.Content == nil {
		return ""
	}
	return *m.Content
}

// HasText says whether there is content other than white space.
func (m *Message) HasText() bool { return strings.TrimSpace(m.Body()) != "" }

// Raw returns a field that the type has no name for (cost, usage, raw_data, …)
// as it was read.
func (m *Message) Raw(key string) (any, bool) { return m.raw.Get(key) }

var roles = map[string]bool{System: true, Tool: true, Assistant: true, User: true}

// ReadMessage reads a message from its JSON value standing at path.
func ReadMessage(v any, path string) (Message, error) {
	r := NewReader(v, path)
	m := Message{raw: r.Obj}
	m.Role = r.String("role")
	if r.Err() == nil && !roles[m.Role] {
		r.Fail("role", "want system, user, assistant or tool, got "+pyjson.Repr(m.Role))
	}
	m.Content = r.OptString("content")
	m.Timestamp = r.OptString("timestamp")
	m.TurnIdx = r.OptInt("turn_idx")
	switch m.Role {
	case Assistant, User:
		m.ToolCalls = ReadList(r, "tool_calls", ReadToolCall)
	case Tool:
		readToolMessage(r, &m)
	}
	return m, r.Err()
}

func readToolMessage(r *Reader, m *Message) {
	if m.ToolMessages = ReadList(r, "tool_messages", ReadMessage); m.ToolMessages != nil {
		return
	}
	m.ID = r.String("id")
	m.Requestor = readRequestor(r, "requestor")
	m.Error = r.BoolOr("error", false)
}

// JSON returns the message's JSON object.
func (m *Message) JSON() *pyjson.Object {
	w := NewWriter(m.raw)
	if m.Role == Tool && m.ToolMessages == nil {
		w.Put("id", m.ID)
	}
	w.Put("role", m.Role)
	if m.ToolMessages != nil {
		List(w, true, "tool_messages", m.ToolMessages, func(t *Message) any { return t.JSON() })
		return w.Object()
	}
	w.Opt(true, "content", m.Content)
	switch m.Role {
	case Assistant, User:
		List(w, true, "tool_calls", m.ToolCalls, func(c *ToolCall) any { return c.JSON() })
	case Tool:
		by := orAssistant(m.Requestor)
		w.PutUnless(by == Assistant, true, "requestor", by)
		w.PutUnless(!m.Error, true, "error", m.Error)
	}
	m.putTimes(w)
	return w.Object()
}

func (m *Message) putTimes(w *Writer) {
	var turn any
	if m.TurnIdx != nil {
		turn = int64(*m.TurnIdx)
	}
	w.PutUnless(m.TurnIdx == nil, false, "turn_idx", turn)
	w.Opt(false, "timestamp", m.Timestamp)
}

func orAssistant(s string) string {
	if s == "" {
		return Assistant
	}
	return s
}

// MarshalJSON writes the wire form.
func (m Message) MarshalJSON() ([]byte, error) { return m.JSON().MarshalJSON() }

// UnmarshalJSON reads the wire form.
func (m *Message) UnmarshalJSON(data []byte) error { return unmarshal(data, m, ReadMessage) }
