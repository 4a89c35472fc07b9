package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
)

// steadyNames are the names whose values a steady scope keeps.
var steadyNames = map[string]bool{scopeName: true, "now": true, "tables": true, "customer": true, "calls": true, "mine": true, "device": true}

// findSteady marks the functions without parameters that depend on nothing but
// steady names, reads, and functions of which the same is true.
func (l *language) findSteady(bodies map[string]*body) error {
	loose := map[string]bool{"table__": true} // functions that depend on more
	uses := map[string]map[string]bool{}
	for name, b := range bodies {
		parsed, iss := l.env.Parse(b.expr.Text)
		if iss.Err() != nil {
			return iss.Err()
		}
		free, calls := mentions(parsed, b.params)
		uses[name] = calls
		loose[name+"__"] = free
	}
	for changed := true; changed; {
		changed = false
		for name, calls := range uses {
			for c := range calls {
				if loose[c] && !loose[name+"__"] {
					loose[name+"__"], changed = true, true
				}
			}
		}
	}
	l.calls = map[string]map[string]bool{}
	for name, b := range bodies {
		b.steady = len(b.params) == 0 && !loose[name+"__"]
		l.calls[name+"__"] = uses[name]
	}
	return nil
}

// endless refuses functions that call themselves, at once or by others: the
// language has no way out of such a call.
func (l *language) endless() error {
	for _, name := range slices.Sorted(maps.Keys(l.calls)) {
		seen := map[string]bool{}
		for open := slices.Collect(maps.Keys(l.calls[name])); len(open) > 0; {
			next := open[0]
			open = open[1:]
			if next == name {
				return fmt.Errorf("function %s calls itself", strings.TrimSuffix(name, "__"))
			}
			if !seen[next] {
				seen[next] = true
				open = slices.AppendSeq(open, maps.Keys(l.calls[next]))
			}
		}
	}
	return nil
}

// reads lists the read tools that an expression may call, itself or by
// functions of the contract, in order of their names.
func (l *language) reads(e *Expr) ([]string, error) {
	parsed, iss := l.env.Parse(e.Text)
	if iss.Err() != nil {
		return nil, iss.Err()
	}
	_, open := mentions(parsed, nil)
	found, seen := map[string]bool{}, map[string]bool{}
	for len(open) > 0 {
		next := map[string]bool{}
		for name := range open {
			seen[name] = true
			if t := l.tools[name]; t != "" {
				found[t] = true
			}
			for called := range l.calls[name] {
				if !seen[called] {
					next[called] = true
				}
			}
		}
		open = next
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// mentions tells whether an expression holds a name that is neither steady nor
// bound within it, and lists the scoped functions that it calls.
func mentions(parsed *cel.Ast, params []string) (free bool, calls map[string]bool) {
	bound := map[string]bool{}
	for _, p := range params {
		bound[p] = true
	}
	calls = map[string]bool{}
	var names []string
	ast.PostOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.IdentKind:
			names = append(names, e.AsIdent())
		case ast.ComprehensionKind:
			c := e.AsComprehension()
			bound[c.IterVar()], bound[c.IterVar2()], bound[c.AccuVar()] = true, true, true
		case ast.CallKind:
			if n := e.AsCall().FunctionName(); strings.HasSuffix(n, "__") {
				calls[n] = true
			}
		}
	}))
	for _, n := range names {
		if !steadyNames[n] && !bound[n] {
			free = true
		}
	}
	return free, calls
}
