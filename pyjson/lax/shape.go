package lax

import (
	"slices"

	"taste/pyjson"
)

// Shape is what validation asks of the values at one place. It is drawn while
// valid values are checked (see Trace), so that it follows from the functions
// that validate and from nothing beside them. Its zero value has seen nothing.
type Shape struct {
	name    string   // of the model
	kinds   []string // JSON schema types of scalars, in order of their first use
	options []string // of a literal
	null    bool     // null was there, too
	items   *Shape   // of a list's elements
	values  *Shape   // of what an object with free keys holds
	keys    []string // that such an object may have; nil: any
	fields  []*field
	forms   []*form // sets of fields that models were read by
	open    *form   // of the model that is being read
}

// field is a place within a model.
type field struct {
	name string
	at   *Shape
}

// form is a set of fields that a model is read by. Unions of models have
// several.
type form struct {
	required, optional []string
	literals           []literal // what literals were in models of this form, each pair once
}

type literal struct{ field, value string }

// Trace starts a validation that notes in s what it asks for.
func Trace(title string, s *Shape) *Check { return &Check{title: title, at: []*Shape{s}} }

// here is the shape of the value under validation, nil where nothing is traced.
func (c *Check) here() *Shape {
	if len(c.at) == 0 {
		return nil
	}
	return c.at[len(c.at)-1]
}

// enter goes to the shape at a key of the present value.
func (c *Check) enter(key string) {
	if s := c.here(); s != nil {
		c.at = append(c.at, s.child(key))
	}
}

func (c *Check) leave() {
	if len(c.at) > 1 {
		c.at = c.at[:len(c.at)-1]
	}
}

func (s *Shape) child(key string) *Shape {
	switch {
	case s.items != nil:
		return s.items
	case s.values != nil:
		return s.values
	}
	for _, f := range s.fields {
		if f.name == key {
			return f.at
		}
	}
	f := &field{key, &Shape{}}
	s.fields = append(s.fields, f)
	return f.at
}

// model notes that the value is read as a model of a name: the form of the one
// before is complete.
func (c *Check) model(name string) {
	if s := c.here(); s != nil {
		s.close()
		s.name, s.open = name, &form{}
	}
}

// close keeps the open form, or adds what it knows to an equal one.
func (s *Shape) close() {
	f := s.open
	s.open = nil
	if f == nil {
		return
	}
	for _, g := range s.forms {
		if slices.Equal(f.required, g.required) && slices.Equal(f.optional, g.optional) {
			for _, l := range f.literals {
				g.literals = with(g.literals, l)
			}
			return
		}
	}
	s.forms = append(s.forms, f)
}

func with[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// asks notes that a model is asked for a field.
func (c *Check) asks(key string, required bool) {
	s := c.here()
	switch {
	case s == nil || s.open == nil:
		return
	case required:
		s.open.required = with(s.open.required, key)
	default:
		s.open.optional = with(s.open.optional, key)
	}
	s.child(key)
}

// dict notes that the value is an object with free keys.
func (c *Check) dict() {
	if s := c.here(); s != nil && s.values == nil {
		s.values = &Shape{}
	}
}

func (c *Check) list() {
	if s := c.here(); s != nil && s.items == nil {
		s.items = &Shape{}
	}
}

// scalar notes the type of a scalar.
func (c *Check) scalar(kind string) {
	if s := c.here(); s != nil {
		s.kinds = with(s.kinds, kind)
	}
}

func (c *Check) null(v any) {
	if s := c.here(); s != nil && v == nil {
		s.null = true
	}
}

// literal notes the options of a literal: of the value, or of the key that it
// stands under where that is what is looked at.
func (c *Check) literal(v any, options []string) {
	s := c.here()
	if s == nil {
		return
	}
	text, _ := v.(string)
	if len(c.at) > 1 && len(c.loc) > 0 {
		around, key := c.at[len(c.at)-2], c.loc[len(c.loc)-1]
		if around.values != nil && key == text {
			around.keys = options
			return
		}
		if around.open != nil && slices.Contains(options, text) {
			around.open.literals = with(around.open.literals, literal{key, text})
		}
	}
	s.options = options
}

// Unseen lists the fields of a model that were missing or null wherever it was
// read: nothing is known of what else they may be.
func (s *Shape) Unseen() []string {
	var out []string
	for _, f := range s.fields {
		a := f.at
		if a.kinds == nil && a.options == nil && a.forms == nil && a.open == nil && a.items == nil && a.values == nil {
			out = append(out, f.name)
		}
	}
	return out
}

// Schema writes the shape as a JSON schema. Objects of known fields have no
// others. Of a union only the members that were seen are there.
func (s *Shape) Schema() *pyjson.Object {
	s.close()
	var ways []any
	switch {
	case len(s.forms) > 0:
		ways = s.models()
	case s.values != nil:
		ways = append(ways, s.object())
	case s.items != nil:
		ways = append(ways, pyjson.NewObject("type", "array", "items", s.items.Schema()))
	case s.options != nil:
		ways = append(ways, pyjson.NewObject("type", "string", "enum", texts(s.options)))
	}
	for _, k := range s.kinds {
		ways = append(ways, pyjson.NewObject("type", k))
	}
	if s.null {
		ways = append(ways, pyjson.NewObject("type", "null"))
	}
	switch len(ways) {
	case 0:
		return pyjson.NewObject()
	case 1:
		return ways[0].(*pyjson.Object)
	}
	return pyjson.NewObject("anyOf", ways)
}

// object is the schema of an object with free keys.
func (s *Shape) object() *pyjson.Object {
	if s.keys == nil {
		return pyjson.NewObject("type", "object", "additionalProperties", s.values.Schema())
	}
	fields := pyjson.NewObject()
	for _, k := range s.keys {
		fields.Set(k, s.values.Schema())
	}
	return pyjson.NewObject("type", "object", "properties", fields, "additionalProperties", false)
}

// models lists the schemas of the forms, told apart by a literal where there are
// several; forms that no literal tells apart are one, with the fields that all
// of them ask for required.
func (s *Shape) models() []any {
	forms := s.forms
	by := s.discriminator()
	if by == "" && len(forms) > 1 {
		forms = []*form{merged(forms)}
	}
	var out []any
	for _, f := range forms {
		out = append(out, s.modelled(f, by))
	}
	return out
}

// modelled is the schema of one form.
func (s *Shape) modelled(f *form, by string) *pyjson.Object {
	fields := pyjson.NewObject()
	for _, known := range s.fields {
		if known.name == by {
			fields.Set(by, pyjson.NewObject("type", "string", "enum", texts(f.values(by))))
		} else if slices.Contains(f.required, known.name) || slices.Contains(f.optional, known.name) {
			fields.Set(known.name, known.at.Schema())
		}
	}
	return pyjson.NewObject("title", s.name, "type", "object", "properties", fields, "required", texts(f.required), "additionalProperties", false)
}

func (f *form) values(field string) []string {
	var out []string
	for _, l := range f.literals {
		if l.field == field {
			out = append(out, l.value)
		}
	}
	slices.Sort(out)
	return out
}

// discriminator is a literal field whose values tell all forms apart, "" if
// there is none.
func (s *Shape) discriminator() string {
	if len(s.forms) < 2 {
		return ""
	}
	for _, field := range s.forms[0].required {
		seen, apart := map[string]bool{}, true
		for _, f := range s.forms {
			values := f.values(field)
			apart = apart && len(values) > 0
			for _, v := range values {
				apart = apart && !seen[v]
				seen[v] = true
			}
		}
		if apart {
			return field
		}
	}
	return ""
}

// merged is one form for several.
func merged(forms []*form) *form {
	out := &form{}
	for _, f := range forms {
		for _, name := range slices.Concat(f.required, f.optional) {
			all := !slices.ContainsFunc(forms, func(g *form) bool { return !slices.Contains(g.required, name) })
			if all {
				out.required = with(out.required, name)
			} else {
				out.optional = with(out.optional, name)
			}
		}
	}
	return out
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
