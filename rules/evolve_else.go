package rules

import (
	"fmt"

	"taste/contract"
)

// barElsewhere bars the wishes that another record could be meant by.
func (p *plot) barElsewhere() {
	for _, f := range p.a.contract.Evolution.Forbidden {
		if key := p.elsewhere(denied(p.a.contract, f), f.Facts); key != "" && p.prose.barred[f.Wish] == "" {
			p.prose.barred[f.Wish] = "it is due for " + key
		}
	}
}

// elsewhere names a record of the customer's about which the policy grants a
// wish at the end, whatever is said of its facts: somebody who is told them of
// another record may think of this one. "" says that there is none.
func (p *plot) elsewhere(w *contract.Wish, facts []string) string {
	kind := p.kindOf(w)
	if kind == nil || len(facts) == 0 {
		return ""
	}
	m := &p.moments[len(p.moments)-1]
	for _, key := range OwnKeys(p.a.contract, m.env, kind, p.customer) {
		s := p.scope(m, w, map[string]any{recordSlot(w): fmt.Sprint(key)})
		if p.grants(s, 0) {
			return fmt.Sprint(key)
		}
	}
	return ""
}

// grants tries all that may be said for the slots from number i on.
func (p *plot) grants(s *contract.Scope, i int) bool {
	if i == len(s.Wish.Slots) {
		r, err := p.rule(s, "")
		return err == nil && r.rule == nil
	}
	slot := &s.Wish.Slots[i]
	if slot.Name == recordSlot(s.Wish) {
		return p.grants(s, i+1)
	}
	v, err := s.Eval(slot.From)
	list, _ := v.([]any)
	if err != nil {
		return false
	}
	for _, x := range list {
		s.Ask[slot.Name] = x
		s.Forget()
		if p.grants(s, i+1) {
			return true
		}
	}
	delete(s.Ask, slot.Name)
	s.Forget()
	return false
}
