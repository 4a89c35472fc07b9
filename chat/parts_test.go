package chat

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestParts(t *testing.T) {
	const text = `[{"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": {}}, {"id": "b", "name": "g", "arguments": {}}]},
		{"role": "tool", "tool_messages": [{"role": "tool", "id": "b", "content": "2"}, {"role": "tool", "id": "a", "content": "1"}]},
		{"role": "user", "tool_calls": [{"id": "a", "name": "h", "arguments": {}, "requestor": "user"}]},
		{"role": "tool", "id": "a", "content": "3"},
		{"role": "tool", "id": "a", "content": "4", "requestor": "user"},
		{"role": "user", "content": "done"}]`
	var messages []Message
	if err := json.Unmarshal([]byte(text), &messages); err != nil {
		t.Fatal(err)
	}
	var got string
	for _, p := range Parts(messages) {
		name := "-"
		if p.Answers != nil {
			name = p.Answers.Name
		}
		got += fmt.Sprintf("%d%s%s%d ", p.Index, p.Body(), name, p.Number)
	}
	// Answers may come in another order than the calls, and ids come again.
	if want := "0-0 12g2 11f1 2-0 33-0 44h0 5done-0 "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
