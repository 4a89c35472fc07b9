package pyjson

import (
	"iter"
	"slices"
	"sort"
)

// Object is a JSON object that remembers the order of its keys, as a Python
// dict does. The zero value is an empty object ready for use. It is not safe
// for concurrent writes.
type Object struct {
	keys  []string
	vals  []any
	index map[string]int // built once the object outgrows a linear scan
}

// linearLimit is the size up to which a scan over the keys beats a map.
const linearLimit = 24

// NewObject builds an object from alternating keys and values. The keys must
// differ.
func NewObject(pairs ...any) *Object {
	o := Sized(len(pairs) / 2)
	for i := 0; i+1 < len(pairs); i += 2 {
		o.add(pairs[i].(string), pairs[i+1])
	}
	return o
}

// Sized returns an empty object with room for n keys.
func Sized(n int) *Object {
	return &Object{keys: make([]string, 0, n), vals: make([]any, 0, n)}
}

// Len returns the number of keys; a nil object has none.
func (o *Object) Len() int {
	if o == nil {
		return 0
	}
	return len(o.keys)
}

// Keys returns the keys in order. The caller must not change the slice.
func (o *Object) Keys() []string {
	if o == nil {
		return nil
	}
	return o.keys
}

// At returns the i-th key and its value.
func (o *Object) At(i int) (string, any) { return o.keys[i], o.vals[i] }

func (o *Object) find(key string) int {
	if o == nil {
		return -1
	}
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	return slices.Index(o.keys, key)
}

// Get returns the value of key and whether it is there.
func (o *Object) Get(key string) (any, bool) {
	if i := o.find(key); i >= 0 {
		return o.vals[i], true
	}
	return nil, false
}

// Has says whether key is present.
func (o *Object) Has(key string) bool { return o.find(key) >= 0 }

// Set replaces the value of key in place, or appends the key.
func (o *Object) Set(key string, v any) {
	if i := o.find(key); i >= 0 {
		o.vals[i] = v
		return
	}
	o.add(key, v)
}

// add appends a key that is not there yet.
func (o *Object) add(key string, v any) {
	o.keys = append(o.keys, key)
	o.vals = append(o.vals, v)
	if o.index != nil {
		o.index[key] = len(o.keys) - 1
	} else if len(o.keys) > linearLimit {
		o.reindex()
	}
}

// Delete removes key if present; the order of the others stays.
func (o *Object) Delete(key string) {
	i := o.find(key)
	if i < 0 {
		return
	}
	o.keys = slices.Delete(o.keys, i, i+1)
	o.vals = slices.Delete(o.vals, i, i+1)
	if o.index != nil {
		o.reindex()
	}
}

func (o *Object) reindex() {
	o.index = make(map[string]int, 2*len(o.keys))
	for i, k := range o.keys {
		o.index[k] = i
	}
}

// All iterates over keys and values in order.
func (o *Object) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		if o == nil {
			return
		}
		for i, k := range o.keys {
			if !yield(k, o.vals[i]) {
				return
			}
		}
	}
}

// Shallow returns a copy that shares the values.
func (o *Object) Shallow() *Object {
	c := Sized(o.Len())
	for k, v := range o.All() {
		c.Set(k, v)
	}
	return c
}

// MarshalJSON writes the object in its order.
func (o *Object) MarshalJSON() ([]byte, error) { return Append(nil, o, UTF8), nil }

// UnmarshalJSON replaces the object by the one in data.
func (o *Object) UnmarshalJSON(data []byte) error {
	v, err := Decode(data)
	if err != nil {
		return err
	}
	d, ok := v.(*Object)
	if !ok {
		return &TypeError{Want: "object", Got: TypeName(v)}
	}
	*o = *d
	return nil
}

// Sorted returns the indices of the keys in ascending key order.
func (o *Object) sorted() []int {
	idx := make([]int, len(o.keys))
	for i := range idx {
		idx[i] = i
	}
	sort.Slice(idx, func(a, b int) bool { return o.keys[idx[a]] < o.keys[idx[b]] })
	return idx
}
