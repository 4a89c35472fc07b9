package rules

import (
	"errors"
	"maps"
	"reflect"
	"slices"

	"cel.dev/cel-go/common/types/ref"

	"taste/contract"
	"taste/phrase"
)

// believer is a contract.Reader of somebody who takes the customer's claims for
// what the records hold.
type believer struct {
	known  contract.Reader
	desk   *desk
	matter *matter
}

// Read implements contract.Reader.
func (b *believer) Read(tool string, args map[string]any) (ref.Val, error) {
	v, err := b.known.Read(tool, args)
	if err != nil {
		return nil, err
	}
	for _, said := range b.matter.claims {
		claim := b.desk.contract.Evolution.Claim(said.Name)
		if field, ok := b.belies(claim, said, tool, args); ok {
			if fields, ok := v.Value().(map[string]any); ok {
				fields = maps.Clone(fields)
				fields[claim.Field] = field
				v = contract.ToVal(fields)
			}
		}
	}
	return v, nil
}

// belies tells whether a claim is about the answer to a call, and what it says
// of the field.
func (b *believer) belies(c *contract.Claim, said phrase.Act, tool string, args map[string]any) (any, bool) {
	read := b.desk.contract.Reads[c.Read]
	if read.Tool != tool {
		return nil, false
	}
	s := b.desk.scope(b.matter)
	maps.Copy(s.Extra, said.Slots)
	for i, e := range c.Args {
		if v, err := s.Eval(e); err != nil || !reflect.DeepEqual(v, args[read.Args[i]]) {
			return nil, false
		}
	}
	v, err := s.Eval(c.Is)
	return v, err == nil
}

// guess takes the first candidate for a slot, and for those that it hangs on.
// It is false for a slot without candidates; a read may have to come first.
func (m *matter) guess(slot string) (weighing, bool) {
	i := slices.IndexFunc(m.wish.Slots, func(s contract.Slot) bool { return s.Name == slot })
	if i < 0 {
		return weighing{slot: slot}, false
	}
	for _, e := range []*contract.Expr{m.wish.Slots[i].Prefer, m.wish.Slots[i].From} {
		if e == nil {
			continue
		}
		v, err := m.scope.Eval(e)
		var read *contract.MissingRead
		var first *contract.MissingSlot
		switch {
		case errors.As(err, &read):
			return weighing{read: read}, false
		case errors.As(err, &first) && first.Slot != slot:
			return m.guess(first.Slot)
		}
		if list, _ := v.([]any); len(list) > 0 {
			m.scope.Ask[slot] = list[0]
			return weighing{}, true
		}
	}
	return weighing{slot: slot}, false
}

// mistakes tells whether the record that a matter is about breaks a rule in the
// one field in which it differs from another of the customer's, its twin: who
// sees no such difference takes the one for the other.
func (d *desk) mistakes(m *matter, rule *contract.PolicyRule) (bool, error) {
	for i := range d.contract.Evolution.Twins {
		twin := &d.contract.Evolution.Twins[i]
		if twin.Rule != rule.ID || len(twin.Wishes) > 0 && !slices.Contains(twin.Wishes, m.wish.Name) {
			continue
		}
		for _, s := range m.wish.Slots {
			key, said := m.said.Slots[s.Name]
			if s.Kind != twin.Record || !said {
				continue
			}
			if found, err := d.alike(twin, key); found || err != nil {
				return found, err
			}
		}
	}
	return false, nil
}

// alike looks for a record of the customer's that differs from another one in
// a twin's field alone.
func (d *desk) alike(twin *contract.Twin, key any) (bool, error) {
	c := d.contract
	kind, me := c.Records[twin.Record], c.Reads[c.Customer.Read]
	profile, err := d.fields(me, d.customer)
	if err != nil {
		return false, err
	}
	this, err := d.fields(c.Reads[kind.Read], key)
	if err != nil {
		return false, err
	}
	keys, _ := profile[kind.Listed].([]any)
	for _, other := range keys {
		if other == key {
			continue
		}
		that, err := d.fields(c.Reads[kind.Read], other)
		if err != nil {
			return false, err
		}
		if equalBut(this, that, kind.Key, twin.Field()) {
			return true, nil
		}
	}
	return false, nil
}

// fields reads a record by its key.
func (d *desk) fields(r contract.Read, key any) (map[string]any, error) {
	v, err := d.known.Read(r.Tool, map[string]any{r.Args[0]: key})
	if err != nil {
		return nil, err
	}
	plain, err := contract.FromVal(v)
	fields, _ := plain.(map[string]any)
	return fields, err
}

// equalBut compares records without some fields.
func equalBut(a, b map[string]any, fields ...string) bool {
	a, b = maps.Clone(a), maps.Clone(b)
	for _, f := range fields {
		delete(a, f)
		delete(b, f)
	}
	return reflect.DeepEqual(a, b)
}
