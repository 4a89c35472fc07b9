// Package calc evaluates arithmetic the way Python evaluates it: whole numbers
// of any size, / that makes a float, // that rounds down, ** from the right.
package calc

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"taste/pyjson"
)

// Errors, by the Python exception they stand for.
var (
	ErrCharacters = errors.New("Invalid characters in expression")
	ErrSyntax     = errors.New("invalid syntax")
	ErrType       = errors.New("unsupported operand")
	ErrZero       = errors.New("division by zero")
	ErrOverflow   = errors.New("result too large")
)

const allowed = "0123456789+-*/(). "

// Rounded evaluates an expression of digits, + - * / ( ) . and blanks and
// returns str(round(float(result), 2)), e.g. "3.0" for "1+2". Errors wrap the
// Err values of this package.
func Rounded(expr string) (string, error) {
	if !Allowed(expr) {
		return "", ErrCharacters
	}
	v, err := eval(expr)
	if err != nil {
		return "", err
	}
	f, err := pyjson.Float(v)
	if err != nil {
		return "", ErrOverflow
	}
	return string(pyjson.AppendFloat(nil, round2(f))), nil
}

// Allowed says whether every character is one that expressions may hold.
func Allowed(expr string) bool { return strings.Trim(expr, allowed) == "" }

// round2 rounds to two decimals by the exact binary value, halves to even, as
// Python's round does.
func round2(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) || math.Abs(f) >= 1<<52 {
		return f
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', 2, 64), 64)
	if err != nil {
		return f
	}
	return r
}
