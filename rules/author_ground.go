package rules

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"taste/contract"
	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// strangers is how many records of other customers a search by chance looks at.
const strangers = 400

// adoptions is how many records of other customers are tried in full before an
// attempt gives up on one symbolic record.
const adoptions = 40

// additions are the records that a task adds to the database or changes in it,
// by table and key: the initialization data of the task.
type additions struct {
	tables map[string]map[string]map[string]any
}

func (a *additions) clone() *additions {
	out := &additions{tables: map[string]map[string]map[string]any{}}
	for t, recs := range a.tables {
		out.tables[t] = maps.Clone(recs)
	}
	return out
}

func (a *additions) set(table, key string, rec map[string]any) {
	if a.tables[table] == nil {
		a.tables[table] = map[string]map[string]any{}
	}
	a.tables[table][key] = rec
}

// list names what is added, table/key, in order.
func (a *additions) list() []string {
	var out []string
	for t, recs := range a.tables {
		for k := range recs {
			out = append(out, t+"/"+k)
		}
	}
	slices.Sort(out)
	return out
}

// initial is the initial state that adds the records; nil if there are none.
func (a *additions) initial() (*tau.InitialState, error) {
	if len(a.tables) == 0 {
		return nil, nil
	}
	data := map[string]any{}
	for t, recs := range a.tables {
		rows := map[string]any{}
		for k, r := range recs {
			rows[k] = r
		}
		data[t] = rows
	}
	v, err := pyjson.FromGo(data)
	if err != nil {
		return nil, fmt.Errorf("spell additions: %w", err)
	}
	return &tau.InitialState{InitializationData: &tau.InitializationData{AgentData: v.(*pyjson.Object)}}, nil
}

// environment is a fresh one with the additions merged in.
func (a *additions) environment(d *env.Domain) (*env.Environment, error) {
	e := d.Environment()
	s, err := a.initial()
	if err != nil || s == nil {
		return e, err
	}
	return e, e.SetState(s)
}

// ground finds a concrete record for every symbolic one: the customer's own
// where they fit, else one of another customer's, adopted.
func (d *drafting) ground() error {
	d.mine = make([]string, len(d.plan.opens))
	for r := range d.plan.opens {
		if err := d.groundRecord(r); err != nil {
			return fmt.Errorf("record %d: %w", r, err)
		}
	}
	if len(d.mine) == 0 {
		d.mine = d.own()
	}
	return nil
}

// about lists the items about symbolic record r that do something, in order.
func (d *drafting) about(r int) []*item {
	var out []*item
	for _, it := range d.plan.items {
		if it.record == r && it.wishes[0].Does != "" {
			out = append(out, it)
		}
	}
	return out
}

func (d *drafting) groundRecord(r int) error {
	kind := d.a.contract.Records[d.a.contract.RecordRead(d.plan.seq[d.plan.opens[r]])]
	items := d.about(r)
	for _, id := range shuffled(d.draw, d.own()) {
		if !slices.Contains(d.mine, id) && d.suits(d.env, r, id, items) == nil {
			d.mine[r] = id
			return nil
		}
	}
	last := errors.New("the database has no such record")
	for _, key := range d.candidates(kind, items) {
		if last = d.adopt(kind, r, key, items); last == nil {
			return nil
		}
	}
	return fmt.Errorf("%w: %w", errNoFit, last)
}

// candidates draws records of other customers that may suit the items: those
// that look right for all of them before those that look right for the first,
// for what the others are about may still come of it.
func (d *drafting) candidates(kind *contract.Record, items []*item) []string {
	var whole, first []string
	for _, key := range shuffled(d.draw, d.a.domain.Environment().Keys(kind.Table)) {
		fits := func(it *item) bool { return d.a.promising(key, it) }
		switch {
		case all(items, fits):
			whole = append(whole, key)
		case fits(items[0]):
			first = append(first, key)
		}
		if len(whole) == adoptions {
			return whole
		}
	}
	return slices.Concat(whole, first[:min(len(first), adoptions-len(whole))])
}

// own lists the keys of the records that the customer has, sorted.
func (d *drafting) own() []string {
	var out []string
	me := d.env.Record(d.a.contract.Customer.Table, d.customer)
	for _, kind := range d.a.contract.Records {
		list, _ := me[kind.Listed].([]any)
		for _, v := range list {
			out = append(out, fmt.Sprint(v))
		}
	}
	slices.Sort(out)
	return out
}

// suits tries what is wanted of a record on a copy of the environment.
func (d *drafting) suits(e *env.Environment, r int, id string, items []*item) error {
	mine := d.mine
	d.mine = slices.Clone(mine)
	d.mine[r] = id
	defer func() { d.mine = mine }()
	var calls []contract.Call
	for _, it := range items {
		f, err := d.fulfil(attempt{item: it, env: e, calls: calls, record: id, fits: d.explains(it)})
		if err != nil {
			return err
		}
		calls = append(calls, d.made(f.wish.Does, f, it, e))
		e = f.after
	}
	return nil
}

// promising looks at a record of another customer as it stands: false if that
// rules out what is wanted of it, whoever wants it. Nothing is built for that,
// and it is remembered.
func (a *Author) promising(key string, it *item) bool {
	return slices.ContainsFunc(it.wishes, func(w *contract.Wish) bool {
		name := recordSlot(w)
		if name == "" {
			return true
		}
		at := w.Name + "\x00" + key
		if v, ok := a.promise.Load(at); ok {
			return v.(bool)
		}
		f := &filler{wish: w, scope: &contract.Scope{
			Contract: a.contract, Reader: a.reader(a.domain.Environment()), Wish: w,
			Ask: map[string]any{name: key}, Undecided: true, Extra: map[string]any{"learnt": none, "served": none},
		}}
		_, ok := f.sensible(w.Where)
		a.promise.Store(at, ok)
		return ok
	})
}

// adopt gives the customer a copy of a record under a new key, if that makes it
// suit the items.
func (d *drafting) adopt(kind *contract.Record, r int, key string, items []*item) error {
	scope := d.scope(nil, nil, newEnvReader(d.env), nil)
	Acquaint(scope, d.env, d.customer, "")
	rec, err := adopted(scope, d.a.domain.Environment(), kind, key)
	if err != nil {
		return err
	}
	id, me := mint(d.env, d.draw, kind), d.env.Record(d.a.contract.Customer.Table, d.customer)
	rec[kind.Key] = id
	adds := d.adds.clone()
	adds.set(kind.Table, id, rec)
	adds.set(d.a.contract.Customer.Table, d.customer, map[string]any{kind.Listed: append(slices.Clone(me[kind.Listed].([]any)), id)})
	e, err := adds.environment(d.a.domain)
	if err != nil {
		return err
	}
	if err := d.suits(e, r, id, items); err != nil {
		return err
	}
	d.env, d.adds, d.mine[r] = e, adds, id
	return nil
}

// adopted is a copy of a record as that of the customer whom the scope knows, but
// for its key.
func adopted(scope *contract.Scope, e *env.Environment, kind *contract.Record, key string) (map[string]any, error) {
	old := e.Record(kind.Table, key)
	scope.Extra["old"] = contract.ToVal(old)
	if ok, err := scope.Holds(kind.Adoptable); err != nil || !ok {
		return nil, fmt.Errorf("%s cannot be adopted: %w", key, errors.Join(errNoFit, err))
	}
	rec := maps.Clone(old)
	for _, f := range sortedKeys(kind.Adopt) {
		v, err := scope.Eval(kind.Adopt[f])
		if err != nil {
			return nil, fmt.Errorf("adopt %s.%s: %w", key, f, err)
		}
		rec[f] = v
	}
	return rec, nil
}

// chooseCustomer draws a customer whom the contract allows; of three the one
// with most records, for what a customer has need not be added.
func (d *drafting) chooseCustomer() error {
	table := d.a.contract.Customer.Table
	keys := d.env.Keys(table)
	best, most := "", -1
	for range 3 {
		d.customer = keys[d.draw.IntN(len(keys))]
		scope := d.scope(nil, nil, newEnvReader(d.env), nil)
		Acquaint(scope, d.env, d.customer, "")
		if ok, err := scope.Holds(d.a.contract.Customer.Where); err != nil || !ok {
			continue
		}
		if n := len(d.own()); n > most {
			best, most = d.customer, n
		}
	}
	if best == "" {
		return fmt.Errorf("choose customer: %w: none of three fits", errNoFit)
	}
	d.customer = best
	return nil
}
