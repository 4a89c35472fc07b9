package chat

import (
	"errors"
	"fmt"

	"taste/pyjson"
)

// FieldError names the field, by its path inside the value that was read, and
// what is wrong with it.
type FieldError struct {
	Path string // e.g. tool_calls[0].arguments; "" is the value itself
	Msg  string
}

func (e *FieldError) Error() string {
	if e.Path == "" {
		return e.Msg
	}
	return e.Path + ": " + e.Msg
}

// Reader takes typed fields out of a JSON object and remembers the first
// fault. Its methods return zero values once it has failed.
type Reader struct {
	Obj  *pyjson.Object
	Path string
	err  *FieldError
}

// NewReader reads fields of v, which stands at path and must be an object.
func NewReader(v any, path string) *Reader {
	r := &Reader{Path: path}
	o, ok := v.(*pyjson.Object)
	if !ok {
		r.err = &FieldError{Path: path, Msg: "want an object, got " + kind(v)}
		return r
	}
	r.Obj = o
	return r
}

// Err returns the first fault, or nil.
func (r *Reader) Err() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// At returns the path of a key of this object.
func (r *Reader) At(key string) string { return Join(r.Path, key) }

// Join appends a key to a field path.
func Join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// Fail records a fault at key, unless there is one already.
func (r *Reader) Fail(key, msg string) {
	if r.err == nil {
		r.err = &FieldError{Path: r.At(key), Msg: msg}
	}
}

// Adopt records err, which already carries its full path.
func (r *Reader) Adopt(err error) {
	var fe *FieldError
	if errors.As(err, &fe) && r.err == nil {
		r.err = fe
	}
}

// Value returns the raw value of key; ok is false if it is absent or null.
func (r *Reader) Value(key string) (v any, ok bool) {
	if r.err != nil {
		return nil, false
	}
	v, ok = r.Obj.Get(key)
	return v, ok && v != nil
}

// String returns a required string.
func (r *Reader) String(key string) string {
	v, ok := r.Value(key)
	if !ok {
		r.Fail(key, "required string is missing")
		return ""
	}
	s, ok := v.(string)
	if !ok {
		r.Fail(key, "want a string, got "+kind(v))
	}
	return s
}

// OptString returns a string, or nil where it is absent or null.
func (r *Reader) OptString(key string) *string {
	v, ok := r.Value(key)
	if !ok {
		return nil
	}
	s, ok := v.(string)
	if !ok {
		r.Fail(key, "want a string or null, got "+kind(v))
		return nil
	}
	return &s
}

// StringOr returns a string, or def where it is absent.
func (r *Reader) StringOr(key, def string) string {
	if s := r.OptString(key); s != nil {
		return *s
	}
	return def
}

// BoolOr returns a boolean, or def where it is absent.
func (r *Reader) BoolOr(key string, def bool) bool {
	v, ok := r.Value(key)
	if !ok {
		return def
	}
	b, ok := v.(bool)
	if !ok {
		r.Fail(key, "want a boolean, got "+kind(v))
	}
	return b
}

// Bool returns a required boolean.
func (r *Reader) Bool(key string) bool {
	if _, ok := r.Value(key); !ok {
		r.Fail(key, "required boolean is missing")
	}
	return r.BoolOr(key, false)
}

// OptInt returns a whole number, or nil where it is absent or null.
func (r *Reader) OptInt(key string) *int {
	v, ok := r.Value(key)
	if !ok {
		return nil
	}
	i, ok := v.(int64)
	if !ok {
		r.Fail(key, "want a whole number or null, got "+kind(v))
		return nil
	}
	n := int(i)
	return &n
}

// Int returns a required whole number.
func (r *Reader) Int(key string) int {
	if n := r.OptInt(key); n != nil {
		return *n
	}
	r.Fail(key, "required whole number is missing")
	return 0
}

// OptFloat returns a number, or nil where it is absent or null.
func (r *Reader) OptFloat(key string) *float64 {
	v, ok := r.Value(key)
	if !ok {
		return nil
	}
	var f float64
	switch x := v.(type) {
	case float64:
		f = x
	case int64:
		f = float64(x)
	default:
		r.Fail(key, "want a number or null, got "+kind(v))
		return nil
	}
	return &f
}

// Object returns an object, or nil where it is absent or null.
func (r *Reader) Object(key string) *pyjson.Object {
	v, ok := r.Value(key)
	if !ok {
		return nil
	}
	o, ok := v.(*pyjson.Object)
	if !ok {
		r.Fail(key, "want an object, got "+kind(v))
	}
	return o
}

// NeedObject is Object of a key that must be there.
func (r *Reader) NeedObject(key string) *pyjson.Object {
	o := r.Object(key)
	if o == nil {
		r.Fail(key, "required object is missing")
	}
	return o
}

// List returns an array and whether it is there (and not null).
func (r *Reader) List(key string) ([]any, bool) {
	v, ok := r.Value(key)
	if !ok {
		return nil, false
	}
	l, ok := v.([]any)
	if !ok {
		r.Fail(key, "want an array, got "+kind(v))
	}
	return l, ok
}

// NeedList is List of a key that must be there.
func (r *Reader) NeedList(key string) []any {
	l, ok := r.List(key)
	if !ok {
		r.Fail(key, "required array is missing")
	}
	return l
}

// Strings returns an array of strings; nil where absent or null, empty but not
// nil where it is empty.
func (r *Reader) Strings(key string) []string {
	l, ok := r.List(key)
	if !ok {
		return nil
	}
	out := make([]string, len(l))
	for i, v := range l {
		s, ok := v.(string)
		if !ok {
			r.Fail(fmt.Sprintf("%s[%d]", key, i), "want a string, got "+kind(v))
			return nil
		}
		out[i] = s
	}
	return out
}

func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case []any:
		return "an array"
	case *pyjson.Object:
		return "an object"
	}
	return "a number"
}

// ReadList reads each element of the array at key with read, which gets the
// element and its path. The result is nil where the array is absent or null.
func ReadList[T any](r *Reader, key string, read func(v any, path string) (T, error)) []T {
	l, ok := r.List(key)
	if !ok {
		return nil
	}
	out := make([]T, 0, len(l))
	for i, v := range l {
		e, err := read(v, fmt.Sprintf("%s[%d]", r.At(key), i))
		if err != nil {
			r.Adopt(err)
			return nil
		}
		out = append(out, e)
	}
	return out
}
