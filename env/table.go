package env

import (
	"iter"
	"maps"
	"slices"
	"sync"

	"taste/pyjson"
	"taste/pyjson/lax"
)

// RecordType says how a table treats its records of type T. Records are
// written to only through Table.Mut, which clones before the first write.
type RecordType[T any] struct {
	Clone func(*T) *T
	Equal func(a, b *T) bool // as the hash compares
	JSON  func(*T) *pyjson.Object
	Valid func(c *lax.Check, v any) *T // reads what JSON spells, coerced as the reference does
}

// Table is one copy-on-write table of a state: an immutable base shared by
// every fork, and the records that were touched since.
type Table[T any] struct {
	kind  *RecordType[T]
	base  *base[T]
	over  map[string]touched[T]
	added []string // keys that the base lacks, in order of insertion
	owner *byte    // identity of this fork; nil until its first write
}

// base is the immutable part, with caches that are filled on first use.
type base[T any] struct {
	keys  []string
	recs  map[string]*T
	list  []*T     // the records in the order of keys
	json  sync.Map // key → *pyjson.Object
	plain sync.Map // key → map[string]any

	hashOnce sync.Once
	sorted   []string
	text     []byte // the hash forms of all members in sorted order, each followed by ", "
	starts   []int  // where each member starts in text; one more for the end
}

type touched[T any] struct {
	rec   *T
	owner *byte // the fork that may write to rec
}

// NewTable makes a table of the given records in key order.
func NewTable[T any](kind *RecordType[T], keys []string, recs map[string]*T) Table[T] {
	b := &base[T]{keys: keys, recs: recs, list: make([]*T, len(keys))}
	for i, k := range keys {
		b.list[i] = recs[k]
	}
	return Table[T]{kind: kind, base: b}
}

// Fork returns a copy-on-write copy: either side clones a record before it
// writes to it. A table that was not written to since its last Fork may be
// forked by many goroutines at once.
func (t *Table[T]) Fork() Table[T] {
	if t.owner != nil {
		t.owner = nil
	}
	c := *t
	c.added = slices.Clip(t.added)
	if t.over != nil {
		c.over = make(map[string]touched[T], len(t.over)+4)
		maps.Copy(c.over, t.over)
	}
	return c
}

// Get returns a record for reading, nil where there is none.
func (t *Table[T]) Get(key string) *T {
	if e, ok := t.over[key]; ok {
		return e.rec
	}
	return t.base.recs[key]
}

// Mut returns a record for writing, nil where there is none. It stays valid
// for writing until the next Fork.
func (t *Table[T]) Mut(key string) *T {
	if e, ok := t.over[key]; ok && e.owner == t.owner && t.owner != nil {
		return e.rec
	}
	r := t.Get(key)
	if r == nil {
		return nil
	}
	c := t.kind.Clone(r)
	t.put(key, c)
	return c
}

// Set replaces a record or adds one at the end. The table owns r from now on.
func (t *Table[T]) Set(key string, r *T) {
	if t.Get(key) == nil {
		t.added = append(t.added, key)
	}
	t.put(key, r)
}

func (t *Table[T]) put(key string, r *T) {
	if t.owner == nil {
		t.owner = new(byte)
	}
	if t.over == nil {
		t.over = make(map[string]touched[T], 4)
	}
	t.over[key] = touched[T]{r, t.owner}
}

// Len returns the number of records.
func (t *Table[T]) Len() int { return len(t.base.keys) + len(t.added) }

// Keys returns all keys in order; read-only.
func (t *Table[T]) Keys() []string {
	if len(t.added) == 0 {
		return t.base.keys
	}
	return slices.Concat(t.base.keys, t.added)
}

// All iterates over the records in key order.
func (t *Table[T]) All() iter.Seq2[string, *T] {
	return func(yield func(string, *T) bool) {
		for i, k := range t.base.keys {
			r := t.base.list[i]
			if e, ok := t.over[k]; ok {
				r = e.rec
			}
			if !yield(k, r) {
				return
			}
		}
		for _, k := range t.added {
			if !yield(k, t.Get(k)) {
				return
			}
		}
	}
}

// Record returns a record as JSON, nil where there is none. Records of the
// base are converted once. Read-only.
func (t *Table[T]) Record(key string) *pyjson.Object {
	if e, ok := t.over[key]; ok {
		return t.kind.JSON(e.rec)
	}
	r := t.base.recs[key]
	if r == nil {
		return nil
	}
	if o, ok := t.base.json.Load(key); ok {
		return o.(*pyjson.Object)
	}
	o, _ := t.base.json.LoadOrStore(key, t.kind.JSON(r))
	return o.(*pyjson.Object)
}

// Plain returns a record as plain Go values, nil where there is none. Records
// of the base are converted once. Read-only.
func (t *Table[T]) Plain(key string) map[string]any {
	if e, ok := t.over[key]; ok {
		return pyjson.PlainMap(t.kind.JSON(e.rec))
	}
	if m, ok := t.base.plain.Load(key); ok {
		return m.(map[string]any)
	}
	o := t.Record(key)
	if o == nil {
		return nil
	}
	m, _ := t.base.plain.LoadOrStore(key, pyjson.PlainMap(o))
	return m.(map[string]any)
}

// Shape is what the validation of records asks for, as the table's records show.
// What no record has is tried out on the first one.
func (t *Table[T]) Shape() *lax.Shape {
	s := &lax.Shape{}
	for _, key := range t.Keys() {
		t.kind.Valid(lax.Trace(key, s), t.Record(key))
	}
	for _, field := range s.Unseen() {
		for _, try := range []any{"", []any{""}} {
			r := t.Record(t.Keys()[0]).Shallow()
			r.Set(field, try)
			t.kind.Valid(lax.Trace(field, s), r)
		}
	}
	return s
}
