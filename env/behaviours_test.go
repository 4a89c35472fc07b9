package env

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"taste/chat"
	"taste/pyjson"
)

// TestRow33WireForm holds a row of the list of behaviours that a trusted
// harness gets right: how results of tools are spelt, and what is hashed.
func TestRow33WireForm(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":true,"d":[1.5]}`: `{"a": "1", "b": "True", "d": ["1.5"]}`,
		`5`:                          `"5"`,
		`null`:                       `null`,
		`"as it is"`:                 `as it is`,
		`[null, "x", -0.0, 1e16]`:    `[null, "x", "-0.0", "1e+16"]`,
	} {
		v, err := pyjson.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := answer(v); got.Content != want || got.Error {
			t.Errorf("%s is answered %s, want %s", text, got.Content, want)
		}
	}
	// A data model keeps its numbers.
	model := Lazy(func() any { return pyjson.NewObject("n", 1.0) })
	if got := answer(model); got.Content != `{"n": 1.0}` {
		t.Errorf("a data model is answered %s", got.Content)
	}
	// The hash is that of JSON with sorted keys, ", " and ": ", ASCII escapes.
	db, _ := pyjson.Decode([]byte(`{"é": {"b": 1.0, "a": [true, null]}, "A": "x"}`))
	sum := sha256.Sum256([]byte(`{"A": "x", "\u00e9": {"a": [true, null], "b": 1.0}}`))
	got := sha256.Sum256(pyjson.Append(nil, db, pyjson.Hash))
	if got != sum {
		t.Errorf("hashed %s, want %s", hex.EncodeToString(got[:]), hex.EncodeToString(sum[:]))
	}
}

func TestReenactTellsDepartures(t *testing.T) {
	text := func(s string) *string { return &s }
	tool := func(id string) chat.Message { return chat.Message{Role: chat.Tool, ID: id, Content: text("x")} }
	calls := chat.Calls(chat.Assistant, chat.ToolCall{ID: "a", Name: "f"}, chat.ToolCall{ID: "b", Name: "g"})
	for name, c := range map[string]struct {
		messages []chat.Message
		pairs    int
		want     []string
	}{
		"in order":     {[]chat.Message{calls, tool("a"), tool("b")}, 2, nil},
		"other order":  {[]chat.Message{calls, tool("b"), tool("a")}, 2, []string{"message 0: the answer to call f comes out of order", "message 0: the answer to call g comes out of order"}},
		"pending":      {[]chat.Message{calls, tool("a")}, 1, []string{"message 0: call g has no answer"}},
		"another id":   {[]chat.Message{calls, tool("a"), tool("c")}, 1, []string{`message 2 answers call id "c", want "b"`}},
		"same id":      {[]chat.Message{chat.Calls(chat.User, chat.ToolCall{Name: "f"}, chat.ToolCall{Name: "g"}), tool("")}, 1, []string{"message 0: call g has no answer"}},
		"stray":        {[]chat.Message{tool("a"), chat.Text(chat.User, "x")}, 0, []string{"message 0 answers no call"}},
		"interrupted":  {[]chat.Message{calls, chat.Text(chat.User, "x"), tool("a")}, 0, []string{"message 0: call f has no answer", "message 0: call g has no answer", "message 2 answers no call"}},
		"no call made": {[]chat.Message{{Role: chat.User, ToolCalls: []chat.ToolCall{}}, chat.Text(chat.User, "x")}, 0, nil},
	} {
		pairs, faults := pair(c.messages)
		if len(pairs) != c.pairs || len(faults) != len(c.want) {
			t.Errorf("%s: %d pairs, %q", name, len(pairs), faults)
			continue
		}
		for i := range faults {
			if faults[i] != c.want[i] {
				t.Errorf("%s: %q, want %q", name, faults[i], c.want[i])
			}
		}
	}
}
