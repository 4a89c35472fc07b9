package pyjson

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"unicode/utf16"
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
	{"null", nil}, {"true", true}, {"false", false},
	{"NaN", math.NaN()}, {"Infinity", math.Inf(1)}, {"-Infinity", math.Inf(-1)},
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

func (p *parser) digits() int {
	start := p.pos
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.pos++
	}
	return p.pos - start
}

func (p *parser) number() (any, error) {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
	}
	if p.peek() == '0' {
		p.pos++
	} else if p.digits() == 0 {
		return nil, p.fail(start, "expecting a value")
	}
	isFloat := false
	if mark := p.pos; p.peek() == '.' {
		p.pos++
		if isFloat = p.digits() > 0; !isFloat {
			p.pos = mark
		}
	}
	if mark := p.pos; p.peek() == 'e' || p.peek() == 'E' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		if p.digits() > 0 {
			isFloat = true
		} else {
			p.pos = mark
		}
	}
	text := string(p.src[start:p.pos])
	if isFloat {
		return parseFloat(text), nil
	}
	return ParseInt(text), nil
}

// parseFloat never fails on a number's text: beyond the range it is infinite.
func parseFloat(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// ParseInt turns a decimal integer's text into int64 or, beyond it, *big.Int.
func ParseInt(text string) any {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	b, _ := new(big.Int).SetString(text, 10)
	return b
}

func (p *parser) str() (any, error) {
	start := p.pos
	p.pos++
	for i := p.pos; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '"':
			s := string(p.src[p.pos:i])
			p.pos = i + 1
			return s, nil
		case c == '\\':
			return p.escaped(start, i)
		case c < 0x20:
			return nil, p.fail(i, "control character in a string")
		}
	}
	return nil, p.fail(start, "string without an end")
}

// escaped reads on from the first backslash, at i.
func (p *parser) escaped(start, i int) (any, error) {
	buf := append([]byte(nil), p.src[p.pos:i]...)
	p.pos = i
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == '"':
			p.pos++
			return string(buf), nil
		case c == '\\':
			var err error
			if buf, err = p.escape(buf); err != nil {
				return nil, err
			}
			continue
		case c < 0x20:
			return nil, p.fail(p.pos, "control character in a string")
		}
		buf = append(buf, c)
		p.pos++
	}
	return nil, p.fail(start, "string without an end")
}

var simpleEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *parser) escape(buf []byte) ([]byte, error) {
	at := p.pos
	p.pos++
	c := p.peek()
	if r, ok := simpleEscapes[c]; ok {
		p.pos++
		return append(buf, r), nil
	}
	if c != 'u' {
		return nil, p.fail(at, "unknown escape")
	}
	r, ok := p.hex4()
	if !ok {
		return nil, p.fail(at, "unknown \\u escape")
	}
	if utf16.IsSurrogate(r) && p.peek() == '\\' && p.pos+1 < len(p.src) && p.src[p.pos+1] == 'u' {
		mark := p.pos
		p.pos++
		if low, ok := p.hex4(); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return utf8.AppendRune(buf, both), nil
			}
		}
		p.pos = mark
	}
	return appendWTF8(buf, r), nil
}

// hex4 reads the four digits after the u at the current position.
func (p *parser) hex4() (rune, bool) {
	if p.pos+5 > len(p.src) {
		return 0, false
	}
	var r rune
	for _, c := range p.src[p.pos+1 : p.pos+5] {
		d, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		r = r<<4 | d
	}
	p.pos += 5
	return r, true
}

func hexDigit(c byte) (rune, bool) {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0'), true
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10, true
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10, true
	}
	return 0, false
}

func appendWTF8(buf []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(buf, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(buf, r)
}

// decodeWTF8 is utf8.DecodeRuneInString that also knows lone surrogates.
func decodeWTF8(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, n
}
