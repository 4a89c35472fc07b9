package gemini_test

import (
	"encoding/json"
	"strings"
	"testing"

	"taste/chat"
	"taste/llm"
	"taste/llm/gemini"
	"taste/llm/internal/wiretest"
)

// parts are an answer as the provider gives it: a thought, a signed call, and one
// without a signature; neither call has an id.
const parts = `[
	{"text":"hm","thought":true},
	{"text":"I look."},
	{"functionCall":{"name":"f","args":{"z":1.0,"a":12345678901234567890}},"thoughtSignature":"c2ln"},
	{"functionCall":{"name":"g","args":{}}}]`

// answering is a model that answers with the parts, and what it is sent.
func answering(t *testing.T) (llm.Model, *[]wiretest.Body) {
	t.Helper()
	address, sent := wiretest.Serve(t, `{"candidates":[{"content":{"role":"model","parts":`+parts+`},"finishReason":"STOP"}]}`)
	m, err := gemini.Model("google/m", gemini.Options{BaseURL: address, Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	return m, sent
}

func ask() *llm.Request {
	return &llm.Request{Model: "m", Messages: []llm.Message{{Role: chat.User, Text: "x"}}}
}

// Parts go back to the letter, signatures and numbers included; what was changed
// since goes back without signatures, which are for what they stand on.
func TestPartsGoBack(t *testing.T) {
	m, sent := answering(t)
	res, err := m.Call(t.Context(), ask())
	if err != nil {
		t.Fatal(err)
	}
	said := res.Message
	if res.Stop != llm.ToolCalls || said.Text != "I look." || len(said.Calls) != 2 || said.Calls[0].ID == said.Calls[1].ID || said.Calls[0].ID == "" {
		t.Fatalf("read %+v", res)
	}
	changed := said
	changed.Text = "Changed."
	for _, back := range []llm.Message{said, changed} {
		r := ask()
		r.Messages = append(r.Messages, back, llm.Message{Role: chat.Tool, CallID: said.Calls[0].ID, Text: "1"},
			llm.Message{Role: chat.Tool, CallID: said.Calls[1].ID, Text: "none", Failed: true})
		res, err := m.Call(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if id := res.Message.Calls[0].ID; id == said.Calls[0].ID || id == said.Calls[1].ID {
			t.Errorf("id %s twice in a conversation", id)
		}
	}
	for i, want := range []string{
		wiretest.Compact(t, []byte(parts)),
		`[{"text":"Changed."},{"functionCall":{"args":{"z":1.0,"a":12345678901234567890},"name":"f"}},{"functionCall":{"args":{},"name":"g"}}]`,
	} {
		var contents []struct {
			Role  string
			Parts json.RawMessage
		}
		if err := json.Unmarshal((*sent)[i+1]["contents"], &contents); err != nil {
			t.Fatal(err)
		}
		if got := wiretest.Compact(t, contents[1].Parts); got != want || contents[1].Role != "model" {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		const answers = `[{"functionResponse":{"name":"f","response":{"output":"1"}}},{"functionResponse":{"name":"g","response":{"error":"none"}}}]`
		if got := wiretest.Compact(t, contents[2].Parts); got != answers || len(contents) != 3 {
			t.Errorf("got %s", got)
		}
	}
}

// Further settings stand beside ours, and tools keep the order of their
// parameters. Where tools are offered the schema is put into words.
func TestSettings(t *testing.T) {
	m, sent := answering(t)
	r := ask()
	r.MaxTokens, r.Effort = 5, "high"
	r.Extra = map[string]any{"generationConfig": map[string]any{"topK": 7}, "safetySettings": []any{}}
	r.Schema = &llm.Schema{JSON: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}}`)}
	if _, err := m.Call(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	r.Tools = []llm.Tool{{Name: "f", Parameters: r.Schema.JSON}}
	if _, err := m.Call(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if n := len(r.Extra); n != 2 {
		t.Error("the request was changed")
	}
	const config = `{"maxOutputTokens":5,"responseJsonSchema":{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}},"responseMimeType":"application/json","thinkingConfig":{"thinkingLevel":"HIGH"},"topK":7}`
	if got := wiretest.Compact(t, (*sent)[0]["generationConfig"]); got != config {
		t.Errorf("got  %s\nwant %s", got, config)
	}
	if string((*sent)[0]["safetySettings"]) != "[]" {
		t.Errorf("got %s", (*sent)[0]["safetySettings"])
	}
	if got := string((*sent)[1]["tools"]); !strings.Contains(got, `"parametersJsonSchema":{"type":"object","properties":{"z":`) {
		t.Errorf("tools %s", got)
	}
	if got := string((*sent)[1]["systemInstruction"]); !strings.Contains(got, "JSON schema") || strings.Contains(string((*sent)[1]["generationConfig"]), "Schema") {
		t.Errorf("got %s", got)
	}
}

func TestAKeyIsNeeded(t *testing.T) {
	t.Setenv("GOOGLE_API_KEY", "of-the-environment")
	if _, err := gemini.Model("google/m", gemini.Options{BaseURL: gemini.Google}); err == nil || strings.Contains(err.Error(), "of-the-environment") {
		t.Errorf("got %v", err)
	}
}
