package env

import (
	"errors"

	"taste/pyjson"
	"taste/pyjson/lax"
)

// Fault is a Python exception as a tool raises it.
type Fault struct {
	Class   string // exception class, e.g. "ValueError"
	Text    string // str(exception)
	Inexact bool   // Text only approximates the reference's
}

func (f *Fault) Error() string { return f.Text }

// Exception returns the class.
func (f *Fault) Exception() string { return f.Class }

// ValueError makes the exception that tools raise themselves.
func ValueError(text string) *Fault { return &Fault{Class: "ValueError", Text: text} }

// TypeFault makes a TypeError.
func TypeFault(text string) *Fault { return &Fault{Class: "TypeError", Text: text} }

// inside makes a fault whose text comes from the interpreter.
func inside(class, text string) *Fault { return &Fault{Class: class, Text: text, Inexact: true} }

// KeyError is a dict's failed look-up of key.
func KeyError(key any) *Fault { return inside("KeyError", pyjson.Repr(key)) }

// Unhashable is the use of a list or dict as a key.
func Unhashable(v any) *Fault {
	return inside("TypeError", "unhashable type: '"+pyjson.TypeName(v)+"'")
}

// NotIterable is a loop over a value that has no elements.
func NotIterable(v any) *Fault {
	return inside("TypeError", "'"+pyjson.TypeName(v)+"' object is not iterable")
}

// NoAttribute is the access to a field that v lacks.
func NoAttribute(v any, name string) *Fault {
	return inside("AttributeError", "'"+pyjson.TypeName(v)+"' object has no attribute '"+name+"'")
}

// Operands is an operator between types that do not fit.
func Operands(op string, a, b any) *Fault {
	return inside("TypeError", "unsupported operand type(s) for "+op+": '"+pyjson.TypeName(a)+"' and '"+pyjson.TypeName(b)+"'")
}

// KeyOf returns v as a dict key: ok is false for a hashable value that is no
// string and so is in no table; a list or dict is a TypeError.
func KeyOf(v any) (key string, ok bool, err error) {
	switch x := v.(type) {
	case string:
		return x, true, nil
	case []any, *pyjson.Object:
		return "", false, Unhashable(v)
	}
	return "", false, nil
}

// Failure is the result of a call that raised err.
func Failure(err error) Result {
	r := Result{Content: "Error: " + err.Error(), Error: true, Exception: "Exception"}
	var f *Fault
	var l *lax.Error
	switch {
	case errors.As(err, &f):
		r.Exception, r.Inexact = f.Class, f.Inexact
	case errors.As(err, &l):
		r.Exception, r.Inexact = "ValidationError", true
	}
	return r
}

// reserved rejects arguments whose names collide with parameters of the
// reference's own dispatch function.
func reserved(args *pyjson.Object) error {
	if args.Has("requestor") {
		return TypeFault("tau2.environment.environment.Environment.make_tool_call() got multiple values for keyword argument 'requestor'")
	}
	for _, k := range args.Keys() {
		if k == "self" || k == "tool_name" {
			return TypeFault("Environment.make_tool_call() got multiple values for argument '" + k + "'")
		}
	}
	return nil
}
