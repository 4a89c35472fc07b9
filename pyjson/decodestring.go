package pyjson

import (
	"unicode/utf16"
	"unicode/utf8"
)

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
