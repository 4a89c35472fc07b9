package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

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

// calledAbout is the item that prose of others is about where that is a trouble: the
// first of them, −1 where there is none.
func (p *plot) calledAbout() int {
	if !p.foreign {
		return -1
	}
	return slices.IndexFunc(p.wishes, Wanted.Trouble)
}

// open lists the items that it can be added to how the customer goes about them.
func (s *trapper) open() []int {
	out := s.settled()
	if !s.foreign {
		return out
	}
	return slices.DeleteFunc(out, func(i int) bool { return i != s.calledAbout() || s.prose.settled != "" })
}

// mayWithhold tells whether the customer can hold back what she says for a slot: prose
// of others has to give it, and to leave open when it is said.
func (p *plot) mayWithhold(i int, slot string) bool {
	if !p.foreign {
		return true
	}
	text := scenarioText(p.task.UserScenario)
	value := regexp.MustCompile(`\b` + regexp.QuoteMeta(fmt.Sprint(p.wishes[i].Slots[slot])) + `\b`)
	return p.prose.reticent == "" && value.MatchString(strings.Join([]string{text.ReasonForCall, text.KnownInfo, text.UnknownInfo, text.TaskInstructions}, "\n"))
}
