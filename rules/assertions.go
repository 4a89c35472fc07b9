package rules

import (
	"fmt"
	"slices"

	"cel.dev/cel-go/common/types/ref"

	"taste/contract"
	"taste/env"
	"taste/tau"
)

// Assertions lists all that the contract lets a reward look at, each with what it
// is in the state end: what a task asserts if gold, made live, ends there. Of
// the scope Contract, Customer, Device and Calls, the writes of gold, are used;
// reads are made in end, and tables are its own, whole. Nothing is asserted of records
// whose keys the reference draws at random: there they have other ones.
func Assertions(s *contract.Scope, end *env.Environment) ([]tau.EnvAssertion, error) {
	in := *s
	in.Forget()
	in.Reader, in.Table = Reader(end), Tables(end, 0)
	var out []tau.EnvAssertion
	for _, a := range s.Contract.Assertions {
		items, err := eachOf(&in, a)
		if err != nil {
			return nil, fmt.Errorf("assertion %s: %w", a.Func, err)
		}
		for _, item := range items {
			in.Extra = map[string]any{"item": item}
			found, err := assertion(&in, a, end)
			if err != nil {
				return nil, fmt.Errorf("assertion %s: %w", a.Func, err)
			}
			out = append(out, found...)
		}
	}
	return out, nil
}

// Tables shows expressions the tables of an environment: of each the first rows, at
// most so many, or all where most is 0.
func Tables(e *env.Environment, most int) func(string) (ref.Val, error) {
	return func(name string) (ref.Val, error) {
		var rows []any
		for _, r := range e.Records(name) {
			if rows = append(rows, r); len(rows) == most {
				break
			}
		}
		if rows == nil {
			return nil, fmt.Errorf("read table %s: the database has no such table, or nothing in it", name)
		}
		return contract.ToVal(rows), nil
	}
}

// eachOf lists what an assertion is made of each of; one nothing where it stands
// for itself.
func eachOf(s *contract.Scope, a *contract.Assertion) ([]any, error) {
	if a.Each == nil {
		return []any{nil}, nil
	}
	v, err := s.Eval(a.Each)
	if err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("evaluate %q: want a list, got %v", a.Each.Text, v)
	}
	return list, nil
}

// assertion makes one assertion, or none where its condition does not hold.
func assertion(s *contract.Scope, a *contract.Assertion, end *env.Environment) ([]tau.EnvAssertion, error) {
	if ok, err := s.Holds(a.When); err != nil || !ok {
		return nil, err
	}
	args, err := evaluated(s, a.Args)
	if err != nil {
		return nil, err
	}
	if Names(args, end.Drawn(a.Side)) {
		return nil, nil
	}
	out := tau.EnvAssertion{EnvCall: tau.EnvCall{EnvType: a.Side, FuncName: a.Func, Arguments: args}, AssertValue: true}
	out.AssertValue, err = end.Clone().Assert(&out)
	return []tau.EnvAssertion{out}, err
}

// Names tells whether a value names one of some keys: arguments about a record whose
// key the reference draws at random mean another one there.
func Names(v any, keys []string) bool {
	if len(keys) == 0 {
		return false
	}
	texts := map[string]bool{}
	collectTexts(v, texts)
	return slices.ContainsFunc(keys, func(key string) bool { return texts[key] })
}
