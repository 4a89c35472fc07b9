package rules

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"taste/contract"
)

// home is where a casebook is grounded: a customer and the key of the record of
// her device, "" where customers have none.
type home struct{ customer, device string }

// homesTried is how many homes an attempt tries before it reads the sequence anew.
const homesTried = 6

// settlements lists all homes that the contract allows, in the database's order.
func (a *Author) settlements() []home {
	var out []home
	e := a.domain.Environment()
	kind := a.contract.Records[a.contract.Device.Record]
	for _, customer := range e.Keys(a.contract.Customer.Table) {
		if !a.fits(home{customer, ""}, a.contract.Customer.Where) {
			continue
		}
		if kind == nil {
			out = append(out, home{customer, ""})
			continue
		}
		for _, key := range OwnKeys(a.contract, e, kind, customer) {
			if h := (home{customer, fmt.Sprint(key)}); a.fits(h, a.contract.Device.Where) {
				out = append(out, h)
			}
		}
	}
	return out
}

// fits tells whether a condition holds of a home as the database has it.
func (a *Author) fits(h home, where *contract.Expr) bool {
	if where == nil {
		return true
	}
	type place struct {
		home
		where *contract.Expr
	}
	if v, ok := a.promise.Load(place{h, where}); ok {
		return v.(bool)
	}
	e := a.domain.Environment()
	s := &contract.Scope{Contract: a.contract, Reader: a.reader(e), Customer: h.customer, Device: h.device}
	Acquaint(s, e, h.customer, h.device)
	ok, err := s.Holds(where)
	a.promise.Store(place{h, where}, ok && err == nil)
	return ok && err == nil
}

// homes draws homes in which nothing that will be planted is out of place.
func (b *breaking) homes() []home {
	return slices.DeleteFunc(shuffled(b.draw, b.a.dwellings()), func(h home) bool {
		return !all(b.book.patches, func(p *patch) bool { return b.a.fits(h, p.defect.Where) })
	})
}

// stake is a slot whose value nothing else in the task may be about.
type stake struct {
	item   *item // nil: a slot that plants of faults draw
	name   string
	values []any // in the order to try
}

// part gives each slot that is to name something of its own a different value, those
// first that have least to choose from.
func (b *breaking) part() error {
	var stakes []*stake
	add := func(it *item, w *contract.Wish, slots []contract.Slot) error {
		for i := range slots {
			if !slots[i].Apart {
				continue
			}
			v, err := b.at(b.env, w, map[string]any{}).Eval(slots[i].From)
			list, _ := v.([]any)
			if err != nil || len(list) == 0 {
				return fmt.Errorf("slot %s: %w", slots[i].Name, errors.Join(errNoFit, err))
			}
			stakes = append(stakes, &stake{item: it, name: slots[i].Name, values: shuffled(b.draw, list)})
		}
		return nil
	}
	for _, p := range b.book.patches {
		if err := add(nil, nil, p.defect.Slots); err != nil {
			return fmt.Errorf("fault %s: %w", p.defect.Name, err)
		}
	}
	for _, it := range b.plan.items {
		if err := add(it, it.wishes[0], it.wishes[0].Slots); err != nil {
			return fmt.Errorf("wish %s: %w", it.wishes[0].Name, err)
		}
	}
	slices.SortStableFunc(stakes, func(x, y *stake) int { return cmp.Compare(len(x.values), len(y.values)) })
	taken := make([]any, 0, len(stakes))
	if !claim(stakes, &taken) {
		return fmt.Errorf("part what is asked for: %w: too little of its kind", errNoFit)
	}
	for i, s := range stakes {
		if s.item == nil {
			b.drawn[s.name] = taken[i]
			continue
		}
		if b.asks[s.item] == nil {
			b.asks[s.item] = map[string]any{}
		}
		b.asks[s.item][s.name] = taken[i]
	}
	return nil
}

// claim chooses values of the stakes that have none yet, all different.
func claim(stakes []*stake, taken *[]any) bool {
	k := len(*taken)
	if k == len(stakes) {
		return true
	}
	for _, v := range stakes[k].values {
		if slices.Contains(*taken, v) {
			continue
		}
		*taken = append(*taken, v)
		if claim(stakes, taken) {
			return true
		}
		*taken = (*taken)[:k]
	}
	return false
}
