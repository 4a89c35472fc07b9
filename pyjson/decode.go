package pyjson

import (
	"bytes"
	"fmt"
	"math"
	"unicode/utf8"
)

// SyntaxError says where a JSON text is broken. Line and Column count from 1,
// Column in bytes.
type SyntaxError struct {
	Line, Column, Offset int
	Msg                  string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d column %d: %s", e.Line, e.Column, e.Msg)
}

// TypeError reports a value of another JSON type than wanted.
type TypeError struct{ Want, Got string }

func (e *TypeError) Error() string { return "want " + e.Want + ", got " + e.Got }

// CutBOM takes away the byte order mark that some editors put before UTF-8.
// Decode does not, as Python does not.
func CutBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) }

// Decode parses one JSON text. Of a repeated key the last value counts, at the
// first one's place. Errors are *SyntaxError.
func Decode(data []byte) (any, error) {
	p := parser{src: data}
	v, err := p.document()
	if err != nil {
		return nil, err
	}
	return v, nil
}

// DecodeFile is Decode for the content of a file: a byte order mark is cut off,
// and bytes that are no UTF-8 are refused, as Python refuses to read such a file.
func DecodeFile(data []byte) (any, error) {
	data = CutBOM(data)
	if !utf8.Valid(data) {
		return nil, (&parser{src: data}).fail(validUTF8(data), "byte that is no UTF-8")
	}
	return Decode(data)
}

// validUTF8 counts the bytes before the first that is no UTF-8.
func validUTF8(data []byte) int {
	at := 0
	for at < len(data) {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}

// DecodeObject is Decode for a text that must be an object.
func DecodeObject(data []byte) (*Object, error) {
	v, err := Decode(data)
	if err != nil {
		return nil, err
	}
	o, ok := v.(*Object)
	if !ok {
		return nil, &TypeError{Want: "object", Got: TypeName(v)}
	}
	return o, nil
}

// maxDepth bounds nesting, so that hostile input ends in an error and not in
// an exhausted stack. Python's own limit is its recursion limit, about 1000.
const maxDepth = 990

type parser struct {
	src   []byte
	pos   int
	depth int
}

func (p *parser) fail(at int, msg string) error {
	line, col := 1, 1
	for _, c := range p.src[:min(at, len(p.src))] {
		col++
		if c == '\n' {
			line, col = line+1, 1
		}
	}
	return &SyntaxError{Line: line, Column: col, Offset: at, Msg: msg}
}

func (p *parser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) peek() byte {
	if p.pos < len(p.src) {
		return p.src[p.pos]
	}
	return 0
}

func (p *parser) document() (any, error) {
	p.space()
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.pos < len(p.src) {
		return nil, p.fail(p.pos, "extra data after the value")
	}
	return v, nil
}

// literals are the words of JSON and of Python's extension of it.
var literals = []struct {
	text  string
	value any
}{
	{"null", nil},
	{"true", true},
	{"false", false},
	{"NaN", math.NaN()},
	{"Infinity", math.Inf(1)},
	{"-Infinity", math.Inf(-1)},
}

func (p *parser) value() (any, error) {
	switch c := p.peek(); {
	case c == '{':
		return p.nested(p.object)
	case c == '[':
		return p.nested(p.array)
	case c == '"':
		return p.str()
	case c >= '0' && c <= '9', c == '-' && p.pos+1 < len(p.src) && p.src[p.pos+1] != 'I':
		return p.number()
	}
	rest := p.src[p.pos:]
	for _, l := range literals {
		if len(rest) >= len(l.text) && string(rest[:len(l.text)]) == l.text {
			p.pos += len(l.text)
			return l.value, nil
		}
	}
	return nil, p.fail(p.pos, "expecting a value")
}

func (p *parser) nested(f func() (any, error)) (any, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(p.pos, "nested too deeply")
	}
	p.pos++
	v, err := f()
	p.depth--
	return v, err
}

func (p *parser) array() (any, error) {
	out := []any{}
	p.space()
	if p.peek() == ']' {
		p.pos++
		return out, nil
	}
	for {
		p.space()
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		done, err := p.separator(']')
		if err != nil || done {
			return out, err
		}
	}
}

// separator consumes a comma, or the closing byte (done).
func (p *parser) separator(end byte) (done bool, err error) {
	p.space()
	switch p.peek() {
	case end:
		p.pos++
		return true, nil
	case ',':
		p.pos++
		return false, nil
	}
	return false, p.fail(p.pos, fmt.Sprintf("expecting ',' or '%c'", end))
}

func (p *parser) object() (any, error) {
	o := &Object{}
	p.space()
	if p.peek() == '}' {
		p.pos++
		return o, nil
	}
	for {
		p.space()
		if p.peek() != '"' {
			return nil, p.fail(p.pos, "expecting a key in double quotes")
		}
		key, err := p.str()
		if err != nil {
			return nil, err
		}
		if p.space(); p.peek() != ':' {
			return nil, p.fail(p.pos, "expecting ':'")
		}
		p.pos++
		p.space()
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		o.Set(key.(string), v)
		done, err := p.separator('}')
		if err != nil || done {
			return o, err
		}
	}
}
