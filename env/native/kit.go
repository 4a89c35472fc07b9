package native

import (
	"taste/env"
	"taste/pyjson"
)

// Kit is the functions of one side over a state of type S.
type Kit[S any] struct {
	Class string // the reference's class, in texts of errors
	Tools map[string]Tool[S]
	// Helpers are no tools, but tasks can use them in initialization actions
	// and assertions.
	Helpers map[string]Tool[S]
}

// Tool is a function: its parameters (see env.Signature) and what it does. The
// result is a pyjson value or env.Lazy; an error may leave the state changed in
// part, as the reference does.
type Tool[S any] struct {
	Params   []string
	Defaults []any
	Run      func(s S, args []any) (any, error)
}

func (k *Kit[S]) call(s S, name string, args *pyjson.Object) (any, error) {
	t, ok := k.Tools[name]
	if !ok {
		return nil, env.ValueError("Tool '" + name + "' not found.")
	}
	return k.run(s, name, t, args)
}

// envCall knows the helpers too.
func (k *Kit[S]) envCall(s S, name string, args *pyjson.Object) (any, error) {
	t, ok := k.Tools[name]
	if !ok {
		t, ok = k.Helpers[name]
	}
	if !ok {
		return nil, &env.Fault{Class: "AttributeError", Text: "'" + k.Class + "' object has no attribute '" + name + "'", Inexact: true}
	}
	return k.run(s, name, t, args)
}

func (k *Kit[S]) run(s S, name string, t Tool[S], args *pyjson.Object) (any, error) {
	sig := k.signature(name, t)
	values, err := sig.Bind(args)
	if err != nil {
		return nil, err
	}
	return t.Run(s, values)
}

func (k *Kit[S]) signature(name string, t Tool[S]) env.Signature {
	return env.Signature{Class: k.Class, Name: name, Params: t.Params, Defaults: t.Defaults}
}
