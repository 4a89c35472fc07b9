package models

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"taste/pyjson"
)

// form is a JSON schema in the shape that every provider takes as that of an
// answer: each object has all of its properties and no others, so that what may
// be missing is null; objects with free keys are lists of keys and values, and
// objects of any kind are JSON as text. Values go from one shape to the other.
type form struct {
	schema *pyjson.Object // as the domain or tool has it
	tight  *pyjson.Object // as it is asked for
}

// newForm makes the form of a schema, whose references lead into itself.
func newForm(schema *pyjson.Object) (*form, error) {
	flat, err := resolve(schema, schema, 0)
	if err != nil {
		return nil, err
	}
	f := &form{schema: flat.(*pyjson.Object)}
	f.tight = tighten(f.schema)
	return f, nil
}

// pack brings a value that fits the schema into the form; one that does not is
// brought into it as far as it fits.
func (f *form) pack(v any) any { return pack(f.schema, v) }

// unpack is the inverse of pack. Errors say where a value does not fit.
func (f *form) unpack(v any) (any, error) { return unpack(f.schema, v, "") }

// deepest is how far references are followed: schemas that contain themselves
// are none that a provider takes.
const deepest = 40

// resolve replaces references by what they refer to.
func resolve(v any, root *pyjson.Object, depth int) (any, error) {
	if depth > deepest {
		return nil, errors.New("the schema is too deep, or refers to itself")
	}
	switch x := v.(type) {
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			r, err := resolve(e, root, depth+1)
			if err != nil {
				return nil, err
			}
			out[i] = r
		}
		return out, nil
	case *pyjson.Object:
		if ref, ok := x.Get("$ref"); ok {
			to, err := refersTo(root, pyjson.Str(ref))
			if err != nil {
				return nil, err
			}
			return resolve(to, root, depth+1)
		}
		out := pyjson.Sized(x.Len())
		for k, e := range x.All() {
			r, err := resolve(e, root, depth+1)
			if err != nil {
				return nil, err
			}
			out.Set(k, r)
		}
		return out, nil
	}
	return v, nil
}

// refersTo finds what a reference within a schema, as #/$defs/Name, means.
func refersTo(root *pyjson.Object, ref string) (any, error) {
	steps, ok := strings.CutPrefix(ref, "#/")
	var at any = root
	for _, s := range strings.Split(steps, "/") {
		o, isObject := at.(*pyjson.Object)
		if !ok || !isObject || !o.Has(s) {
			return nil, fmt.Errorf("the schema refers to %s, which is not in it", ref)
		}
		at, _ = o.Get(s)
	}
	return at, nil
}

// kind is what a schema describes.
type kind int

const (
	scalar kind = iota
	union
	model    // an object of known properties
	dict     // an object with free keys
	anything // of which nothing is known
	list
)

func kindOf(s *pyjson.Object) kind {
	t, _ := s.Get("type")
	switch {
	case s.Has("anyOf"), isList(t):
		return union
	case s.Has("properties"):
		return model
	case t == "object" && object(s, "additionalProperties") != nil:
		return dict
	case t == "object", t == nil && !s.Has("enum") && !s.Has("const"):
		return anything
	case t == "array":
		return list
	}
	return scalar
}

func isList(v any) bool {
	_, ok := v.([]any)
	return ok
}

// object returns a property that is an object, else nil.
func object(s *pyjson.Object, key string) *pyjson.Object {
	v, _ := s.Get(key)
	o, _ := v.(*pyjson.Object)
	return o
}

// elements is the schema of a list's elements.
func elements(s *pyjson.Object) *pyjson.Object {
	if items := object(s, "items"); items != nil {
		return items
	}
	return pyjson.NewObject()
}

// ways lists the members of a union.
func ways(s *pyjson.Object) []*pyjson.Object {
	var out []*pyjson.Object
	if all, ok := s.Get("anyOf"); ok {
		members, _ := all.([]any)
		for _, m := range members {
			if o, ok := m.(*pyjson.Object); ok {
				out = append(out, o)
			}
		}
		return out
	}
	types, _ := s.Get("type")
	for _, t := range types.([]any) {
		one := s.Shallow()
		one.Set("type", t)
		out = append(out, one)
	}
	return out
}

// required tells whether a model has to have a property.
func required(s *pyjson.Object, name string) bool {
	v, _ := s.Get("required")
	names, _ := v.([]any)
	return slices.Contains(names, any(name))
}

// nullable tells whether null fits a schema.
func nullable(s *pyjson.Object) bool {
	if t, _ := s.Get("type"); t == "null" {
		return true
	}
	return kindOf(s) == union && slices.ContainsFunc(ways(s), nullable)
}

// tighten writes a schema in the form.
func tighten(s *pyjson.Object) *pyjson.Object {
	out := pyjson.NewObject()
	switch kindOf(s) {
	case union:
		var all []any
		for _, w := range ways(s) {
			all = append(all, tighten(w))
		}
		out.Set("anyOf", all)
	case model:
		out = tightModel(s)
	case dict:
		entry := strict(pyjson.NewObject("key", pyjson.NewObject("type", "string"), "value", tighten(object(s, "additionalProperties"))))
		out.Set("type", "array")
		out.Set("items", entry)
	case anything:
		return pyjson.NewObject("type", "string", "description", "JSON as text")
	case list:
		out.Set("type", "array")
		out.Set("items", tighten(elements(s)))
	case scalar:
		for _, k := range []string{"type", "enum"} {
			if v, ok := s.Get(k); ok {
				out.Set(k, v)
			}
		}
		if v, ok := s.Get("const"); ok {
			out.Set("type", "string")
			out.Set("enum", []any{v})
		}
	}
	if d, ok := s.Get("description"); ok {
		out.Set("description", d)
	}
	return out
}

func tightModel(s *pyjson.Object) *pyjson.Object {
	fields := pyjson.NewObject()
	for name, v := range object(s, "properties").All() {
		inner, ok := v.(*pyjson.Object)
		if !ok {
			inner = pyjson.NewObject()
		}
		t := tighten(inner)
		if !required(s, name) && !nullable(inner) {
			t = pyjson.NewObject("anyOf", []any{t, pyjson.NewObject("type", "null")})
		}
		fields.Set(name, t)
	}
	return strict(fields)
}

// strict is the schema of an object that has all of its properties and no others.
func strict(fields *pyjson.Object) *pyjson.Object {
	names := []any{}
	for k := range fields.All() {
		names = append(names, k)
	}
	return pyjson.NewObject("type", "object", "properties", fields, "required", names, "additionalProperties", false)
}

// fits tells whether a value in the domain's shape fits a schema, as far as it
// takes to tell the members of a union apart.
func fits(s *pyjson.Object, v any) bool {
	switch kindOf(s) {
	case union:
		return slices.ContainsFunc(ways(s), func(w *pyjson.Object) bool { return fits(w, v) })
	case model:
		o, ok := v.(*pyjson.Object)
		if !ok {
			return false
		}
		fields := object(s, "properties")
		for k, e := range o.All() {
			inner := object(fields, k)
			if inner == nil || !fits(inner, e) && (e != nil || required(s, k)) {
				return false
			}
		}
		for k := range fields.All() {
			if required(s, k) && !o.Has(k) {
				return false
			}
		}
		return true
	case dict:
		_, ok := v.(*pyjson.Object)
		return ok
	case list:
		return isList(v)
	case anything:
		return true
	}
	return fitsScalar(s, v)
}

func fitsScalar(s *pyjson.Object, v any) bool {
	if c, ok := s.Get("const"); ok {
		return pyjson.Equal(c, v)
	}
	if e, ok := s.Get("enum"); ok {
		options, _ := e.([]any)
		return slices.ContainsFunc(options, func(o any) bool { return pyjson.Equal(o, v) })
	}
	t, _ := s.Get("type")
	_, isText := v.(string)
	_, isBool := v.(bool)
	_, whole := pyjson.AsInt(v)
	switch t {
	case "string":
		return isText
	case "boolean":
		return isBool
	case "null":
		return v == nil
	case "integer":
		return whole && !isBool
	case "number":
		return pyjson.IsNumber(v) && !isBool
	}
	return false
}

func pack(s *pyjson.Object, v any) any {
	switch kindOf(s) {
	case union:
		for _, w := range ways(s) {
			if fits(w, v) {
				return pack(w, v)
			}
		}
	case model:
		if o, ok := v.(*pyjson.Object); ok {
			out := pyjson.NewObject()
			for name, inner := range object(s, "properties").All() {
				e, has := o.Get(name)
				if i, ok := inner.(*pyjson.Object); ok && has && e != nil {
					e = pack(i, e)
				}
				out.Set(name, e)
			}
			return out
		}
	case dict:
		if o, ok := v.(*pyjson.Object); ok {
			out := []any{}
			for k, e := range o.All() {
				out = append(out, pyjson.NewObject("key", k, "value", pack(object(s, "additionalProperties"), e)))
			}
			return out
		}
	case anything:
		return string(pyjson.Append(nil, v, pyjson.UTF8))
	case list:
		if l, ok := v.([]any); ok {
			out := make([]any, len(l))
			for i, e := range l {
				out[i] = pack(elements(s), e)
			}
			return out
		}
	}
	return v
}

func misfit(at, format string, args ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{strings.TrimPrefix(at, ".")}, args...)...)
}

func unpack(s *pyjson.Object, v any, at string) (any, error) {
	switch kindOf(s) {
	case union:
		return unpackUnion(s, v, at)
	case model:
		return unpackModel(s, v, at)
	case dict:
		return unpackDict(s, v, at)
	case anything:
		text, ok := v.(string)
		if !ok {
			return nil, misfit(at, "want JSON as text")
		}
		out, err := pyjson.Decode([]byte(text))
		if err != nil {
			return nil, misfit(at, "the text is no JSON: %w", err)
		}
		return out, nil
	case list:
		l, ok := v.([]any)
		if !ok {
			return nil, misfit(at, "want a list")
		}
		out := make([]any, len(l))
		for i, e := range l {
			inner, err := unpack(elements(s), e, fmt.Sprintf("%s[%d]", at, i))
			if err != nil {
				return nil, err
			}
			out[i] = inner
		}
		return out, nil
	}
	if !fitsScalar(s, v) {
		return nil, misfit(at, "%s does not fit %s", spell(v), spell(tighten(s)))
	}
	return v, nil
}

func spell(v any) string { return string(pyjson.Append(nil, v, pyjson.UTF8)) }

// unpackUnion takes the first member that fits; the error is that of the member
// that fails last.
func unpackUnion(s *pyjson.Object, v any, at string) (any, error) {
	var last error
	for _, w := range ways(s) {
		out, err := unpack(w, v, at)
		if err == nil {
			return out, nil
		}
		if t, _ := w.Get("type"); last == nil || t != "null" {
			last = err
		}
	}
	return nil, last
}

func unpackModel(s *pyjson.Object, v any, at string) (any, error) {
	o, ok := v.(*pyjson.Object)
	if !ok {
		return nil, misfit(at, "want an object")
	}
	fields, out := object(s, "properties"), pyjson.NewObject()
	for name, inner := range fields.All() {
		i, isSchema := inner.(*pyjson.Object)
		e, has := o.Get(name)
		switch {
		case !has && required(s, name):
			return nil, misfit(at+"."+name, "it is missing")
		case !has, e == nil && !required(s, name) && !(isSchema && nullable(i)):
			continue
		}
		if isSchema {
			var err error
			if e, err = unpack(i, e, at+"."+name); err != nil {
				return nil, err
			}
		}
		out.Set(name, e)
	}
	for name := range o.All() {
		if !fields.Has(name) {
			return nil, misfit(at+"."+name, "there is no such field")
		}
	}
	return out, nil
}

func unpackDict(s *pyjson.Object, v any, at string) (any, error) {
	entries, ok := v.([]any)
	if !ok {
		return nil, misfit(at, "want a list of keys and values")
	}
	out := pyjson.NewObject()
	for i, e := range entries {
		entry, _ := e.(*pyjson.Object)
		k, _ := entry.Get("key")
		key, isText := k.(string)
		value, has := entry.Get("value")
		if !isText || !has {
			return nil, misfit(fmt.Sprintf("%s[%d]", at, i), "want a key and a value")
		}
		inner, err := unpack(object(s, "additionalProperties"), value, at+"."+key)
		if err != nil {
			return nil, err
		}
		out.Set(key, inner)
	}
	return out, nil
}
