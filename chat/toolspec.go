package chat

import (
	"encoding/json"
	"strings"

	"taste/pyjson"
)

// ToolType classifies what a tool does.
type ToolType string

// The tool types. GENERIC and THINK count as READ wherever types are compared.
const (
	Read    ToolType = "READ"
	Write   ToolType = "WRITE"
	Generic ToolType = "GENERIC"
	Think   ToolType = "THINK"
)

// ToolSpec describes a tool to whoever may call it.
type ToolSpec struct {
	Name         string
	Requestor    string // Assistant or User
	Type         ToolType
	MutatesState bool
	Schema       json.RawMessage // the OpenAI function schema shown to a model
}

// Group returns the name up to its first underscore.
func (t *ToolSpec) Group() string {
	g, _, _ := strings.Cut(t.Name, "_")
	return g
}

// Parameter describes one argument of a tool, from its schema.
type Parameter struct {
	Name        string
	Required    bool
	Description string
	Schema      *pyjson.Object
}

// Parameters returns the tool's parameters in declared order.
func (t *ToolSpec) Parameters() ([]Parameter, error) {
	schema, err := pyjson.DecodeObject(t.Schema)
	if err != nil {
		return nil, err
	}
	r := NewReader(schema, "")
	fn := NewReader(r.NeedObject("function"), "function")
	params := NewReader(fn.NeedObject("parameters"), "function.parameters")
	if err := params.Err(); err != nil {
		return nil, err
	}
	required := map[string]bool{}
	for _, n := range params.Strings("required") {
		required[n] = true
	}
	var out []Parameter
	for name, v := range params.Object("properties").All() {
		p := Parameter{Name: name, Required: required[name]}
		if p.Schema, _ = v.(*pyjson.Object); p.Schema != nil {
			d, _ := p.Schema.Get("description")
			p.Description, _ = d.(string)
		}
		out = append(out, p)
	}
	return out, params.Err()
}

var toolTypes = map[string]ToolType{"read": Read, "write": Write, "generic": Generic, "think": Think}

// ReadToolSpec reads a specification as packs spell it (type in lower case).
func ReadToolSpec(v any, path string) (ToolSpec, error) {
	r := NewReader(v, path)
	t := ToolSpec{Name: r.String("name"), Requestor: readRequestor(r, "requestor")}
	kind := r.String("type")
	var ok bool
	if t.Type, ok = toolTypes[strings.ToLower(kind)]; !ok {
		r.Fail("type", "want read, write, generic or think, got "+pyjson.Repr(kind))
	}
	t.MutatesState = r.BoolOr("mutates_state", t.Type == Write)
	if schema := r.NeedObject("schema"); schema != nil {
		t.Schema = pyjson.Append(nil, schema, pyjson.UTF8)
	}
	return t, r.Err()
}

// JSON returns the specification as packs spell it.
func (t *ToolSpec) JSON() *pyjson.Object {
	schema, err := pyjson.Decode(t.Schema)
	if err != nil {
		schema = nil
	}
	return pyjson.NewObject("name", t.Name, "requestor", orAssistant(t.Requestor),
		"type", strings.ToLower(string(t.Type)), "mutates_state", t.MutatesState, "schema", schema)
}

// MarshalJSON writes the pack's form.
func (t ToolSpec) MarshalJSON() ([]byte, error) { return t.JSON().MarshalJSON() }

// UnmarshalJSON reads the pack's form.
func (t *ToolSpec) UnmarshalJSON(data []byte) error { return unmarshal(data, t, ReadToolSpec) }
