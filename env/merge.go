package env

import (
	"taste/pyjson"
	"taste/pyjson/lax"
)

// MergeObject returns base updated by data as initialization data is: objects
// recursively, every other value replaced whole, new keys at the end. Neither
// argument is changed; the result shares their values.
func MergeObject(base, data *pyjson.Object) *pyjson.Object {
	out := base.Shallow()
	for k, v := range data.All() {
		if old, ok := out.Get(k); ok {
			v = MergeValue(old, v)
		}
		out.Set(k, v)
	}
	return out
}

// MergeValue merges two objects and else returns the new value.
func MergeValue(old, v any) any {
	a, okA := old.(*pyjson.Object)
	b, okB := v.(*pyjson.Object)
	if okA && okB {
		return MergeObject(a, b)
	}
	return v
}

// Update merges records (nil: none) into the table and validates them, and
// those that were touched, as the reference validates a merged database.
func (t *Table[T]) Update(c *lax.Check, records *pyjson.Object) {
	for _, key := range t.Touched(t) {
		c.In(key, func() { t.Set(key, t.kind.Valid(c, t.Record(key))) })
	}
	for key, v := range records.All() {
		if old := t.Record(key); old != nil {
			v = MergeValue(old, v)
		}
		c.In(key, func() { t.Set(key, t.kind.Valid(c, v)) })
	}
}
