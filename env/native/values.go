package native

import (
	"math"

	"taste/env"
	"taste/pyjson"
)

// Copy is the clone of a record that shares all it refers to, for records that
// no tool changes.
func Copy[T any](r *T) *T {
	c := *r
	return &c
}

// Find looks a record up for reading by an id of any type; missing makes the
// error where there is none.
func Find[T any](get func(key string) *T, id any, missing func() error) (*T, error) {
	key, ok, err := env.KeyOf(id)
	if err != nil {
		return nil, err
	}
	if r := get(key); ok && r != nil {
		return r, nil
	}
	return nil, missing()
}

// Later dumps a record only if the answer is read.
func Later[T any](r *T, dump func(*T) *pyjson.Object) env.Lazy {
	return func() any { return dump(r) }
}

// Answer dumps a record of a table, which keeps the dumps of those that no run
// has touched.
func Answer[T any](t *env.Table[T], key string) env.Lazy {
	return func() any { return t.Record(key) }
}

// List dumps records.
func List[T any](items []T, dump func(*T) *pyjson.Object) []any {
	out := make([]any, len(items))
	for i := range items {
		out[i] = dump(&items[i])
	}
	return out
}

// Texts returns texts as a JSON list.
func Texts(texts []string) []any {
	out := make([]any, len(texts))
	for i, t := range texts {
		out[i] = t
	}
	return out
}

// Length is Python's len(), and 0 where the value has none.
func Length(v any) int {
	switch x := v.(type) {
	case string:
		return pyjson.Len(x)
	case []any:
		return len(x)
	case *pyjson.Object:
		return x.Len()
	}
	return 0
}

// SameFloat: equal spelling, so NaN equals itself and 0.0 differs from -0.0.
func SameFloat(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// SamePointer compares what two pointers point to; nil equals nil alone.
func SamePointer[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
