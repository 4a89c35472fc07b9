package pyjson

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"sync"
)

// Style chooses how a value is written.
type Style struct {
	Sort   bool   // keys in ascending order
	ASCII  bool   // everything beyond ASCII as \u escapes
	Indent string // "" for one line; else one level of indentation
	Tight  bool   // no blank after , and : (one line only)
}

var (
	// Python is json.dumps with its defaults: ", " and ": ", ASCII escapes.
	Python = Style{ASCII: true}
	// Hash is the form that τ² hashes: Python with sorted keys.
	Hash = Style{ASCII: true, Sort: true}
	// UTF8 is Python with ensure_ascii off.
	UTF8 = Style{}
)

// buffers are scratch space for Dumps.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Dumps returns json.dumps(v).
func Dumps(v any) string {
	buf := buffers.Get().(*[]byte)
	*buf = Append((*buf)[:0], v, Python)
	s := string(*buf)
	buffers.Put(buf)
	return s
}

// Append writes v after dst in the given style. It panics on a Go value that
// is none of the package's, which is a mistake of the program.
func Append(dst []byte, v any, s Style) []byte {
	w := writer{buf: dst, Style: s}
	w.value(v, 0)
	return w.buf
}

type writer struct {
	buf []byte
	Style
}

func (w *writer) value(v any, depth int) {
	switch x := v.(type) {
	case nil:
		w.buf = append(w.buf, "null"...)
	case bool:
		w.buf = strconv.AppendBool(w.buf, x)
	case string:
		w.buf = AppendString(w.buf, x, w.ASCII)
	case int64:
		w.buf = strconv.AppendInt(w.buf, x, 10)
	case int:
		w.buf = strconv.AppendInt(w.buf, int64(x), 10)
	case *big.Int:
		w.buf = x.Append(w.buf, 10)
	case float64:
		w.buf = appendJSONFloat(w.buf, x)
	case []any:
		w.array(x, depth)
	case *Object:
		w.object(x, depth)
	default:
		v, err := FromGo(v)
		if err != nil {
			panic(fmt.Sprintf("pyjson: write %T", x))
		}
		w.value(v, depth)
	}
}

func appendJSONFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	return AppendFloat(dst, f)
}

func (w *writer) open(c byte) { w.buf = append(w.buf, c) }

// next starts the i-th member at depth.
func (w *writer) next(i, depth int) {
	if i > 0 {
		w.buf = append(w.buf, ',')
		if w.Indent == "" && !w.Tight {
			w.buf = append(w.buf, ' ')
		}
	}
	w.newline(depth)
}

func (w *writer) newline(depth int) {
	if w.Indent == "" {
		return
	}
	w.buf = append(w.buf, '\n')
	for range depth {
		w.buf = append(w.buf, w.Indent...)
	}
}

func (w *writer) array(a []any, depth int) {
	w.open('[')
	for i, v := range a {
		w.next(i, depth+1)
		w.value(v, depth+1)
	}
	if len(a) > 0 {
		w.newline(depth)
	}
	w.open(']')
}

func (w *writer) object(o *Object, depth int) {
	if o == nil {
		w.buf = append(w.buf, "null"...)
		return
	}
	w.open('{')
	if w.Sort {
		for i, at := range o.sorted() {
			w.member(i, o.keys[at], o.vals[at], depth)
		}
	} else {
		for i, k := range o.keys {
			w.member(i, k, o.vals[i], depth)
		}
	}
	if o.Len() > 0 {
		w.newline(depth)
	}
	w.open('}')
}

func (w *writer) member(i int, key string, v any, depth int) {
	w.next(i, depth+1)
	w.buf = AppendString(w.buf, key, w.ASCII)
	w.buf = append(w.buf, ':')
	if !w.Tight {
		w.buf = append(w.buf, ' ')
	}
	w.value(v, depth+1)
}

const hexDigits = "0123456789abcdef"

// AppendString writes s as a JSON string.
func AppendString(dst []byte, s string, ascii bool) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x80 {
			r, n := decodeWTF8(s[i:])
			dst = appendRune(dst, s[i:i+n], r, ascii)
			i += n
			continue
		}
		dst = appendASCII(dst, c, ascii)
		i++
	}
	return append(dst, '"')
}

func appendASCII(dst []byte, c byte, ascii bool) []byte {
	switch {
	case c == '"', c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, '\\', 'n')
	case c == '\r':
		return append(dst, '\\', 'r')
	case c == '\t':
		return append(dst, '\\', 't')
	case c == '\b':
		return append(dst, '\\', 'b')
	case c == '\f':
		return append(dst, '\\', 'f')
	case c < 0x20, c == 0x7f && ascii:
		return appendU(dst, rune(c))
	}
	return append(dst, c)
}

func appendRune(dst []byte, raw string, r rune, ascii bool) []byte {
	switch {
	case r >= 0xD800 && r <= 0xDFFF:
		return appendU(dst, r)
	case !ascii:
		return append(dst, raw...)
	case r >= 0x10000:
		r -= 0x10000
		return appendU(appendU(dst, 0xD800|r>>10), 0xDC00|r&0x3FF)
	}
	return appendU(dst, r)
}

func appendU(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}
