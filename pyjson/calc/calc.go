// Package calc evaluates arithmetic the way Python evaluates it: whole numbers
// of any size, / that makes a float, // that rounds down, ** from the right.
package calc

import (
	"errors"
	"strings"

	"taste/pyjson"
)

// Errors, by the Python exception they stand for.
var (
	ErrCharacters = errors.New("Invalid characters in expression") //nolint:staticcheck // the reference's text
	ErrSyntax     = errors.New("invalid syntax (<string>, line 1)")
	ErrType       = errors.New("unsupported operand")
	ErrZero       = errors.New("division by zero")
	ErrOverflow   = errors.New("(34, 'Numerical result out of range')")
)

// Wordings of the interpreter; each counts as the error it wraps.
var (
	errFloatZero = &worded{"float division by zero", ErrZero}
	errFloorZero = &worded{"integer division or modulo by zero", ErrZero}
	errFloatMod  = &worded{"float floor division by zero", ErrZero}
	errZeroPower = &worded{"0.0 cannot be raised to a negative power", ErrZero}
	errToFloat   = &worded{"int too large to convert to float", ErrOverflow}
	errQuotient  = &worded{"integer division result too large for a float", ErrOverflow}
	errTuple     = &worded{"float() argument must be a string or a real number, not 'tuple'", ErrType}
	errComplex   = &worded{"float() argument must be a string or a real number, not 'complex'", ErrType}
	errEllipsis  = &worded{"float() argument must be a string or a real number, not 'ellipsis'", ErrType}
)

type worded struct {
	text string
	kind error
}

func (w *worded) Error() string { return w.text }
func (w *worded) Unwrap() error { return w.kind }

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
		return "", errToFloat
	}
	return string(pyjson.AppendFloat(nil, pyjson.Round2(f))), nil
}

// Allowed says whether every character is one that expressions may hold.
func Allowed(expr string) bool { return strings.Trim(expr, allowed) == "" }

// Part says whether s is a piece of the list of allowed characters, which is
// what Python's "in" asks of a longer string.
func Part(s string) bool { return strings.Contains(allowed, s) }
