package pyjson

import (
	"errors"
	"math"
	"math/big"
	"strconv"
)

// ErrOverflow is Python's OverflowError for an integer too large to become a
// float.
var ErrOverflow = errors.New("int too large to convert to float")

// ErrOperand says that an operand is no number.
var ErrOperand = errors.New("not a number")

// integer returns the whole number behind a bool, int64 or *big.Int.
func integer(v any) (*big.Int, bool) {
	switch x := v.(type) {
	case bool:
		if x {
			return big.NewInt(1), true
		}
		return new(big.Int), true
	case int:
		return big.NewInt(int64(x)), true
	case int64:
		return big.NewInt(x), true
	case *big.Int:
		return x, true
	}
	return nil, false
}

// norm brings a big integer into its canonical form.
func norm(b *big.Int) any {
	if b.IsInt64() {
		return b.Int64()
	}
	return b
}

// IsNumber says whether Python would do arithmetic on v: bool, int or float.
func IsNumber(v any) bool {
	if _, ok := v.(float64); ok {
		return true
	}
	_, ok := integer(v)
	return ok
}

// Float converts a number to float64; ErrOverflow beyond the range.
func Float(v any) (float64, error) {
	if f, ok := v.(float64); ok {
		return f, nil
	}
	b, ok := integer(v)
	if !ok {
		return 0, ErrOperand
	}
	f, _ := new(big.Float).SetInt(b).Float64()
	if math.IsInf(f, 0) {
		return 0, ErrOverflow
	}
	return f, nil
}

// Compare orders two numbers exactly; ok is false when one is no number or
// is NaN.
func Compare(a, b any) (cmp int, ok bool) {
	if !IsNumber(a) || !IsNumber(b) || isNaN(a) || isNaN(b) {
		return 0, false
	}
	return exact(a).Cmp(exact(b)), true
}

func isNaN(v any) bool {
	f, ok := v.(float64)
	return ok && math.IsNaN(f)
}

// exact returns a number (not NaN) without rounding.
func exact(v any) *big.Float {
	if f, ok := v.(float64); ok {
		return new(big.Float).SetFloat64(f)
	}
	b, _ := integer(v)
	return new(big.Float).SetPrec(uint(max(64, b.BitLen()))).SetInt(b)
}

// Add, Sub and Mul are Python's + - * on numbers: whole numbers stay exact, a
// float on either side makes a float. They fail with ErrOperand or
// ErrOverflow.
func Add(a, b any) (any, error) {
	return arith(a, b, (*big.Int).Add, func(x, y float64) float64 { return x + y })
}

// Sub is Python's a - b; see Add.
func Sub(a, b any) (any, error) {
	return arith(a, b, (*big.Int).Sub, func(x, y float64) float64 { return x - y })
}

// Mul is Python's a * b; see Add.
func Mul(a, b any) (any, error) {
	return arith(a, b, (*big.Int).Mul, func(x, y float64) float64 { return x * y })
}

func arith(a, b any, ints func(z, x, y *big.Int) *big.Int, floats func(x, y float64) float64) (any, error) {
	x, okX := integer(a)
	y, okY := integer(b)
	if okX && okY {
		return norm(ints(new(big.Int), x, y)), nil
	}
	f, err := Float(a)
	if err != nil {
		return nil, err
	}
	g, err := Float(b)
	if err != nil {
		return nil, err
	}
	return floats(f, g), nil
}

// Round2 rounds to two decimals by the exact binary value, halves to even, as
// Python's round does.
func Round2(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) || math.Abs(f) >= 1<<52 {
		return f
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', 2, 64), 64)
	if err != nil {
		return f
	}
	return r
}
