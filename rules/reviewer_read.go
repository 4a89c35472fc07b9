package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/common/types/ref"

	"taste/contract"
	"taste/env"
	"taste/pyjson"
)

// Reader answers the reads of contract expressions from an environment that is
// not written to while the reader is in use: it keeps the answers, failures
// too. One goroutine may use it at a time.
func Reader(e *env.Environment) contract.Reader {
	return &stateReader{env: e, answers: map[string]answered{}}
}

type stateReader struct {
	env     *env.Environment
	answers map[string]answered
}

type answered struct {
	val ref.Val
	err error
}

// Read implements contract.Reader.
func (r *stateReader) Read(tool string, args map[string]any) (ref.Val, error) {
	key := readKey(tool, args)
	a, ok := r.answers[key]
	if !ok {
		plain, err := r.env.Read(tool, args)
		if a.err = err; err == nil {
			a.val = contract.ToVal(plain)
		}
		r.answers[key] = a
	}
	return a.val, a.err
}

// readKey identifies a read; texts stand as they are.
func readKey(tool string, args map[string]any) string {
	b := append(make([]byte, 0, 64), tool...)
	for _, k := range slices.Sorted(maps.Keys(args)) {
		b = append(append(b, 0), k...)
		if s, ok := args[k].(string); ok {
			b = append(append(b, 0), s...)
		} else {
			b = append(append(b, 1), spellValue(args[k])...)
		}
	}
	return string(b)
}

// CallAt describes a write that is about to be made in e, for rules about
// earlier writes.
func CallAt(c *contract.Contract, e *env.Environment, name string, args map[string]any) contract.Call {
	call := contract.Call{Name: name, Args: args}
	for _, kind := range slices.Sorted(maps.Keys(c.Records)) {
		rec := c.Records[kind]
		key, ok := args[rec.Key].(string)
		if r := e.Record(rec.Table, key); ok && r != nil {
			call.Before = r
			break
		}
	}
	return call
}

// Arguments evaluates the arguments that a wish leads to in a scope.
func Arguments(s *contract.Scope) (map[string]any, error) { return evaluated(s, s.Wish.Args) }

// evaluated evaluates arguments in a scope.
func evaluated(s *contract.Scope, args map[string]*contract.Expr) (map[string]any, error) {
	out := make(map[string]any, len(args))
	for _, name := range slices.Sorted(maps.Keys(args)) {
		v, err := s.Eval(args[name])
		if err != nil {
			return nil, fmt.Errorf("argument %s: %w", name, err)
		}
		out[name] = v
	}
	return out, nil
}

// Spell writes a call the way reports show it: name(argument=JSON, …), the
// arguments in order of their names.
func Spell(name string, args map[string]any) string {
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte('(')
	for i, k := range slices.Sorted(maps.Keys(args)) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(k)
		b.WriteByte('=')
		b.WriteString(spellValue(args[k]))
	}
	b.WriteByte(')')
	return b.String()
}

// spellValue writes a value as JSON on one line, numbers as Python spells them.
func spellValue(v any) string {
	p, err := pyjson.FromGo(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(pyjson.Append(nil, p, pyjson.Style{Tight: true}))
}
