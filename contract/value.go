package contract

import (
	"encoding/json"
	"fmt"
	"math"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// ToVal turns a decoded JSON value into a value of the expression language, all
// the way down, so that no evaluation converts it again. Numbers without a
// fraction become integers, whatever their spelling.
func ToVal(v any) ref.Val { return toVal(v) }

// FromVal turns a value of the expression language into plain Go values.
// Numbers without a fraction become integers.
func FromVal(v ref.Val) (any, error) { return native(v) }

func toVal(v any) ref.Val {
	switch x := v.(type) {
	case ref.Val:
		return x
	case string:
		return types.String(x)
	case []any:
		out := make([]ref.Val, len(x))
		for i, e := range x {
			out[i] = toVal(e)
		}
		return types.NewRefValList(types.DefaultTypeAdapter, out)
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = toVal(e)
		}
		return types.NewStringInterfaceMap(types.DefaultTypeAdapter, out)
	}
	return scalar(v)
}

// scalar turns a value that holds no others into one of the language.
func scalar(v any) ref.Val {
	switch x := v.(type) {
	case json.Number:
		if i, err := x.Int64(); err == nil {
			return types.Int(i)
		}
		f, _ := x.Float64()
		return types.Double(f)
	case uint64:
		return types.Int(x)
	}
	return types.DefaultTypeAdapter.NativeToValue(v)
}

// whole returns a number without a fraction as an integer.
func whole(x float64) (int64, bool) {
	if x != math.Trunc(x) || math.Abs(x) >= 1<<53 {
		return 0, false
	}
	return int64(x), true
}

// native turns a value of the expression language into plain Go.
func native(v ref.Val) (any, error) {
	switch x := v.(type) {
	case types.Null:
		return nil, nil
	case types.Int:
		return int64(x), nil
	case types.Double:
		if n, ok := whole(float64(x)); ok {
			return n, nil
		}
		return float64(x), nil
	case types.String:
		return string(x), nil
	case types.Bool:
		return bool(x), nil
	case *types.Err:
		return nil, x
	case traits.Mapper:
		return nativeMap(x)
	case traits.Lister:
		return nativeList(x)
	}
	return nil, fmt.Errorf("a value of type %v has no JSON form", v.Type())
}

func nativeMap(m traits.Mapper) (any, error) {
	out := map[string]any{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		k := it.Next()
		n, err := native(m.Get(k))
		if err != nil {
			return nil, err
		}
		out[fmt.Sprint(k.Value())] = n
	}
	return out, nil
}

func nativeList(l traits.Lister) (any, error) {
	out := []any{}
	for it := l.Iterator(); it.HasNext() == types.True; {
		n, err := native(it.Next())
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}
