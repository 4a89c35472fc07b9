package native

import (
	"errors"
	"iter"

	"taste/env"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// ErrUserData: databases were given for the user's side of a domain that has
// none there.
var ErrUserData = errors.New("the domain has no user database")

// Records is one table of a database: records by key, in an order that
// searches follow. Keys equal the ids inside the records by convention, not by
// force.
type Records[T any] struct {
	Keys  []string
	ByKey map[string]*T
}

// Add appends a record or replaces the one of the same key.
func (r *Records[T]) Add(key string, v *T) {
	if r.ByKey == nil {
		r.ByKey = map[string]*T{}
	}
	if r.ByKey[key] == nil {
		r.Keys = append(r.Keys, key)
	}
	r.ByKey[key] = v
}

// Get returns the record of a key, nil where there is none.
func (r *Records[T]) Get(key string) *T { return r.ByKey[key] }

// Len returns the number of records.
func (r *Records[T]) Len() int { return len(r.Keys) }

// All iterates over the records in order.
func (r *Records[T]) All() iter.Seq2[string, *T] {
	return func(yield func(string, *T) bool) {
		for _, k := range r.Keys {
			if !yield(k, r.ByKey[k]) {
				return
			}
		}
	}
}

// Table makes a copy-on-write table of the records, which must not be changed
// afterwards.
func (r *Records[T]) Table(kind *env.RecordType[T]) env.Table[T] {
	return env.NewTable(kind, r.Keys, r.ByKey)
}

// Read validates the records of a database in JSON form under the name of their
// table.
func (r *Records[T]) Read(c *lax.Check, root *pyjson.Object, table string, kind *env.RecordType[T]) {
	c.Field(root, table, func(v any) {
		for k, e := range c.Dict(v).All() {
			c.In(k, func() { r.Add(k, kind.Valid(c, e)) })
		}
	})
}

// JSON returns the records as the reference dumps them.
func (r *Records[T]) JSON(kind *env.RecordType[T]) *pyjson.Object {
	o := pyjson.Sized(r.Len())
	for k, v := range r.All() {
		o.Set(k, kind.JSON(v))
	}
	return o
}
