package chat

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestMessageRoundTrip(t *testing.T) {
	for _, text := range []string{
		`{"role": "assistant", "content": "é", "tool_calls": null, "cost": 0.1, "usage": {"b": 1, "a": 2.0}}`,
		`{"role": "user", "tool_calls": [{"name": "f", "arguments": {"b": 1, "a": 100.0}, "id": "x", "requestor": "user"}], "content": null}`,
		`{"content": "x", "role": "tool", "id": "1", "error": false, "requestor": "user", "turn_idx": 4}`,
		`{"role": "system", "content": null}`,
		`{"role": "assistant", "tool_calls": []}`,
	} {
		var m Message
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		got, err := m.MarshalJSON()
		if err != nil || string(got) != text {
			t.Errorf("%s came back as %s (%v)", text, got, err)
		}
	}
}

func TestMessageParts(t *testing.T) {
	call := ToolCall{ID: "7", Name: "f", Requestor: User}
	a := Answer(&call, "no", true)
	if got, _ := a.MarshalJSON(); string(got) != `{"id": "7", "role": "tool", "content": "no", "requestor": "user", "error": true}` {
		t.Errorf("answer: %s", got)
	}
	blank := Text(Assistant, " \n")
	if blank.HasText() || blank.Body() != " \n" {
		t.Error("white space is no text")
	}
	m := Calls(Assistant, call)
	if m.ToolCalls[0].Owner() != User || (&ToolCall{}).Owner() != Assistant {
		t.Error("owner of a call")
	}
}

func TestMessageErrors(t *testing.T) {
	for text, path := range map[string]string{
		`{"content": "x"}`: "role",
		`{"role": "user", "tool_calls": [{"name": "f", "arguments": {}}, {"name": "f", "arguments": {}, "requestor": "x"}]}`: "tool_calls[1].requestor",
		`{"role": "tool", "content": "x"}`:            "id",
		`{"role": "user", "content": 5}`:              "content",
		`{"role": "user", "tool_calls": {}}`:          "tool_calls",
		`{"role": "user", "turn_idx": "x"}`:           "turn_idx",
		`{"role": "tool", "tool_messages": [1]}`:      "tool_messages[0]",
		`{"role": "tool", "id": "1", "error": "yes"}`: "error",
	} {
		var m Message
		err := json.Unmarshal([]byte(text), &m)
		var fe *FieldError
		if !errors.As(err, &fe) || fe.Path != path {
			t.Errorf("%s: error %v, want one at %s", text, err, path)
		}
	}
}

func TestToolSpec(t *testing.T) {
	text := `{"name": "get_user_details", "requestor": "assistant", "type": "read", "mutates_state": false, "schema": {"type": "function", "function": ` +
		`{"name": "get_user_details", "parameters": {"properties": {"user_id": {"description": "d"}, "b": {}}, "required": ["user_id"]}}}}`
	var s ToolSpec
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	params, err := s.Parameters()
	if err != nil || len(params) != 2 || !params[0].Required || params[0].Description != "d" || params[1].Required {
		t.Errorf("parameters %+v, %v", params, err)
	}
	if s.Type != Read || s.Group() != "get" {
		t.Errorf("type %s, group %s", s.Type, s.Group())
	}
	if got, _ := s.MarshalJSON(); string(got) != text {
		t.Errorf("came back as %s", got)
	}
}
