package rules

import (
	"encoding/json"
	"regexp"
	"strings"

	"taste/chat"
	"taste/pyjson"
)

var callParts = regexp.MustCompile(`^([a-z][a-z0-9_]*)\((.*)\)$`)

// readCall reads a call that Spell has written.
func readCall(text string) (chat.ToolCall, bool) {
	m := callParts.FindStringSubmatch(text)
	if m == nil {
		return chat.ToolCall{}, false
	}
	call := chat.ToolCall{Name: m[1], Arguments: map[string]any{}}
	for rest := m[2]; rest != ""; {
		name, tail, _ := strings.Cut(rest, "=")
		dec := json.NewDecoder(strings.NewReader(tail))
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return call, false
		}
		v, err := pyjson.Decode(raw)
		if err != nil {
			return call, false
		}
		call.Arguments[name] = pyjson.Plain(v)
		rest = strings.TrimLeft(tail[dec.InputOffset():], ", ")
	}
	return call, true
}
