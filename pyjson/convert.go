package pyjson

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"sort"
	"strings"
)

// Plain returns v with every object as a map[string]any, for code that does
// not care about the order of keys. Scalars stay as they are.
func Plain(v any) any {
	switch x := v.(type) {
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = Plain(e)
		}
		return out
	case *Object:
		return PlainMap(x)
	}
	return v
}

// PlainMap is Plain of an object; nil stays nil.
func PlainMap(o *Object) map[string]any {
	if o == nil {
		return nil
	}
	out := make(map[string]any, o.Len())
	for k, v := range o.All() {
		out[k] = Plain(v)
	}
	return out
}

// FromGo turns a Go value into one of this package: any integer or float
// type, json.Number, strings, booleans, slices, maps with string keys (sorted
// by key) and json.RawMessage. It fails on anything else.
func FromGo(v any) (any, error) {
	switch x := v.(type) {
	case nil, bool, string, int64, *big.Int, float64:
		return x, nil
	case int:
		return int64(x), nil
	case json.Number:
		return fromNumber(x)
	case json.RawMessage:
		return Decode(x)
	case []any:
		return fromSlice(len(x), func(i int) any { return x[i] })
	case *Object:
		return fromObject(x)
	case map[string]any:
		return fromMap(x)
	}
	return fromReflect(reflect.ValueOf(v))
}

func fromNumber(n json.Number) (any, error) {
	v, err := Decode([]byte(n))
	if err != nil {
		return nil, fmt.Errorf("read number %q: %w", string(n), err)
	}
	return v, nil
}

func fromSlice(n int, at func(int) any) (any, error) {
	out := make([]any, n)
	for i := range out {
		v, err := FromGo(at(i))
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func fromObject(x *Object) (any, error) {
	if x == nil {
		return nil, nil
	}
	out := &Object{}
	for k, v := range x.All() {
		g, err := FromGo(v)
		if err != nil {
			return nil, err
		}
		out.Set(k, g)
	}
	return out, nil
}

func fromMap(m map[string]any) (any, error) {
	if m == nil {
		return nil, nil
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	out := &Object{}
	for _, k := range keys {
		v, err := FromGo(m[k])
		if err != nil {
			return nil, err
		}
		out.Set(k, v)
	}
	return out, nil
}

func fromReflect(r reflect.Value) (any, error) {
	switch {
	case !r.IsValid():
		return nil, nil
	case r.CanInt():
		return r.Int(), nil
	case r.CanUint():
		return ParseInt(fmt.Sprint(r.Uint())), nil
	case r.CanFloat():
		return r.Float(), nil
	case r.Kind() == reflect.String:
		return strings.Clone(r.String()), nil
	case r.Kind() == reflect.Bool:
		return r.Bool(), nil
	case r.Kind() == reflect.Slice, r.Kind() == reflect.Array:
		return fromSlice(r.Len(), func(i int) any { return r.Index(i).Interface() })
	case r.Kind() == reflect.Map && r.Type().Key().Kind() == reflect.String:
		m := make(map[string]any, r.Len())
		for _, k := range r.MapKeys() {
			m[k.String()] = r.MapIndex(k).Interface()
		}
		return fromMap(m)
	}
	return nil, fmt.Errorf("convert %s: no JSON form", r.Type())
}

// Ordered returns args as an object. If raw holds the same values, it is
// returned itself, with its key order at every level; else keys come sorted.
// Args that have no JSON form count as none.
func Ordered(raw *Object, args map[string]any) *Object {
	if raw != nil && sameMap(raw, args) {
		return raw
	}
	v, err := FromGo(args)
	if err != nil || v == nil {
		return &Object{}
	}
	return v.(*Object)
}

// sameMap is Same of an object and a Go map, without converting the map.
func sameMap(o *Object, m map[string]any) bool {
	if o.Len() != len(m) {
		return false
	}
	for k, v := range o.All() {
		g, ok := m[k]
		if !ok || !sameGo(v, g) {
			return false
		}
	}
	return true
}

func sameGo(v, g any) bool {
	switch x := g.(type) {
	case map[string]any:
		o, ok := v.(*Object)
		return ok && o != nil && sameMap(o, x)
	case []any:
		l, ok := v.([]any)
		if !ok || len(l) != len(x) {
			return false
		}
		for i := range x {
			if !sameGo(l[i], x[i]) {
				return false
			}
		}
		return true
	}
	w, err := FromGo(g)
	return err == nil && Same(v, w)
}
