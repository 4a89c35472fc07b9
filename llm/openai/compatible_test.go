package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"taste/chat"
	"taste/llm"
	"taste/llm/internal/wiretest"
	"taste/llm/openai"
)

// answering is a model behind a server that answers with the given bodies in turn,
// and what it is sent.
func answering(t *testing.T, bodies ...string) (llm.Model, *[]wiretest.Body) {
	t.Helper()
	address, sent := wiretest.Serve(t, bodies...)
	return openai.Chat("http://h/v1#m", openai.Options{BaseURL: address}), sent
}

func request(messages ...llm.Message) *llm.Request {
	return &llm.Request{Model: "m", Messages: append([]llm.Message{{Role: chat.User, Text: "x"}}, messages...)}
}

// What servers say of reasoning goes back as they said it, and nothing else does.
func TestReasoningOfCompatibleServers(t *testing.T) {
	m, sent := answering(t, `{"id": "1", "model": "m", "choices": [{"finish_reason": "tool_calls", "message": {
		"role": "assistant", "content": null, "reasoning": "hm", "reasoning_details": [{"type": "reasoning.encrypted", "data": "abc=="}], "annotations": [], "stray": 1,
		"tool_calls": [
			{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}},
			{"id": "b", "type": "function", "function": {"name": "f", "arguments": "{}"}, "extra_content": {"google": {"thought_signature": "sig"}}}]}}]}`)
	res, err := m.Call(t.Context(), request())
	if err != nil {
		t.Fatal(err)
	}
	if _, err = m.Call(t.Context(), request(res.Message, llm.Message{Role: chat.Tool, CallID: "a", Text: "1"}, llm.Message{Role: chat.Tool, CallID: "b", Text: "2"})); err != nil {
		t.Fatal(err)
	}
	var back []map[string]json.RawMessage
	if err := json.Unmarshal((*sent)[1]["messages"], &back); err != nil {
		t.Fatal(err)
	}
	answer := back[1]
	if string(answer["reasoning"]) != `"hm"` || !strings.Contains(string(answer["reasoning_details"]), `"abc=="`) || answer["stray"] != nil || answer["annotations"] != nil {
		t.Errorf("handed back %s", (*sent)[1])
	}
	first, second, _ := strings.Cut(string(answer["tool_calls"]), `"b"`)
	if strings.Contains(first, "extra_content") == strings.Contains(second, "extra_content") && !strings.Contains(string(answer["tool_calls"]), `"thought_signature":"sig"`) {
		t.Errorf("calls %s", answer["tool_calls"])
	}
	if strings.Count(string(answer["tool_calls"]), "extra_content") != 1 {
		t.Errorf("calls %s", answer["tool_calls"])
	}
}

func TestAnswersWithoutReasoningKeepNone(t *testing.T) {
	m, _ := answering(t, `{"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "ok", "reasoning_content": null, "reasoning": ""}}]}`)
	res, err := m.Call(t.Context(), request())
	if err != nil || res.Message.Thought != nil || res.Message.Text != "ok" {
		t.Error(res, err)
	}
}

// Calls without ids, without arguments, and with a finish reason that forgets them.
func TestSloppyCalls(t *testing.T) {
	body := `{"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "tool_calls": [
		{"type": "function", "function": {"name": "f", "arguments": ""}}, {"type": "function", "function": {"name": "g", "arguments": "{\"a\": 1.0}"}}]}}]}`
	m, _ := answering(t, body)
	first, err := m.Call(t.Context(), request())
	if err != nil {
		t.Fatal(err)
	}
	calls := first.Message.Calls
	if first.Stop != llm.ToolCalls || len(calls) != 2 || string(calls[0].Arguments) != "{}" || string(calls[1].Arguments) != `{"a": 1.0}` {
		t.Fatalf("got %+v", first)
	}
	second, err := m.Call(t.Context(), request(first.Message))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, c := range append(calls, second.Message.Calls...) {
		ids[c.ID] = true
	}
	if len(ids) != 4 || ids[""] {
		t.Errorf("ids %v", ids)
	}
}

// Servers count differently; one vocabulary has it that reasoning is a part of the
// output, and what was cached and written parts of the input.
func TestUsage(t *testing.T) {
	for usage, want := range map[string]llm.Usage{
		`{"prompt_tokens": 10, "completion_tokens": 8, "total_tokens": 18, "completion_tokens_details": {"reasoning_tokens": 5}}`: {Input: 10, Output: 8, Reasoning: 5},
		`{"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 18, "completion_tokens_details": {"reasoning_tokens": 5}}`: {Input: 10, Output: 8, Reasoning: 5},
		`{"prompt_tokens": 10, "completion_tokens": 3, "prompt_cache_hit_tokens": 6, "prompt_cache_miss_tokens": 4}`:              {Input: 10, Cached: 6, Output: 3},
		`{"prompt_tokens": 10, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 6, "cache_write_tokens": 9}}`:   {Input: 10, Cached: 6, Written: 4, Output: 3},
		`null`: {},
	} {
		m, _ := answering(t, `{"choices": [{"finish_reason": "stop", "message": {"content": "x"}}], "usage": `+usage+`}`)
		res, err := m.Call(t.Context(), request())
		want.Calls = 1
		if err != nil || res.Usage != want {
			t.Errorf("%s: %+v, %v", usage, res, err)
		}
	}
}
