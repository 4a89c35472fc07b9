package rules

import (
	"maps"
	"slices"

	"taste/chat"
	"taste/contract"
)

// functions holds what is called of the environment, by plants and assertions, to
// the functions that it has: a call that cannot be made would leave a fault or a
// look-alike out of every task without a word.
func (f *fitCheck) functions() {
	f.plants("contract: device: setup", f.c.Device.Setup)
	for _, d := range f.c.Faults {
		f.plants("contract: fault "+d.Name+": plant", d.Plant)
	}
	for _, w := range f.c.Wishes {
		f.plants("contract: wish "+w.Name+": plant", w.Plant)
	}
	for _, r := range f.c.Evolution.Rivals {
		f.plants("contract: rival "+r.Name+": plant", r.Plant)
	}
	for _, a := range f.c.Assertions {
		f.function("contract: assertion", a.Side, a.Func, a.Args)
	}
}

func (f *fitCheck) plants(where string, list []contract.EnvCall) {
	for _, p := range list {
		f.function(where, p.Side, p.Func, p.Args)
	}
}

// function wants one side of the environment to have a function, a tool or not,
// that takes these arguments.
func (f *fitCheck) function(where, side, name string, args map[string]*contract.Expr) {
	params, ok := f.parameters(side, name)
	if ok {
		f.arguments(where, "function "+name, params, slices.Sorted(maps.Keys(args)))
		return
	}
	other := chat.User
	if side == chat.User {
		other = chat.Assistant
	}
	if _, ok := f.parameters(other, name); ok {
		f.fault("%s: %s is a function of the %s's side, not of the %s's", where, name, other, side)
		return
	}
	f.fault("%s: the domain has no function %q on the %s's side", where, name, side)
}

// parameters lists those of a function of one side, and tells whether there is one.
func (f *fitCheck) parameters(side, name string) ([]chat.Parameter, bool) {
	if spec := f.domain.Tool(name); spec != nil && (spec.Requestor == chat.User) == (side == chat.User) {
		params, err := spec.Parameters()
		return params, err == nil
	}
	for _, s := range f.domain.Helpers(side) {
		if s.Name != name {
			continue
		}
		var out []chat.Parameter
		for i, p := range s.Params {
			out = append(out, chat.Parameter{Name: p, Required: i < len(s.Params)-len(s.Defaults)})
		}
		return out, true
	}
	return nil, false
}

// lookAlikes holds the records of look-alikes, and the fields in which they differ,
// to the database.
func (f *fitCheck) lookAlikes() {
	e := &f.c.Evolution
	for i := range e.Twins {
		t := &e.Twins[i]
		f.field("contract: twin "+t.Rule+": set", f.c.Records[t.Record].Table, t.Field())
	}
	for _, r := range e.Rivals {
		where := "contract: rival " + r.Name
		if f.hasTable(where, r.Table) {
			f.within(where+": differs", r.Table, r.Differs)
		}
	}
}

// hasTable wants the database to have a table.
func (f *fitCheck) hasTable(where, name string) bool {
	ok := slices.Contains(f.env.Tables(), name)
	if !ok {
		f.fault("%s: the database has no table %q", where, name)
	}
	return ok
}

// within wants some record of a table, or a part of one, to have a field, where
// there are records.
func (f *fitCheck) within(where, table, name string) {
	if f.peek(table) != nil && !f.someHolds(table, name) {
		f.fault("%s: neither records of table %s nor their parts have a field %q", where, table, name)
	}
}

// someHolds tells whether a record of a table, or a part of one, has a field.
func (f *fitCheck) someHolds(table, field string) bool {
	for _, rec := range f.env.Records(table) {
		if holds(rec, field) {
			return true
		}
	}
	return false
}

// holds tells whether an object, or one in it, has a field.
func holds(v any, field string) bool {
	in := func(part any) bool { return holds(part, field) }
	switch v := v.(type) {
	case map[string]any:
		_, ok := v[field]
		return ok || slices.ContainsFunc(slices.Collect(maps.Values(v)), in)
	case []any:
		return slices.ContainsFunc(v, in)
	}
	return false
}
