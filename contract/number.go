package contract

import (
	"strconv"

	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"

	"taste/pyjson"
)

// Numbers are Python's: a sum of a whole number and another is another, and
// sums run from left to right, so that amounts come out as the tools write
// them. CEL alone refuses to mix the two kinds.

// mixes makes the operators that calculate take whole numbers and others.
func mixes(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	call, ok := i.(interpreter.InterpretableCall)
	if !ok || len(call.Args()) != 2 {
		return i, nil
	}
	op, ok := calculations[call.Function()]
	if !ok {
		return i, nil
	}
	return &calculation{call: call, op: op}, nil
}

// operation is how an operator takes two numbers, and how other values do it.
type operation struct {
	floats func(a, b float64) float64
	trait  int
	apply  func(a, b ref.Val) ref.Val
}

var calculations = map[string]operation{
	operators.Add: {
		func(a, b float64) float64 { return a + b }, traits.AdderType,
		func(a, b ref.Val) ref.Val { return a.(traits.Adder).Add(b) },
	},
	operators.Subtract: {
		func(a, b float64) float64 { return a - b }, traits.SubtractorType,
		func(a, b ref.Val) ref.Val { return a.(traits.Subtractor).Subtract(b) },
	},
	operators.Multiply: {
		func(a, b float64) float64 { return a * b }, traits.MultiplierType,
		func(a, b ref.Val) ref.Val { return a.(traits.Multiplier).Multiply(b) },
	},
	operators.Divide: {
		func(a, b float64) float64 { return a / b }, traits.DividerType,
		func(a, b ref.Val) ref.Val { return a.(traits.Divider).Divide(b) },
	},
}

// calculation is a call of such an operator.
type calculation struct {
	call interpreter.InterpretableCall
	op   operation
}

// ID implements interpreter.InterpretableV2.
func (c *calculation) ID() int64 { return c.call.ID() }

// Eval implements interpreter.InterpretableV2.
func (c *calculation) Eval(a interpreter.Activation) ref.Val { return c.Exec(interpreter.AsFrame(a)) }

// Exec implements interpreter.InterpretableV2.
func (c *calculation) Exec(f *interpreter.ExecutionFrame) ref.Val {
	args := c.call.Args()
	a := args[0].Exec(f)
	if types.IsUnknownOrError(a) {
		return a
	}
	b := args[1].Exec(f)
	if types.IsUnknownOrError(b) {
		return b
	}
	if a.Type() != b.Type() {
		x, ok1 := number(a)
		y, ok2 := number(b)
		if ok1 && ok2 {
			return types.Double(c.op.floats(x, y))
		}
	}
	if !a.Type().HasTrait(c.op.trait) {
		return types.NewErrWithNodeID(c.ID(), "no such overload: %s", c.call.Function())
	}
	return types.LabelErrNode(c.ID(), c.op.apply(a, b))
}

// round2 rounds to cents as Python's round(x, 2) does.
func round2(v ref.Val) ref.Val {
	x, ok := number(v)
	if !ok {
		return types.MaybeNoSuchOverloadErr(v)
	}
	if n, ok := v.(types.Int); ok {
		return n
	}
	return types.Double(pyjson.Round2(x))
}

// text spells a number as Python's str does, one without a fraction as a whole
// number: "5.0" would not be found in "$5".
func text(v ref.Val) ref.Val {
	switch n := v.(type) {
	case types.Int:
		return types.String(strconv.FormatInt(int64(n), 10))
	case types.Double:
		if w, ok := whole(float64(n)); ok {
			return types.String(strconv.FormatInt(w, 10))
		}
		return types.String(pyjson.Str(float64(n)))
	case types.String:
		return n
	}
	return types.MaybeNoSuchOverloadErr(v)
}

// sum adds the numbers of a list; whole numbers stay whole.
func sum(v ref.Val) ref.Val {
	list, ok := v.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(v)
	}
	var total ref.Val = types.Int(0)
	for it := list.Iterator(); it.HasNext() == types.True; {
		total = add(total, it.Next())
		if types.IsError(total) {
			return total
		}
	}
	return total
}

func add(a, b ref.Val) ref.Val {
	ai, aok := a.(types.Int)
	bi, bok := b.(types.Int)
	if aok && bok {
		return ai + bi
	}
	af, ok1 := number(a)
	bf, ok2 := number(b)
	if !ok1 || !ok2 {
		return types.NewErr("sum: %v and %v are not both numbers", a, b)
	}
	return types.Double(af + bf)
}

func number(v ref.Val) (float64, bool) {
	switch n := v.(type) {
	case types.Int:
		return float64(n), true
	case types.Double:
		return float64(n), true
	}
	return 0, false
}
