package eval

import (
	"math"
	"math/big"

	"taste/pyjson"
)

// What two sums may differ by that were added up in another order: relative to
// their size (some 4,000 times the spacing of float64), and absolutely near 0.
const (
	rounding     = 1e-12
	roundingZero = 1e-9
)

// alike is equality as strict scoring has it: numbers by value, however they
// are written and up to rounding (25 and 25.0, 0.0 and -0.0, 0.1+0.2+0.3 in any
// order), but no number is a boolean. Lists by element, objects by key.
func alike(a, b any) bool {
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return ok && alikeLists(x, y)
	case *pyjson.Object:
		y, ok := b.(*pyjson.Object)
		return ok && alikeObjects(x, y)
	}
	if isNumber(a) && isNumber(b) {
		return pyjson.Equal(a, b) || pyjson.Same(a, b) || near(a, b)
	}
	return pyjson.Same(a, b)
}

func alikeLists(x, y []any) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !alike(x[i], y[i]) {
			return false
		}
	}
	return true
}

func alikeObjects(x, y *pyjson.Object) bool {
	if x.Len() != y.Len() {
		return false
	}
	for k, v := range x.All() {
		w, ok := y.Get(k)
		if !ok || !alike(v, w) {
			return false
		}
	}
	return true
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, *big.Int, float64:
		return true
	}
	return false
}

// near compares numbers of which one at least is a float; whole numbers have no
// rounding.
func near(a, b any) bool {
	x, floatX := float(a)
	y, floatY := float(b)
	apart := math.Abs(x - y)
	return (floatX || floatY) && !math.IsInf(apart, 0) && apart <= max(roundingZero, rounding*max(math.Abs(x), math.Abs(y)))
}

func float(v any) (f float64, is bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case int64:
		return float64(x), false
	}
	return math.NaN(), false
}
