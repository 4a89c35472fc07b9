package calc

import (
	"math/big"
	"strings"

	"taste/pyjson"
)

// Limits of CPython: nesting of parentheses and digits of a whole number.
const (
	maxNesting = 200
	maxDigits  = 4300
	maxUnary   = 1000 // CPython gives up somewhere beyond, by its stack
)

// eval parses and computes at once; there is nothing to short-circuit. Any use
// of () or of a call is an error in the end, so both are ErrType at once
// unless the syntax is broken, which wins.
func eval(expr string) (any, error) {
	p := &parser{src: expr}
	v := p.sum()
	if p.space(); p.err == nil && p.pos < len(p.src) {
		p.syntax()
	}
	if p.err != nil {
		return nil, p.err
	}
	return v, p.fault
}

type parser struct {
	src   string
	pos   int
	depth int   // of operators and parentheses
	open  int   // parentheses
	err   error // syntax: ends the parse
	fault error // first error of computing; parsing goes on
}

func (p *parser) syntax() any {
	if p.err == nil {
		p.err = ErrSyntax
	}
	return nil
}

// compute applies f unless an operand has already failed.
func (p *parser) compute(f func() (any, error)) any {
	if p.err != nil || p.fault != nil {
		return nil
	}
	v, err := f()
	p.fault = err
	return v
}

func (p *parser) space() {
	for p.pos < len(p.src) && p.src[p.pos] == ' ' {
		p.pos++
	}
}

// operator returns the operator at the current position without taking it.
func (p *parser) operator() string {
	p.space()
	rest := p.src[p.pos:]
	for _, op := range []string{"**", "//", "+", "-", "*", "/", "(", ")"} {
		if strings.HasPrefix(rest, op) {
			return op
		}
	}
	return ""
}

func (p *parser) take(op string) bool {
	if p.err != nil || p.operator() != op {
		return false
	}
	p.pos += len(op)
	return true
}

func (p *parser) sum() any {
	v := p.product()
	for p.err == nil {
		op := p.operator()
		if op != "+" && op != "-" {
			break
		}
		p.pos++
		left, right := v, p.product()
		v = p.compute(func() (any, error) {
			if op == "+" {
				return add(left, right)
			}
			return sub(left, right)
		})
	}
	return v
}

var products = map[string]func(a, b any) (any, error){"*": mul, "/": divide, "//": floorDivide}

func (p *parser) product() any {
	v := p.unary()
	for p.err == nil {
		op := p.operator()
		f, ok := products[op]
		if !ok {
			break
		}
		p.pos += len(op)
		left, right := v, p.unary()
		v = p.compute(func() (any, error) { return f(left, right) })
	}
	return v
}

func (p *parser) unary() any {
	if p.depth++; p.depth > maxUnary {
		return p.syntax()
	}
	defer func() { p.depth-- }()
	switch {
	case p.take("+"):
		return p.unary()
	case p.take("-"):
		v := p.unary()
		return p.compute(func() (any, error) { return negate(v) })
	}
	return p.power()
}

func (p *parser) power() any {
	v := p.primary()
	if !p.take("**") {
		return v
	}
	e := p.unary()
	return p.compute(func() (any, error) { return power(v, e) })
}

// primary is an atom, perhaps called.
func (p *parser) primary() any {
	v := p.atom()
	for p.take("(") {
		p.arguments()
		p.compute(func() (any, error) { return nil, ErrType })
		v = nil
	}
	return v
}

// arguments reads what stands in the parentheses of a call: nothing, or one
// expression that may be starred.
func (p *parser) arguments() {
	if p.take(")") {
		return
	}
	if !p.take("**") {
		p.take("*")
	}
	p.sum()
	if !p.take(")") {
		p.syntax()
	}
}

func (p *parser) atom() any {
	if p.take("(") {
		return p.group()
	}
	if strings.HasPrefix(p.src[p.pos:], "...") {
		p.pos += 3
		return p.compute(func() (any, error) { return nil, errEllipsis })
	}
	return p.number()
}

func (p *parser) group() any {
	if p.open++; p.open > maxNesting {
		return p.syntax()
	}
	defer func() { p.open-- }()
	if p.take(")") {
		return p.compute(func() (any, error) { return nil, errTuple })
	}
	v := p.sum()
	if !p.take(")") {
		return p.syntax()
	}
	return v
}

func (p *parser) digits() string {
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos] >= '0' && p.src[p.pos] <= '9' {
		p.pos++
	}
	return p.src[start:p.pos]
}

func (p *parser) number() any {
	if p.err != nil {
		return nil
	}
	whole, frac := p.digits(), ""
	point := p.pos < len(p.src) && p.src[p.pos] == '.'
	if point {
		p.pos++
		frac = p.digits()
	}
	switch {
	case whole == "" && frac == "":
		return p.syntax()
	case point:
		return parseFloat(whole + "." + frac)
	case len(whole) > maxDigits, whole[0] == '0' && strings.Trim(whole, "0") != "":
		return p.syntax()
	}
	return pyjson.ParseInt(whole)
}

func parseFloat(s string) any {
	f, _, err := big.ParseFloat("0"+s+"0", 10, 64+uint(4*len(s)), big.ToNearestEven)
	if err != nil {
		return nil
	}
	v, _ := f.Float64()
	return v
}
