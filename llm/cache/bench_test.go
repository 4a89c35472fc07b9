package cache

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"taste/chat"
	"taste/llm"
)

// BenchmarkCall is a call that is not kept yet, as late turns of a conversation
// are: 60 kB of policy, tools and turns.
func BenchmarkCall(b *testing.B) {
	s, err := Open(filepath.Join(b.TempDir(), "calls.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	m := s.Model(&echo{})
	r := &llm.Request{System: strings.Repeat("Agents follow \"policy\".\n", 500)}
	for i := range 20 {
		r.Tools = append(r.Tools, llm.Tool{Name: fmt.Sprint("tool", i), Parameters: json.RawMessage(`{"type": "object", "properties": {` + strings.TrimSuffix(strings.Repeat(`"user_id": {"type": "string", "description": "id"},`, 20), ",") + `}}`)})
	}
	for range 40 {
		r.Messages = append(r.Messages, llm.Message{Role: chat.User, Text: strings.Repeat(`{"key": "value"}, `, 40)})
	}
	for b.Loop() {
		r.Trial++
		if _, err := m.Call(b.Context(), r); err != nil {
			b.Fatal(err)
		}
	}
}
