package calc

import (
	"errors"
	"math"
	"math/big"

	"taste/pyjson"
)

// wrap names an error of package pyjson by this package's own.
func wrap(v any, err error) (any, error) {
	switch {
	case errors.Is(err, pyjson.ErrOverflow):
		return nil, errToFloat
	case err != nil:
		return nil, ErrType
	}
	return v, nil
}

func add(a, b any) (any, error) { return wrap(pyjson.Add(a, b)) }
func sub(a, b any) (any, error) { return wrap(pyjson.Sub(a, b)) }

func mul(a, b any) (any, error) {
	if bits(a)+bits(b) > maxBits {
		return nil, ErrOverflow
	}
	return wrap(pyjson.Mul(a, b))
}

func negate(v any) (any, error) {
	if f, ok := v.(float64); ok {
		return -f, nil
	}
	return sub(int64(0), v)
}

// maxBits bounds whole numbers, so that 9**9**9 is an error and not a wait.
const maxBits = 1 << 22

func bits(v any) int {
	switch x := v.(type) {
	case int64:
		return 64
	case *big.Int:
		return x.BitLen()
	}
	return 0
}

func asBig(v any) *big.Int {
	if b, ok := v.(*big.Int); ok {
		return b
	}
	return big.NewInt(v.(int64))
}

func isFloat(v any) bool {
	_, ok := v.(float64)
	return ok
}

func floats(a, b any) (x, y float64, err error) {
	x, errX := pyjson.Float(a)
	y, errY := pyjson.Float(b)
	if errX != nil || errY != nil {
		return 0, 0, errToFloat
	}
	return x, y, nil
}

func isZero(v any) bool {
	c, ok := pyjson.Compare(v, int64(0))
	return ok && c == 0
}

func divide(a, b any) (any, error) {
	if isFloat(a) || isFloat(b) {
		x, y, err := floats(a, b)
		if err == nil && y == 0 {
			err = errFloatZero
		}
		return x / y, err
	}
	if isZero(b) {
		return nil, ErrZero
	}
	f, _ := new(big.Rat).SetFrac(asBig(a), asBig(b)).Float64()
	if math.IsInf(f, 0) {
		return nil, errQuotient
	}
	return f, nil
}

func floorDivide(a, b any) (any, error) {
	if isFloat(a) || isFloat(b) {
		x, y, err := floats(a, b)
		if err == nil && y == 0 {
			err = errFloatMod
		}
		return floorFloat(x, y), err
	}
	if isZero(b) {
		return nil, errFloorZero
	}
	x, y := asBig(a), asBig(b)
	q, m := new(big.Int).QuoRem(x, y, new(big.Int))
	if m.Sign() != 0 && m.Sign() != y.Sign() {
		q.Sub(q, big.NewInt(1))
	}
	i, _ := pyjson.AsInt(q)
	return i.Value(), nil
}

// floorFloat is CPython's float_floor_div.
func floorFloat(x, y float64) float64 {
	mod := math.Mod(x, y)
	div := (x - mod) / y
	if mod != 0 && (y < 0) != (mod < 0) {
		div--
	}
	if div == 0 {
		return math.Copysign(0, x/y)
	}
	floor := math.Floor(div)
	if div-floor > 0.5 {
		floor++
	}
	return floor
}

func power(a, b any) (any, error) {
	if !isFloat(a) && !isFloat(b) {
		if e := asBig(b); e.Sign() >= 0 {
			return wholePower(asBig(a), e)
		}
	}
	x, y, err := floats(a, b)
	if err != nil {
		return nil, err
	}
	return floatPower(x, y)
}

func wholePower(base, exp *big.Int) (any, error) {
	if base.BitLen() > 1 && (!exp.IsInt64() || exp.Int64() > maxBits || int64(base.BitLen()-1)*exp.Int64() > maxBits) {
		return nil, ErrOverflow
	}
	if base.BitLen() <= 1 && exp.BitLen() > 1 {
		exp = new(big.Int).And(exp, big.NewInt(1)) // 0, 1 and -1: only parity counts
		exp.Add(exp, big.NewInt(2))
	}
	i, _ := pyjson.AsInt(new(big.Int).Exp(base, exp, nil))
	return i.Value(), nil
}

// floatPower is CPython's float_pow. A negative base with a fraction as
// exponent gives a complex number, which nothing here can use.
func floatPower(x, y float64) (any, error) {
	switch {
	case x == 0 && y < 0:
		return nil, errZeroPower
	case x < 0 && !math.IsInf(x, 0) && y != math.Trunc(y):
		return nil, errComplex
	}
	r := precisePower(x, y)
	if math.IsInf(r, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return nil, ErrOverflow
	}
	return r, nil
}

// precisePower rounds once where the exponent is a small whole number, as a
// good C library nearly does; math.Pow may be off in the last bit.
func precisePower(x, y float64) float64 {
	const prec = 256
	n := math.Abs(y)
	if n != math.Trunc(n) || n > 1<<16 || x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return math.Pow(x, y)
	}
	result, base := big.NewFloat(1).SetPrec(prec), new(big.Float).SetPrec(prec).SetFloat64(x)
	for e := uint64(n); e > 0; e >>= 1 {
		if e&1 == 1 {
			result.Mul(result, base)
		}
		base.Mul(base, base)
	}
	if y < 0 {
		if result.IsInf() {
			return 0
		}
		result.Quo(big.NewFloat(1).SetPrec(prec), result)
	}
	f, _ := result.Float64()
	return f
}
