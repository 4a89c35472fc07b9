package env

import (
	"fmt"
	"strings"

	"taste/chat"
	"taste/pyjson"
)

// Reference says that the values of a field are keys of records.
type Reference struct {
	// From is a table and the field inside its records, e.g.
	// "reservations.flights[].flight_number": [] stands for each element of a
	// list, {} for each value of an object.
	From string
	// To is what the value must be a key of: a table ("flights"), or an object
	// or list inside a record, e.g. "users.{user_id}.payment_methods", where
	// {name} is the field of that name in the objects around the value, the
	// innermost that has one. "" is the key of the value's own record.
	To string
}

// dangling calls found for each value of the given records that refers to
// nothing: where it stands, from the table on, and what is wrong. Values that are
// null, and places that the record which a {name} refers to lacks, are passed over.
func dangling(s State, ref Reference, keys []string, found func(side, path, text string)) {
	table, field, _ := strings.Cut(ref.From, ".")
	side := sideOf(s, table)
	for _, key := range keys {
		at := table + "." + key
		w := walker{s: s, ref: ref, key: key, found: func(path, text string) { found(side, path, text) }}
		w.walk(at, s.Record(side, table, key), strings.Split(field, "."), nil)
	}
}

// sideOf returns the side that has a table; names of tables differ between the
// sides.
func sideOf(s State, table string) string {
	for _, t := range s.Tables(chat.User) {
		if t == table {
			return chat.User
		}
	}
	return chat.Assistant
}

// walker follows one reference through one record.
type walker struct {
	s     State
	ref   Reference
	key   string
	found func(path, text string)
}

// walk goes down fields from v, which stands at path inside the given objects.
func (w *walker) walk(at string, v any, fields []string, around []*pyjson.Object) {
	if len(fields) == 0 {
		w.value(at, v, around)
		return
	}
	o, ok := v.(*pyjson.Object)
	if !ok {
		return
	}
	around = append(around, o)
	name := strings.TrimRight(fields[0], "[]{}")
	v, ok = o.Get(name)
	if !ok || v == nil {
		return
	}
	at += "." + name
	switch fields[0][len(name):] {
	case "[]":
		list, _ := v.([]any)
		for i, e := range list {
			w.walk(fmt.Sprintf("%s[%d]", at, i), e, fields[1:], around)
		}
	case "{}":
		inner, _ := v.(*pyjson.Object)
		for k, e := range inner.All() {
			w.walk(at+"."+k, e, fields[1:], around)
		}
	default:
		w.walk(at, v, fields[1:], around)
	}
}

func (w *walker) value(at string, v any, around []*pyjson.Object) {
	key := pyjson.Str(v)
	switch {
	case v == nil:
	case w.ref.To == "":
		if key != w.key {
			w.found(at, fmt.Sprintf("%s, but the record's key is %s", pyjson.Repr(v), pyjson.Repr(w.key)))
		}
	default:
		if place, ok := w.holds(key, around); !ok {
			w.found(at, fmt.Sprintf("%s is not in %s", pyjson.Repr(v), place))
		}
	}
}

// holds says whether the place that the reference leads to has a key, and
// names the place.
func (w *walker) holds(key string, around []*pyjson.Object) (place string, ok bool) {
	steps := strings.Split(w.ref.To, ".")
	for i, s := range steps {
		if name, inner := strings.CutPrefix(s, "{"); inner {
			steps[i] = lookUp(around, strings.TrimSuffix(name, "}"))
		}
	}
	side := sideOf(w.s, steps[0])
	if len(steps) == 1 {
		return steps[0], w.s.Record(side, steps[0], key) != nil
	}
	var v any = w.s.Record(side, steps[0], steps[1])
	for _, s := range steps[2:] {
		if o, _ := v.(*pyjson.Object); o.Has(s) {
			v, _ = o.Get(s)
		} else {
			return "", true
		}
	}
	return strings.Join(steps, "."), has(v, key)
}

// lookUp finds a field in the innermost object that has it.
func lookUp(around []*pyjson.Object, name string) string {
	for i := len(around) - 1; i >= 0; i-- {
		if v, ok := around[i].Get(name); ok {
			return pyjson.Str(v)
		}
	}
	return ""
}

func has(v any, key string) bool {
	switch x := v.(type) {
	case *pyjson.Object:
		return x.Has(key)
	case []any:
		for _, e := range x {
			if e == any(key) {
				return true
			}
		}
	}
	return false
}
