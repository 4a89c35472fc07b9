package chat

import "taste/pyjson"

// Writer builds the JSON object of a typed value over the object that it was
// read from, if any: known keys are replaced in place, unknown ones stay, and
// a key that is absent there is added only where the value asks for it.
type Writer struct {
	out   *pyjson.Object
	fresh bool
}

// NewWriter starts from raw, which may be nil for a value made by a program.
func NewWriter(raw *pyjson.Object) *Writer {
	if raw == nil {
		return &Writer{out: &pyjson.Object{}, fresh: true}
	}
	return &Writer{out: raw.Shallow()}
}

// Put writes key always.
func (w *Writer) Put(key string, v any) { w.out.Set(key, v) }

// PutUnless writes key, except that a value equal to its default is not added
// to an object that was read without it. In a fresh object it is written if
// spell is true.
func (w *Writer) PutUnless(isDefault bool, spell bool, key string, v any) {
	if isDefault && !w.out.Has(key) && !(w.fresh && spell) {
		return
	}
	w.out.Set(key, v)
}

// Opt writes an optional string; nil is null.
func (w *Writer) Opt(spell bool, key string, s *string) {
	var v any
	if s != nil {
		v = *s
	}
	w.PutUnless(s == nil, spell, key, v)
}

// Strings writes a list of strings; nil is null.
func (w *Writer) Strings(spell bool, key string, l []string) {
	var v any
	if l != nil {
		v, _ = pyjson.FromGo(l)
	}
	w.PutUnless(l == nil, spell, key, v)
}

// List writes a list of values that turn themselves into JSON; nil is null.
func List[T any](w *Writer, spell bool, key string, l []T, toJSON func(*T) any) {
	var v any
	if l != nil {
		a := make([]any, len(l))
		for i := range l {
			a[i] = toJSON(&l[i])
		}
		v = a
	}
	w.PutUnless(l == nil, spell, key, v)
}

// Object returns what was written.
func (w *Writer) Object() *pyjson.Object { return w.out }
