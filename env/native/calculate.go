package native

import (
	"errors"

	"taste/env"
	"taste/pyjson"
	"taste/pyjson/calc"
)

// Calculate is the tool of that name: it spells the value of an arithmetic
// expression, rounded to cents.
func Calculate(expression any) (any, error) {
	expr, ok := expression.(string)
	if !ok {
		return nil, calculateOther(expression)
	}
	text, err := calc.Rounded(expr)
	switch {
	case err == nil:
		return text, nil
	case errors.Is(err, calc.ErrCharacters):
		return nil, env.ValueError(err.Error())
	}
	return nil, &env.Fault{Class: calcClass(err), Text: err.Error(), Inexact: true}
}

func calcClass(err error) string {
	switch {
	case errors.Is(err, calc.ErrSyntax):
		return "SyntaxError"
	case errors.Is(err, calc.ErrZero):
		return "ZeroDivisionError"
	case errors.Is(err, calc.ErrOverflow):
		return "OverflowError"
	}
	return "TypeError"
}

// calculateOther is the failure of an expression that is no string: its
// elements, where it has any, are looked at like characters first.
func calculateOther(v any) error {
	var elements []any
	switch x := v.(type) {
	case []any:
		elements = x
	case *pyjson.Object:
		for _, k := range x.Keys() {
			elements = append(elements, k)
		}
	default:
		return env.NotIterable(v)
	}
	for _, e := range elements {
		s, ok := e.(string)
		if !ok {
			return &env.Fault{
				Class: "TypeError", Inexact: true,
				Text: "'in <string>' requires string as left operand, not " + pyjson.TypeName(e),
			}
		}
		if !calc.Part(s) {
			return env.ValueError(calc.ErrCharacters.Error())
		}
	}
	return &env.Fault{Class: "TypeError", Text: "eval() arg 1 must be a string, bytes or code object", Inexact: true}
}
