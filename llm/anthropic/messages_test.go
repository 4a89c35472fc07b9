package anthropic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"taste/chat"
	"taste/llm"
	"taste/llm/anthropic"
	"taste/llm/internal/wiretest"
)

// blocks are an answer as the provider gives it: thoughts before and between what
// is said, one of them withheld.
const blocks = `[
	{"type":"thinking","thinking":"first","signature":"s1=="},
	{"type":"text","text":"I look"},
	{"type":"redacted_thinking","data":"zzz"},
	{"type":"text","text":" it up."},
	{"type":"tool_use","id":"t1","name":"f","input":{"z":1.0,"a":[]}}]`

// answering is a model whose answers have that content, and what it is sent.
func answering(t *testing.T, content string) (llm.Model, *[]wiretest.Body) {
	t.Helper()
	address, sent := wiretest.Serve(t, `{"id":"1","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2},"content":`+content+`}`)
	return anthropic.Model("anthropic/m", anthropic.Options{BaseURL: address}), sent
}

func ask() *llm.Request {
	return &llm.Request{Model: "m", System: "Be brief.", Messages: []llm.Message{{Role: chat.User, Text: "x"}}}
}

// Blocks go back in their order, to the letter; what was changed since goes back
// as it is by now, its thoughts before it.
func TestBlocksGoBack(t *testing.T) {
	m, sent := answering(t, blocks)
	res, err := m.Call(t.Context(), ask())
	if err != nil {
		t.Fatal(err)
	}
	said := res.Message
	changed := said
	changed.Text = "Changed."
	for _, back := range []llm.Message{said, changed} {
		r := ask()
		r.Messages = append(r.Messages, back, llm.Message{Role: chat.Tool, CallID: "t1", Text: "", Failed: true}, llm.Message{Role: chat.User, Text: "and?"})
		if _, err := m.Call(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if said.Text != "I look it up." || len(said.Calls) != 1 || string(said.Calls[0].Arguments) != `{"z":1.0,"a":[]}` {
		t.Errorf("read %+v", said)
	}
	const thoughts = `{"type":"thinking","thinking":"first","signature":"s1=="},{"type":"redacted_thinking","data":"zzz"}`
	for i, want := range []string{
		wiretest.Compact(t, []byte(blocks)),
		`[` + thoughts + `,{"text":"Changed.","type":"text"},{"id":"t1","input":{"z":1.0,"a":[]},"name":"f","type":"tool_use"}]`,
	} {
		var messages []struct{ Content json.RawMessage }
		if err := json.Unmarshal((*sent)[i+1]["messages"], &messages); err != nil {
			t.Fatal(err)
		}
		if got := wiretest.Compact(t, messages[1].Content); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		const user = `[{"tool_use_id":"t1","is_error":true,"type":"tool_result"},{"text":"and?","type":"text"}]`
		if got := wiretest.Compact(t, messages[2].Content); got != user {
			t.Errorf("got %s", got)
		}
	}
}

// What the SDK has no names for, or would have its own way with, arrives.
func TestFields(t *testing.T) {
	warm := 0.5
	m, sent := answering(t, `[]`)
	r := ask()
	r.Temperature, r.Effort = &warm, "minimal"
	r.Tools = []llm.Tool{{Name: "f", Parameters: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}}`)}}
	r.Extra = map[string]any{"thinking": map[string]any{"type": "adaptive"}}
	res, err := m.Call(t.Context(), r)
	if err != nil || res.Message.Text != "" || res.Message.Thought != nil {
		t.Fatal(res, err)
	}
	r.MaxTokens = 100_000 // for which the SDK would rather stream
	if _, err := m.Call(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{
		"temperature": "0.5", "max_tokens": "8192", "output_config": `{"effort":"low"}`, "thinking": `{"type":"adaptive"}`,
		"system": `[{"text":"Be brief.","cache_control":{"type":"ephemeral"},"type":"text"}]`,
		"tools":  `[{"input_schema":{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}},"name":"f"}]`,
	} {
		if got := string((*sent)[0][field]); got != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
	}
	if got := string((*sent)[1]["max_tokens"]); !strings.HasPrefix(got, "100000") {
		t.Errorf("max_tokens %s", got)
	}
}
