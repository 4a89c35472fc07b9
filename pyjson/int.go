package pyjson

import "math/big"

// Int is a whole number of any size. The zero value is 0.
type Int struct {
	small int64
	large *big.Int // set only outside int64
}

// NewInt returns i.
func NewInt(i int) Int { return Int{small: int64(i)} }

// AsInt returns the whole number behind v; ok is false for anything but an
// int (booleans included).
func AsInt(v any) (i Int, ok bool) {
	switch x := v.(type) {
	case int:
		return NewInt(x), true
	case int64:
		return Int{small: x}, true
	case *big.Int:
		if x.IsInt64() {
			return Int{small: x.Int64()}, true
		}
		return Int{large: x}, true
	}
	return Int{}, false
}

// Value returns the number as a value of this package: int64 or *big.Int.
func (i Int) Value() any {
	if i.large != nil {
		return i.large
	}
	return i.small
}

// Int64 returns the number, cut off at the limits of int64.
func (i Int) Int64() int64 {
	switch {
	case i.large == nil:
		return i.small
	case i.large.Sign() > 0:
		return 1<<63 - 1
	}
	return -1 << 63
}

// Same says whether two numbers are equal.
func (i Int) Same(j Int) bool {
	if i.large == nil || j.large == nil {
		return i.large == j.large && i.small == j.small
	}
	return i.large.Cmp(j.large) == 0
}

// Neg returns -i.
func (i Int) Neg() Int {
	v, _ := Sub(int64(0), i.Value())
	n, _ := AsInt(v)
	return n
}
