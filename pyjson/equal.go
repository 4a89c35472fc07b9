package pyjson

import (
	"math/big"
)

// Equal is Python's == : True == 1 == 1.0, objects regardless of order, and
// NaN unequal to itself.
func Equal(a, b any) bool { return equal(a, b, false) }

// Same is equality of the JSON texts apart from the order of keys: 1, 1.0 and
// true all differ, 0.0 and -0.0 too.
func Same(a, b any) bool { return equal(a, b, true) }

func equal(a, b any, strict bool) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case string:
		y, ok := b.(string)
		return ok && x == y
	case []any:
		y, ok := b.([]any)
		return ok && equalLists(x, y, strict)
	case *Object:
		y, ok := b.(*Object)
		return ok && equalObjects(x, y, strict)
	}
	if strict {
		return sameNumber(a, b)
	}
	c, ok := Compare(a, b)
	return ok && c == 0
}

func equalLists(x, y []any, strict bool) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !equal(x[i], y[i], strict) {
			return false
		}
	}
	return true
}

func equalObjects(x, y *Object, strict bool) bool {
	if x.Len() != y.Len() {
		return false
	}
	for k, v := range x.All() {
		w, ok := y.Get(k)
		if !ok || !equal(v, w, strict) {
			return false
		}
	}
	return true
}

func sameNumber(a, b any) bool {
	if x, ok := a.(*big.Int); ok {
		y, ok := b.(*big.Int)
		return ok && x.Cmp(y) == 0
	}
	if x, ok := a.(float64); ok {
		y, ok := b.(float64)
		return ok && string(AppendFloat(nil, x)) == string(AppendFloat(nil, y))
	}
	return a == b
}
