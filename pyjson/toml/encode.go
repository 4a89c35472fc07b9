package toml

import (
	"fmt"
	"strings"

	"taste/pyjson"
)

// Append writes an object as a document: in each table what stands in one line
// first, then tables, then arrays of tables, each in its order. What is null is
// left out, for TOML has no word for it; null within a list is an error, and so
// is a number that is not whole and does not fit a float.
func Append(dst []byte, o *pyjson.Object) ([]byte, error) {
	w := &writer{out: dst}
	w.table("", o)
	return w.out, w.err
}

type writer struct {
	out []byte
	err error
}

// table writes the content of a table whose header stands already.
func (w *writer) table(path string, o *pyjson.Object) {
	for k, v := range o.All() {
		if v != nil && !isTable(v) && !isTables(v) {
			w.out = append(append(w.out, key(k)...), " = "...)
			w.value(v)
			w.out = append(w.out, '\n')
		}
	}
	for k, v := range o.All() {
		if inner, ok := v.(*pyjson.Object); ok {
			w.headed("[%s]\n", join(path, k), inner)
		}
	}
	for k, v := range o.All() {
		if list, ok := v.([]any); ok && isTables(list) {
			for _, e := range list {
				w.headed("[[%s]]\n", join(path, k), e.(*pyjson.Object))
			}
		}
	}
}

func (w *writer) headed(header, path string, o *pyjson.Object) {
	if len(w.out) > 0 {
		w.out = append(w.out, '\n')
	}
	w.out = fmt.Appendf(w.out, header, path)
	w.table(path, o)
}

// value writes what stands in one line.
func (w *writer) value(v any) {
	switch x := v.(type) {
	case string:
		w.out = appendText(w.out, x)
	case bool:
		w.out = fmt.Append(w.out, x)
	case []any:
		w.list(x)
	case *pyjson.Object:
		w.inline(x)
	default:
		if !pyjson.IsNumber(v) {
			w.fail(fmt.Errorf("write TOML: no word for %s", pyjson.Repr(v)))
			return
		}
		w.out = append(w.out, pyjson.Str(v)...)
	}
}

func (w *writer) list(list []any) {
	w.out = append(w.out, '[')
	for i, e := range list {
		if i > 0 {
			w.out = append(w.out, ", "...)
		}
		w.value(e)
	}
	w.out = append(w.out, ']')
}

func (w *writer) inline(o *pyjson.Object) {
	w.out = append(w.out, '{')
	sep := ""
	for k, v := range o.All() {
		if v != nil {
			w.out = append(append(append(w.out, sep...), key(k)...), " = "...)
			w.value(v)
			sep = ", "
		}
	}
	w.out = append(w.out, '}')
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func isTable(v any) bool {
	_, ok := v.(*pyjson.Object)
	return ok
}

// isTables tells whether a value is a list of tables alone.
func isTables(v any) bool {
	list, ok := v.([]any)
	for _, e := range list {
		ok = ok && isTable(e)
	}
	return ok && len(list) > 0
}

func join(path, name string) string {
	if path == "" {
		return key(name)
	}
	return path + "." + key(name)
}

// key spells a name, bare where that is possible.
func key(name string) string {
	bare := func(r rune) bool {
		return r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !bare(r) }) < 0 {
		return name
	}
	return string(appendText(nil, name))
}

// appendText writes a basic string.
func appendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < 0x20 || r == 0x7f:
			dst = fmt.Appendf(dst, `\u%04X`, r)
		default:
			dst = append(dst, string(r)...)
		}
	}
	return append(dst, '"')
}
