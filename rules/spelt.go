package rules

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/pyjson"
)

// customersTried is how many customers a read is tried with until it answers.
const customersTried = 25

// Spelt says all at once which fields that a contract speaks of no record, argument
// or answer of a domain has. A condition over a misspelt one has no value, and what
// rests on it would be left out of every task without a word.
// The worlds are those of one domain; a table, or a list in all its records, that
// is empty in each of them may hold anything, and then nothing is said. A read
// that answers nobody is taken to answer with records.
func Spelt(c *contract.Contract, worlds ...*env.Domain) error {
	known, whole := fieldSet{}, false
	for _, d := range worlds {
		whole = known.world(d, c) || whole
	}
	if !whole {
		return nil
	}
	var errs []error
	for _, x := range c.Fields() {
		if !known[x.Name] {
			errs = append(errs, fmt.Errorf("contract: %s: no record, argument or answer has a field %q", x.Place, x.Name))
		}
	}
	return errors.Join(errs...)
}

// fieldSet holds names of fields.
type fieldSet map[string]bool

// world adds the fields of a domain, and tells whether all of them could be seen.
func (known fieldSet) world(d *env.Domain, c *contract.Contract) bool {
	whole := true
	for _, side := range []string{chat.Assistant, chat.User} {
		for _, table := range tables(d, side) {
			whole = known.described(table) && whole
		}
	}
	e := d.Environment()
	for _, table := range e.Tables() {
		for _, rec := range e.Records(table) {
			known.held(rec)
		}
	}
	for i := range d.Tools {
		params, _ := d.Tools[i].Parameters() // Fit says what is wrong with them
		for _, p := range params {
			known[p.Name], known["args."+p.Name] = true, true
			known.described(p.Schema)
		}
	}
	for _, name := range sortedKeys(c.Reads) {
		known.held(reply(e, c, c.Reads[name]))
	}
	return whole
}

// tables are the schemas of the tables of one side.
func tables(d *env.Domain, side string) []any {
	s := d.Schema(side)
	if s == nil {
		return nil
	}
	all, _ := s.Get("properties")
	properties, ok := all.(*pyjson.Object)
	if !ok {
		return nil
	}
	var out []any
	for _, table := range properties.All() {
		out = append(out, table)
	}
	return out
}

// held adds the fields of objects in a value.
func (known fieldSet) held(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, e := range v {
			known[name] = true
			known.held(e)
		}
	case []any:
		for _, e := range v {
			known.held(e)
		}
	}
}

// described adds the fields of what a JSON schema describes, and tells whether it
// says what all lists and maps hold.
func (known fieldSet) described(schema any) bool {
	whole := true
	switch v := schema.(type) {
	case *pyjson.Object:
		for key, e := range v.All() {
			part, _ := e.(*pyjson.Object)
			switch key {
			case "properties":
				for _, name := range part.Keys() {
					known[name] = true
				}
			case "items", "additionalProperties":
				whole = whole && (part == nil || part.Len() > 0)
			}
			whole = known.described(e) && whole
		}
	case []any:
		for _, e := range v {
			whole = known.described(e) && whole
		}
	}
	return whole
}

// reply is what a read says of the first customer of whom it says anything, nil
// if there is none.
func reply(e *env.Environment, c *contract.Contract, r contract.Read) any {
	for i, customer := range e.Keys(c.Customer.Table) {
		if i == customersTried {
			break
		}
		for _, args := range questions(e, c, r.Args, customer) {
			if v, err := e.Read(r.Tool, args); err == nil {
				return v
			}
		}
	}
	return nil
}

// questions lists arguments for a read: what a customer's records hold in fields
// of their names, and for a single one the key of each table's first record.
func questions(e *env.Environment, c *contract.Contract, params []string, customer string) []map[string]any {
	about := map[string]any{}
	firsts(e.Record(c.Customer.Table, customer), about)
	for _, kind := range sortedKeys(c.Records) {
		r := c.Records[kind]
		for _, key := range OwnKeys(c, e, r, customer) {
			firsts(e.Record(r.Table, fmt.Sprint(key)), about)
		}
	}
	maps.DeleteFunc(about, func(name string, _ any) bool { return !slices.Contains(params, name) })
	var out []map[string]any
	if len(about) == len(params) {
		out = append(out, about)
	}
	for _, table := range e.Tables() {
		if keys := e.Keys(table); len(params) == 1 && len(keys) > 0 {
			out = append(out, map[string]any{params[0]: keys[0]})
		}
	}
	return out
}

// firsts adds the first value of each field of an object and of its parts.
func firsts(v any, to map[string]any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			firsts(v[name], to)
			if _, ok := to[name]; !ok {
				to[name] = v[name]
			}
		}
	case []any:
		for _, e := range v {
			firsts(e, to)
		}
	}
}
