package openai

import (
	"encoding/json"

	sdk "github.com/openai/openai-go/v3"
)

// chatThought is what compatible servers say of a model's reasoning, and want
// back: fields of the message, and signatures of calls.
type chatThought struct {
	Fields map[string]any    `json:"fields,omitempty"`
	Calls  []json.RawMessage `json:"calls,omitempty"` // by the place of the call; null: none
}

// fieldsOfThought are the fields of a message that are handed back as they came.
var fieldsOfThought = []string{"reasoning_content", "reasoning", "reasoning_details", "reasoning_signature", "extra_content"}

// callThought is the field of a call that is.
const callThought = "extra_content"

// thoughtOf finds the reasoning in an answer; nil: there is none.
func thoughtOf(m *sdk.ChatCompletionMessage) json.RawMessage {
	var t chatThought
	for _, name := range fieldsOfThought {
		raw := m.JSON.ExtraFields[name].Raw()
		if raw == "" || raw == "null" || raw == `""` {
			continue
		}
		if t.Fields == nil {
			t.Fields = map[string]any{}
		}
		t.Fields[name] = json.RawMessage(raw)
	}
	for i := range m.ToolCalls {
		var call map[string]json.RawMessage
		if json.Unmarshal([]byte(m.ToolCalls[i].RawJSON()), &call) != nil || call[callThought] == nil {
			continue
		}
		if t.Calls == nil {
			t.Calls = make([]json.RawMessage, len(m.ToolCalls))
		}
		t.Calls[i] = call[callThought]
	}
	if t.Fields == nil && t.Calls == nil {
		return nil
	}
	text, err := json.Marshal(t)
	if err != nil { // what the server sent was read already
		return nil
	}
	return text
}

// readThought reads what was kept. What another provider said is passed over.
func readThought(kept json.RawMessage) chatThought {
	var raw struct {
		Fields map[string]json.RawMessage
		Calls  []json.RawMessage
	}
	if len(kept) == 0 || json.Unmarshal(kept, &raw) != nil {
		return chatThought{}
	}
	t := chatThought{Fields: map[string]any{}, Calls: raw.Calls}
	for name, v := range raw.Fields {
		t.Fields[name] = v
	}
	for i := range t.Calls {
		if string(t.Calls[i]) == "null" {
			t.Calls[i] = nil
		}
	}
	return t
}
