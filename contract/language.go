package contract

import (
	"fmt"
	"sort"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/ext"
)

// scopeName is the hidden variable through which functions reach the scope
// that an expression is evaluated in.
const scopeName = "scope__"

func baseOptions() []cel.EnvOption {
	return []cel.EnvOption{
		ext.Lists(), ext.Math(), ext.Strings(), ext.Bindings(),
		cel.Variable(scopeName, cel.DynType),
		cel.Function("sum", cel.Overload("sum_list", []*cel.Type{cel.DynType}, cel.DynType, cel.UnaryBinding(sum))),
		cel.Function("sorted", cel.Overload("sorted_list", []*cel.Type{cel.DynType}, cel.DynType, cel.UnaryBinding(sorted))),
		cel.Function("round2", cel.Overload("round2_number", []*cel.Type{cel.DynType}, cel.DynType, cel.UnaryBinding(round2))),
		cel.Function("text", cel.Overload("text_number", []*cel.Type{cel.DynType}, cel.DynType, cel.UnaryBinding(text))),
		cel.Function("merge", cel.Overload("merge_maps", []*cel.Type{cel.DynType, cel.DynType}, cel.DynType, cel.BinaryBinding(merge))),
		cel.Function("flat", cel.Overload("flat_list", []*cel.Type{cel.DynType}, cel.DynType, cel.UnaryBinding(flat))),
		cel.Macros(scoped("table", 1)),
		cel.Function("table__", cel.Overload("table_scope", []*cel.Type{cel.DynType, cel.DynType}, cel.DynType, cel.BinaryBinding(tableRows))),
	}
}

// variables declares the names that are bound from outside: see Scope.
func variables(c *Contract) []cel.EnvOption {
	names := map[string]bool{"now": true, "customer": true, "tables": true, "calls": true, "mine": true, "old": true, "me": true, "item": true, "learnt": true, "served": true, "later": true, "device": true, "own": true}
	for _, t := range c.Tools {
		for a := range t.Args {
			names["args."+a] = true
		}
	}
	for _, w := range c.spoken() {
		for _, s := range w.Slots {
			names["ask."+s.Name] = true
		}
		for _, l := range w.Let {
			names[l.Name] = true
		}
	}
	for _, f := range c.Faults {
		for _, s := range f.Slots {
			names["ask."+s.Name] = true
		}
	}
	for _, s := range c.Evolution.slots() {
		names[s] = true
	}
	for _, slot := range c.factSlots() {
		names["said."+slot] = true
	}
	names["args"] = true
	var opts []cel.EnvOption
	for n := range names {
		opts = append(opts, cel.Variable(n, cel.DynType))
	}
	return opts
}

// scoped rewrites name(a, b) to name__(scope__, a, b), so that the function
// sees the scope of the evaluation.
func scoped(name string, params int) cel.Macro {
	return cel.GlobalMacro(name, params, func(eh cel.MacroExprFactory, _ ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
		return eh.NewCall(name+"__", append([]ast.Expr{eh.NewIdent(scopeName)}, args...)...), nil
	})
}

func dyn(n int) []*cel.Type {
	ts := make([]*cel.Type, n)
	for i := range ts {
		ts[i] = cel.DynType
	}
	return ts
}

// readFunction binds a read of the contract: a call of the scope's Reader.
func readFunction(name string, r Read) cel.EnvOption {
	return cel.Function(name+"__", cel.Overload(name+"_scope", dyn(len(r.Args)+1), cel.DynType,
		cel.FunctionBinding(func(vals ...ref.Val) ref.Val {
			s, ok := vals[0].(*Scope)
			if !ok {
				return types.NewErr("%s is not available here", name)
			}
			return s.read(r, vals[1:])
		})))
}

// userFunction binds a function that the contract defines.
func userFunction(b *body) cel.EnvOption {
	return cel.Function(b.name+"__", cel.Overload(b.name+"_scope", dyn(len(b.params)+1), cel.DynType,
		cel.FunctionBinding(func(vals ...ref.Val) ref.Val {
			s, ok := vals[0].(*Scope)
			if !ok {
				return types.NewErr("%s is not available here", b.name)
			}
			return s.call(b, vals[1:])
		})))
}

// sorted orders a list of strings; maps iterate in no order, so candidates
// taken from one are sorted before use.
func sorted(v ref.Val) ref.Val {
	list, ok := v.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(v)
	}
	var out []string
	for it := list.Iterator(); it.HasNext() == types.True; {
		out = append(out, fmt.Sprint(it.Next().Value()))
	}
	sort.Strings(out)
	return types.DefaultTypeAdapter.NativeToValue(out)
}

// merge lays the entries of b over those of a.
func merge(a, b ref.Val) ref.Val {
	am, err1 := native(a)
	bm, err2 := native(b)
	x, ok1 := am.(map[string]any)
	y, ok2 := bm.(map[string]any)
	if err1 != nil || err2 != nil || !ok1 || !ok2 {
		return types.NewErr("merge: want two maps")
	}
	out := map[string]any{}
	for k, v := range x {
		out[k] = v
	}
	for k, v := range y {
		out[k] = v
	}
	return toVal(out)
}

func tableRows(scope, name ref.Val) ref.Val {
	s, ok := scope.(*Scope)
	if !ok || s.Table == nil {
		return types.NewErr("table is available to the author alone")
	}
	rows, err := s.Table(fmt.Sprint(name.Value()))
	if err != nil {
		return types.WrapErr(err)
	}
	return rows
}

// flat joins a list of lists.
func flat(v ref.Val) ref.Val {
	list, ok := v.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(v)
	}
	var out []ref.Val
	for it := list.Iterator(); it.HasNext() == types.True; {
		inner, ok := it.Next().(traits.Lister)
		if !ok {
			return types.NewErr("flat: want a list of lists")
		}
		for e := inner.Iterator(); e.HasNext() == types.True; {
			out = append(out, e.Next())
		}
	}
	return types.DefaultTypeAdapter.NativeToValue(out)
}
