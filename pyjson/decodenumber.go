package pyjson

import (
	"math/big"
	"strconv"
)

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
