package native

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"

	"taste/env"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// Database is a view of one side's tables. Its zero value is a side without a
// database.
type Database struct {
	Class  string  // the reference's data model, in texts of validation
	Tables []Table // in file order
}

// Table is a named table of a state.
type Table struct {
	name string
	rows rows
}

// Named names a table.
func Named[T any](name string, t *env.Table[T]) Table { return Table{name, view[T]{t, keyed}} }

// Listed names a table that the database holds as a list of records, without
// keys.
func Listed[T any](name string, t *env.Table[T]) Table { return Table{name, view[T]{t, listed}} }

// Single names a table of one record, which stands in the database itself.
func Single[T any](name string, t *env.Table[T]) Table { return Table{name, view[T]{t, single}} }

// rows is what tables have in common, whatever their records are.
type rows interface {
	Keys() []string
	Record(key string) *pyjson.Object
	Plain(key string) map[string]any
	WriteHashForm(w io.Writer)
	json() any
	touched(other rows) []string
	equal(other rows) bool
	Update(c *lax.Check, data *pyjson.Object)
	Shape() *lax.Shape
}

// form is how a database holds a table.
type form int

const (
	keyed form = iota
	listed
	single
)

type view[T any] struct {
	*env.Table[T]
	form form
}

// touched returns all keys where the other side has another table.
func (v view[T]) touched(other rows) []string {
	if o, ok := other.(view[T]); ok {
		return v.Touched(o.Table)
	}
	return slices.Sorted(slices.Values(v.Keys()))
}

func (v view[T]) equal(other rows) bool {
	o := other.(view[T])
	return v.Equal(o.Table) && (v.form != listed || slices.Equal(v.Keys(), o.Keys()))
}

func (v view[T]) WriteHashForm(w io.Writer) {
	switch v.form {
	case keyed:
		v.Table.WriteHashForm(w)
	case single:
		v.writeRecords(w)
	case listed:
		io.WriteString(w, "[")
		v.writeRecords(w)
		io.WriteString(w, "]")
	}
}

// json is the table as files hold it.
func (v view[T]) json() any {
	if v.form == single && len(v.Keys()) == 1 {
		return v.Record(v.Keys()[0])
	}
	list, object := []any{}, pyjson.Sized(len(v.Keys()))
	for _, k := range v.Keys() {
		list = append(list, v.Record(k))
		object.Set(k, v.Record(k))
	}
	if v.form == listed {
		return list
	}
	return object
}

// writeRecords writes all records in order, separated.
func (v view[T]) writeRecords(w io.Writer) {
	for i, k := range v.Keys() {
		if i > 0 {
			io.WriteString(w, ", ")
		}
		w.Write(pyjson.Append(nil, v.Record(k), pyjson.Hash))
	}
}

func (d Database) json() *pyjson.Object {
	if d.Tables == nil {
		return nil
	}
	o := pyjson.NewObject()
	for _, t := range d.Tables {
		o.Set(t.name, t.rows.json())
	}
	return o
}

func (d Database) names() []string {
	var names []string
	for _, t := range d.Tables {
		names = append(names, t.name)
	}
	return names
}

// rows returns a table, nil where there is none of the name.
func (d Database) rows(name string) rows {
	for _, t := range d.Tables {
		if t.name == name {
			return t.rows
		}
	}
	return nil
}

// schema is the JSON schema of what can be merged: objects of records by key,
// whatever form the tables have in files.
func (d Database) schema() *pyjson.Object {
	if d.Tables == nil {
		return nil
	}
	tables := pyjson.NewObject()
	for _, t := range d.Tables {
		tables.Set(t.name, pyjson.NewObject("type", "object", "additionalProperties", t.rows.Shape().Schema()))
	}
	return pyjson.NewObject("type", "object", "properties", tables, "additionalProperties", false)
}

func (d Database) equal(other Database) bool {
	if d.Class != other.Class {
		return false
	}
	for i, t := range d.Tables {
		if !t.rows.equal(other.Tables[i].rows) {
			return false
		}
	}
	return true
}

// hash is the SHA-256 of the tables as JSON with sorted keys.
func (d Database) hash() string {
	if d.Tables == nil {
		return ""
	}
	sorted := slices.SortedFunc(slices.Values(d.Tables), func(a, b Table) int { return strings.Compare(a.name, b.name) })
	h := sha256.New()
	sep := "{"
	for _, t := range sorted {
		io.WriteString(h, sep+`"`+t.name+`": `)
		t.rows.WriteHashForm(h)
		sep = ", "
	}
	io.WriteString(h, "}")
	return hex.EncodeToString(h.Sum(nil))
}

// merge writes data into the tables. Only the records that data names or a run
// has touched are validated: all others are valid already.
func (d Database) merge(data *pyjson.Object) error {
	c := lax.New(d.Class)
	for _, t := range d.Tables {
		c.In(t.name, func() {
			var records *pyjson.Object
			if v, ok := data.Get(t.name); ok {
				records = c.Dict(v)
			}
			t.rows.Update(c, records)
		})
	}
	c.NoExtra(data, d.names()...)
	return c.Err()
}
