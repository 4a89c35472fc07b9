package llm

import (
	"encoding/json"
	"strings"
)

// Request asks for one answer. Whoever gets one leaves it as it is.
//
// Its JSON form holds all that can change the answer, and what calls are kept
// under follows from it: see llm/cache.
type Request struct {
	Model       string         `json:"model"`                 // as the provider spells it
	System      string         `json:"system,omitempty"`      // text that stands before the turns
	Messages    []Message      `json:"messages,omitempty"`    // turns after the system text
	Tools       []Tool         `json:"tools,omitempty"`       // that may be called
	Schema      *Schema        `json:"schema,omitempty"`      // the answer has to be JSON of this schema; nil: free text
	MaxTokens   int            `json:"max_tokens,omitempty"`  // of the answer; 0: the provider's default (Anthropic: 8192)
	Temperature *float64       `json:"temperature,omitempty"` // nil: the provider's default
	TopP        *float64       `json:"top_p,omitempty"`       // nil: the provider's default
	Seed        *int64         `json:"seed,omitempty"`        // where the provider takes one
	Effort      string         `json:"effort,omitempty"`      // of reasoning: "", "minimal", "low", "medium", "high"
	Extra       map[string]any `json:"extra,omitempty"`       // further fields of the provider's request body
	Trial       int            `json:"trial,omitempty"`       // tells repetitions of one question apart; never sent
	Label       Label          `json:"-"`                     // for reports and errors; never sent
}

// Label says what a call is for.
type Label struct {
	Role  string `json:"role,omitempty"`  // who asks: judge, author, …
	Stage string `json:"stage,omitempty"` // of the run
	Item  string `json:"item,omitempty"`  // e.g. "attempt 17"
}

// Message is a turn. Of an assistant Text, Calls or both count; a tool's
// message answers the call with the id CallID.
type Message struct {
	Role   string `json:"role"` // chat.User, chat.Assistant or chat.Tool
	Text   string `json:"text,omitempty"`
	Calls  []Call `json:"calls,omitempty"`
	CallID string `json:"call_id,omitempty"`
	Failed bool   `json:"failed,omitempty"` // the tool failed, and Text is its error

	// Thought is reasoning content and signatures in the provider's own form,
	// handed back unchanged on later turns to the same provider; nil: none.
	Thought json.RawMessage `json:"thought,omitempty"`
}

// Call is a tool call of an assistant.
type Call struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // a JSON object; nil beside Bad
	Bad       string          `json:"bad,omitempty"`       // what stood for arguments and is no JSON object
}

// Tool is a tool that a model may call.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"` // a JSON schema of an object
}

// Schema is a JSON schema with a name, of letters, digits, _ and -.
type Schema struct {
	Name string          `json:"name"`
	JSON json.RawMessage `json:"json"`
}

// String is the parts that are known, with commas between.
func (l Label) String() string {
	var parts []string
	for _, s := range []string{l.Role, l.Stage, l.Item} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ", ")
}

// about is the label in brackets, with a blank before, for errors.
func (l Label) about() string {
	if l == (Label{}) {
		return ""
	}
	return " (" + l.String() + ")"
}
