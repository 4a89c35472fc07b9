package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"taste/contract"
	"taste/env"
)

// Limits of the search for cases in which expressions are tried: customers whom a
// wish is tried with, and cases of it.
const (
	customersTried = 25
	casesTried     = 3
)

// tries evaluates expressions in cases of the domain, and keeps by their places
// what came of it.
type tries map[string][]failure

// failure says why an expression has no value in a case; err is nil if it has one.
type failure struct {
	expr *contract.Expr
	err  error
}

// eval returns the value, nil where there is none.
func (t tries) eval(place string, s *contract.Scope, e *contract.Expr) any {
	if e == nil {
		return nil
	}
	v, err := s.Eval(e)
	t[place] = append(t[place], failure{e, err})
	return v
}

// descriptions tries what descriptions come to, and what rivals are made of. Both
// are worked out so late that a failure is only one more thing that does not fit;
// an expression that has no value in any case, for want of a field that no record
// has, is misspelt.
func (f *fitCheck) descriptions() {
	t := tries{}
	for _, w := range f.c.Wishes {
		rivals := slices.DeleteFunc(slices.Clone(f.c.Evolution.Rivals), func(r contract.Rival) bool { return !slices.Contains(r.Wishes, w.Name) })
		if w.Apart == nil && len(rivals) == 0 {
			continue
		}
		for _, s := range f.cases(w) {
			t.eval("contract: wish "+w.Name+": apart", s, w.Apart)
			for _, r := range rivals {
				f.rival(t, s, &r)
			}
		}
	}
	for _, place := range sortedKeys(t) {
		if field := f.misspelt(t[place]); field != "" {
			f.fault("%s: nothing that it looks at has a field %q", place, field)
		}
	}
}

// rival tries what a rival is made of, beside each record that could be meant.
func (f *fitCheck) rival(t tries, s *contract.Scope, r *contract.Rival) {
	where := "contract: rival " + r.Name
	beside := map[string]bool{}
	if r.Of != nil {
		beside[fmt.Sprint(t.eval(where+": of", s, r.Of))] = true
	} else if args, err := Arguments(s); err == nil {
		collectTexts(args, beside)
	}
	for _, key := range sortedKeys(beside) {
		old := f.env.Record(r.Table, key)
		if old == nil {
			continue
		}
		s.Extra["old"] = contract.ToVal(old)
		item := t.eval(where+": key", s, r.Key)
		if list, ok := item.([]any); ok && len(list) > 0 {
			item = list[0]
		}
		s.Extra["item"] = contract.ToVal(item)
		t.eval(where+": record", s, r.Record)
		for _, p := range r.Plant {
			t.eval(where+": plant: "+p.Func+": when", s, p.When)
			for _, name := range sortedKeys(p.Args) {
				t.eval(where+": plant: "+p.Func+": "+name, s, p.Args[name])
			}
		}
	}
}

// misspelt names a field for want of which an expression never had a value, and
// which no record has, "" if there is none. A key that is computed is no field.
func (f *fitCheck) misspelt(list []failure) (field string) {
	for _, x := range list {
		if x.err == nil {
			return ""
		}
		_, rest, _ := strings.Cut(x.err.Error(), "no such key: ")
		name, _, _ := strings.Cut(rest, " ")
		if name != "" && f.selects(x.expr, name) && !slices.ContainsFunc(f.env.Tables(), func(t string) bool { return f.someHolds(t, name) }) {
			field = name
		}
	}
	return field
}

// selects tells whether a field is written out in an expression, or in what
// expressions go back to.
func (f *fitCheck) selects(e *contract.Expr, field string) bool {
	texts := []string{e.Text}
	for _, fn := range f.c.Functions {
		texts = append(texts, fn.Is)
	}
	for _, w := range f.c.Wishes {
		for _, l := range w.Let {
			texts = append(texts, l.Is.Text)
		}
	}
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, "."+field) })
}

// cases lists scopes of the domain's initial state in which a wish has its slots.
func (f *fitCheck) cases(w *contract.Wish) []*contract.Scope {
	var out []*contract.Scope
	draw := rand.New(rand.NewPCG(0, 0))
	base := contract.Scope{Contract: f.c, Reader: Reader(f.env), Wish: w, Table: (&sampler{env: f.env, draw: draw}).table, Steady: true}
	for i, customer := range f.env.Keys(f.c.Customer.Table) {
		if i == customersTried || len(out) == casesTried {
			break
		}
		s := base
		s.Customer, s.Ask = customer, map[string]any{}
		s.Extra = map[string]any{"learnt": none, "served": none, "me": contract.ToVal(f.env.Record(f.c.Customer.Table, customer))}
		if kind := f.c.Records[f.c.Device.Record]; kind != nil {
			own := keysOf(f.c, f.env, kind, customer)
			if len(own) == 0 {
				continue
			}
			s.Device, s.Extra["own"] = own[0], contract.ToVal(f.env.Record(kind.Table, own[0]))
		}
		for _, slot := range w.Slots {
			if kind := f.c.Records[slot.Kind]; kind != nil {
				s.Mine = append(s.Mine, keysOf(f.c, f.env, kind, customer)...)
			}
		}
		fill := &filler{scope: &s, wish: w, draw: draw, records: s.Mine, accept: func() error { return nil }}
		if fill.fill() == nil {
			s.Undecided = false
			out = append(out, &s)
		}
	}
	return out
}

// keysOf lists the keys of a customer's records of a kind.
func keysOf(c *contract.Contract, e *env.Environment, kind *contract.Record, customer string) []string {
	var out []string
	for _, key := range OwnKeys(c, e, kind, customer) {
		out = append(out, fmt.Sprint(key))
	}
	return out
}
