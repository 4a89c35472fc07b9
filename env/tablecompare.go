package env

import (
	"maps"
	"slices"
)

// Touched returns the keys whose records may differ between t and o, in
// ascending order: those that either touched, or all where the two do not
// come from one base.
func (t *Table[T]) Touched(o *Table[T]) []string {
	set := map[string]bool{}
	if t.base != o.base {
		addKeys(set, t.base.keys)
		addKeys(set, o.base.keys)
	}
	for k := range t.over {
		set[k] = true
	}
	for k := range o.over {
		set[k] = true
	}
	return slices.Sorted(maps.Keys(set))
}

func addKeys(set map[string]bool, keys []string) {
	for _, k := range keys {
		set[k] = true
	}
}

// Equal compares the contents as the hash does, looking only at touched
// records where both come from one base.
func (t *Table[T]) Equal(o *Table[T]) bool {
	if t.Len() != o.Len() {
		return false
	}
	if t.base != o.base {
		return t.sameOn(o, t.base.keys) && t.sameOn(o, t.added)
	}
	for k := range t.over {
		if !t.sameAt(o, k) {
			return false
		}
	}
	for k := range o.over {
		if !t.sameAt(o, k) {
			return false
		}
	}
	return true
}

func (t *Table[T]) sameOn(o *Table[T], keys []string) bool {
	for _, k := range keys {
		if !t.sameAt(o, k) {
			return false
		}
	}
	return true
}

func (t *Table[T]) sameAt(o *Table[T], key string) bool {
	a, b := t.Get(key), o.Get(key)
	if a == b {
		return true
	}
	return a != nil && b != nil && t.kind.Equal(a, b)
}
