package gemini

import (
	"encoding/json"
	"strings"

	"taste/chat"
	"taste/llm"
	"taste/llm/internal/wire"
)

// content is a message as it goes over the wire. The SDK's own type would round
// numbers in arguments and sort them.
type content struct {
	Role  string `json:"role"`
	Parts []any  `json:"parts"`
}

// part is what we read of a part.
type part struct {
	Text             string `json:"text"`
	Thought          bool   `json:"thought"`
	ThoughtSignature string `json:"thoughtSignature"`
	FunctionCall     *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
}

// contents are the messages of a request. Answers of tools are the user's; what
// follows one another from the user is one message.
func contents(r *llm.Request) []content {
	var out []content
	tools := map[string]string{} // by the id of a call
	for i := range r.Messages {
		m := &r.Messages[i]
		for _, c := range m.Calls {
			tools[c.ID] = c.Name
		}
		if m.Role == chat.Assistant {
			parts := answer(m)
			if len(parts) > 0 && len(out) == 0 {
				out = append(out, content{chat.User, []any{map[string]any{"text": wire.Opening}}})
			}
			if len(parts) > 0 { // none are not taken
				out = append(out, content{"model", parts})
			}
			continue
		}
		p := userPart(m, tools)
		if n := len(out); n > 0 && out[n-1].Role == chat.User {
			out[n-1].Parts = append(out[n-1].Parts, p)
			continue
		}
		out = append(out, content{chat.User, []any{p}})
	}
	return out
}

func userPart(m *llm.Message, tools map[string]string) any {
	if m.Role != chat.Tool {
		return map[string]any{"text": m.Text}
	}
	key := "output"
	if m.Failed {
		key = "error"
	}
	f := map[string]any{"name": tools[m.CallID], "response": map[string]any{key: m.Text}}
	if id := wire.OwnID(m.CallID); id != "" {
		f["id"] = id
	}
	return map[string]any{"functionResponse": f}
}

// answer is an earlier answer: to the letter where its parts were kept and
// nothing was changed since, else without them, as a signature is for its part.
func answer(m *llm.Message) []any {
	var raw []json.RawMessage
	var out []any
	if len(m.Thought) > 0 && json.Unmarshal(m.Thought, &raw) == nil {
		if text, calls, _ := said(raw); text == m.Text && wire.Same(identified(calls, m.Calls), m.Calls) {
			for _, p := range raw {
				out = append(out, p)
			}
			return out
		}
	}
	if m.Text != "" {
		out = append(out, map[string]any{"text": m.Text})
	}
	for i := range m.Calls {
		c := &m.Calls[i]
		f := map[string]any{"name": c.Name, "args": wire.Arguments(c)}
		if id := wire.OwnID(c.ID); id != "" {
			f["id"] = id
		}
		out = append(out, map[string]any{"functionCall": f})
	}
	return out
}

// identified gives kept calls without an id the ids that they were given.
func identified(kept, calls []llm.Call) []llm.Call {
	for i := range kept {
		if kept[i].ID == "" && i < len(calls) && wire.OwnID(calls[i].ID) == "" {
			kept[i].ID = calls[i].ID
		}
	}
	return kept
}

// said is what parts say: text and calls, and whether one is signed or a
// thought. A part that cannot be read says nothing.
func said(raw []json.RawMessage) (text string, calls []llm.Call, thinks bool) {
	var b strings.Builder
	for _, one := range raw {
		var p part
		if json.Unmarshal(one, &p) != nil {
			continue
		}
		thinks = thinks || p.Thought || p.ThoughtSignature != ""
		switch {
		case p.FunctionCall != nil:
			calls = append(calls, wire.Call(p.FunctionCall.ID, p.FunctionCall.Name, string(p.FunctionCall.Args)))
		case !p.Thought:
			b.WriteString(p.Text)
		}
	}
	return b.String(), calls, thinks
}
