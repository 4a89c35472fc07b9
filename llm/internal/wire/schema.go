package wire

import (
	"encoding/json"
	"slices"

	"taste/llm"
	"taste/pyjson"
)

// Dialect is what a provider enforces of JSON schemas.
type Dialect struct {
	Keywords []string // beside type, properties, required, additionalProperties, items, enum, anyOf, $ref, $defs, title and description
	Open     bool     // objects may have members beyond properties
	Optional bool     // properties may be left out
}

// Fit makes of a schema one that a provider enforces. Other constraints are
// dropped: whoever asks checks the answer against the whole schema anyway. It is
// nil where what is left would say something else, or is no schema of an object.
func (d Dialect) Fit(s *llm.Schema) json.RawMessage {
	v, err := pyjson.Decode(s.JSON)
	root, ok := v.(*pyjson.Object)
	if err != nil || !ok {
		return nil
	}
	if kind, _ := root.Get("type"); kind != "object" {
		return nil
	}
	fitted, ok := d.fit(root)
	if !ok {
		return nil
	}
	return pyjson.Append(nil, fitted, pyjson.UTF8)
}

// nested are the keywords that hold schemas, and how.
var nested = map[string]string{"properties": "named", "$defs": "named", "items": "one", "anyOf": "list"}

// plain are those that all providers know.
var plain = []string{"type", "required", "enum", "$ref", "title", "description"}

// telling are those without which a schema says something else.
var telling = []string{"oneOf", "allOf", "not", "if", "then", "else", "prefixItems", "patternProperties", "dependentSchemas", "definitions", "const"}

// fit fits one schema with all in it.
func (d Dialect) fit(s *pyjson.Object) (*pyjson.Object, bool) {
	out := &pyjson.Object{}
	for key, v := range s.All() {
		switch {
		case nested[key] != "":
			fitted, ok := d.below(v, nested[key])
			if !ok {
				return nil, false
			}
			out.Set(key, fitted)
		case slices.Contains(plain, key), slices.Contains(d.Keywords, key), key == "additionalProperties" && d.Open:
			out.Set(key, v)
		case slices.Contains(telling, key):
			return nil, false
		}
	}
	return out, d.Open || d.shut(s, out)
}

// shut closes the object that a schema is about, if it is about one.
func (d Dialect) shut(s, out *pyjson.Object) bool {
	properties, has := s.Get("properties")
	if kind, _ := s.Get("type"); kind != "object" && !has {
		return true
	}
	names, _ := properties.(*pyjson.Object)
	more, said := s.Get("additionalProperties")
	if said && more != false || !said && names.Len() == 0 {
		return false
	}
	out.Set("additionalProperties", false)
	required, _ := s.Get("required")
	list, _ := required.([]any)
	for _, name := range names.Keys() {
		if !d.Optional && !slices.Contains(list, any(name)) {
			return false
		}
	}
	return true
}

// below fits the schemas that a keyword holds.
func (d Dialect) below(v any, how string) (any, bool) {
	if how == "one" {
		s, ok := v.(*pyjson.Object)
		if !ok {
			return nil, false
		}
		return d.fit(s)
	}
	if how == "list" {
		list, _ := v.([]any)
		out := make([]any, len(list))
		for i := range list {
			fitted, ok := d.below(list[i], "one")
			if !ok {
				return nil, false
			}
			out[i] = fitted
		}
		return out, len(list) > 0
	}
	named, ok := v.(*pyjson.Object)
	out := &pyjson.Object{}
	for key, s := range named.All() {
		fitted, fits := d.below(s, "one")
		if !fits {
			return nil, false
		}
		out.Set(key, fitted)
	}
	return out, ok
}
