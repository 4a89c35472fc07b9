package env

import (
	"errors"

	"taste/pyjson"
)

// Fault is a Python exception as a tool raises it.
type Fault struct {
	Class   string // exception class, e.g. "ValueError"
	Text    string // str(exception)
	Inexact bool   // Text only approximates the reference's
}

func (f *Fault) Error() string { return f.Text }

// ValueError makes the exception that tools raise themselves.
func ValueError(text string) *Fault { return &Fault{Class: "ValueError", Text: text} }

// TypeFault makes a TypeError.
func TypeFault(text string) *Fault { return &Fault{Class: "TypeError", Text: text} }

// Failure is the result of a call that raised err.
func Failure(err error) Result {
	r := Result{Content: "Error: " + err.Error(), Error: true, Exception: "Exception"}
	var f *Fault
	if errors.As(err, &f) {
		r.Exception, r.Inexact = f.Class, f.Inexact
	}
	return r
}

// reserved rejects arguments whose names collide with parameters of the
// reference's own dispatch function.
func reserved(args *pyjson.Object) (Result, bool) {
	for _, name := range []string{"requestor", "self", "tool_name"} {
		if !args.Has(name) {
			continue
		}
		text := "Environment.make_tool_call() got multiple values for argument '" + name + "'"
		if name == "requestor" {
			text = "tau2.environment.environment.Environment.make_tool_call() got multiple values for keyword argument 'requestor'"
		}
		return Failure(TypeFault(text)), true
	}
	return Result{}, false
}
