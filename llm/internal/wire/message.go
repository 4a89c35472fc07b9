package wire

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"taste/llm"
	"taste/pyjson"
)

// System is the system text of a request, with the schema in words where the
// provider does not take it.
func System(r *llm.Request, inWords bool) string {
	if r.Schema == nil || !inWords {
		return r.System
	}
	return strings.TrimLeft(r.System+"\n\n"+llm.SchemaInstruction(r.Schema), "\n")
}

// Opening stands before a conversation that the assistant begins, for providers
// that want the user to.
const Opening = "(The conversation begins.)"

// Call is a tool call whose arguments are the given text.
func Call(id, name, arguments string) llm.Call {
	if arguments == "" { // so some servers call a tool that takes none
		arguments = "{}"
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &object) != nil || object == nil {
		return llm.Call{ID: id, Name: name, Bad: arguments}
	}
	return llm.Call{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
}

// Arguments are a call's arguments as they are handed back: always an object, as
// servers refuse all else. What was none stands in it.
func Arguments(c *llm.Call) json.RawMessage {
	if c.Arguments != nil {
		return c.Arguments
	}
	text, _ := json.Marshal(map[string]string{"unreadable": c.Bad})
	return text
}

// Parameters is the schema of a tool's arguments.
func Parameters(t *llm.Tool) json.RawMessage {
	if len(t.Parameters) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Parameters
}

// madeUp begins the ids of calls that came without.
const madeUp = "call-"

// Identify gives calls that came without an id one that no other call of the
// conversation has.
func Identify(r *llm.Request, calls []llm.Call) {
	before := 0
	for i := range r.Messages {
		before += len(r.Messages[i].Calls)
	}
	for i := range calls {
		if calls[i].ID == "" {
			calls[i].ID = madeUp + strconv.Itoa(before+i+1)
		}
	}
}

// OwnID is the id that a provider gave a call; "" for one that we made up.
func OwnID(id string) string {
	if strings.HasPrefix(id, madeUp) {
		return ""
	}
	return id
}

// Stop looks up why an answer ended. A provider that says it ended while tools
// are called waits for their answers.
func Stop(words map[string]llm.Stop, reason string, calls []llm.Call) llm.Stop {
	stop, ok := words[reason]
	switch {
	case !ok:
		return llm.Unknown
	case stop == llm.End && len(calls) > 0:
		return llm.ToolCalls
	}
	return stop
}

// Names are the keys of headers, in order.
func Names(headers map[string]string) []string { return slices.Sorted(maps.Keys(headers)) }

// Same says whether calls are those that were kept, so that what was kept can be
// handed back for them. Calls whose arguments cannot be read never are: providers
// do not take them back.
func Same(kept, calls []llm.Call) bool {
	return slices.EqualFunc(kept, calls, func(a, b llm.Call) bool {
		return a.ID == b.ID && a.Name == b.Name && a.Bad == "" && b.Bad == "" && sameJSON(a.Arguments, b.Arguments)
	})
}

// sameJSON compares what JSON says, as white space is lost where answers are kept.
func sameJSON(a, b []byte) bool {
	x, err := pyjson.Decode(a)
	if err != nil {
		return false
	}
	y, err := pyjson.Decode(b)
	return err == nil && pyjson.Dumps(x) == pyjson.Dumps(y)
}
