package rules

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"taste/contract"
)

// supposeLimit is how many assignments of what the customer may say are tried
// for one call.
const supposeLimit = 400

// supposing looks for something that a customer could say so that a call is
// allowed: the slots that its rules ask for, one wish at a time.
type supposing struct {
	p     *petition
	tries int
	cut   bool // a rule could not be told, or the limit was reached
}

// suppose evaluates the rules of a call of which nobody knows what the
// customer says. Rules that hold or fail whatever she says have that verdict.
// For the rest it looks for words with which all of them hold: found, they stay
// open; if there are none, the call cannot be right.
func (p *petition) suppose() []verdict {
	list := p.verdicts()
	if !slices.ContainsFunc(list, func(v verdict) bool { return v.slot != "" }) {
		return list
	}
	s := &supposing{p: p}
	words, ok := s.search()
	for i := range list {
		v := &list[i]
		switch {
		case v.slot == "":
		case ok:
			v.open = "holds if the customer says " + words
		case !s.cut:
			v.open, v.fault = "", v.rule.Why+", whatever the customer says"
		}
	}
	return list
}

func (s *supposing) search() (string, bool) {
	wishes := 0
	for _, w := range s.p.c.Wishes {
		if w.Does != s.p.tool {
			continue
		}
		wishes++
		scope := s.p.scope
		scope.Wish, scope.Ask = w, map[string]any{}
		q := &petition{c: s.p.c, env: s.p.env, tool: s.p.tool, scope: scope}
		if s.extend(q) {
			return spellSlots(q.scope.Ask), true
		}
	}
	s.cut = s.cut || wishes == 0
	return "", false
}

// extend completes q's slots as far as its rules ask for them. Rules that fail
// already without any words are not this search's business.
func (s *supposing) extend(q *petition) bool {
	if s.tries++; s.tries > supposeLimit {
		s.cut = true
		return false
	}
	if q.contradicted() {
		return false
	}
	slot := ""
	for i, v := range q.verdicts() {
		switch {
		case v.fault != "" && !s.fails(i):
			return false
		case v.slot != "" && slot == "":
			slot = v.slot
		case v.open != "" && v.slot == "":
			s.cut = true
		}
	}
	if slot == "" {
		return true
	}
	return s.try(q, slot)
}

// contradicted tells whether the words said so far lead to another call: to an
// argument of the customer's choice that the call does not have.
func (p *petition) contradicted() bool {
	for name, e := range p.scope.Wish.Args {
		if arg := p.c.Tools[p.tool].Args[name]; arg == nil || arg.Source != "customer" {
			continue
		}
		if v, err := p.scope.Eval(e); err == nil && fmt.Sprint(v) != fmt.Sprint(p.scope.Args[name]) {
			return true
		}
	}
	return false
}

// fails tells whether rule i of the call fails whatever the customer says.
func (s *supposing) fails(i int) bool { return s.p.verdicts()[i].fault != "" }

// try puts every candidate into a slot.
func (s *supposing) try(q *petition, slot string) bool {
	list, missing, err := q.candidates(slot)
	if missing != "" && missing != slot {
		return s.try(q, missing)
	}
	if err != nil || missing != "" {
		s.cut = true
		return false
	}
	for _, v := range list {
		q.scope.Ask[slot] = v
		q.scope.Forget()
		if s.extend(q) {
			return true
		}
	}
	delete(q.scope.Ask, slot)
	q.scope.Forget()
	return false
}

// candidates lists what the customer could say for a slot; missing is another
// slot that has to be said before.
func (p *petition) candidates(slot string) (list []any, missing string, err error) {
	i := slices.IndexFunc(p.scope.Wish.Slots, func(s contract.Slot) bool { return s.Name == slot })
	if i < 0 {
		return nil, "", fmt.Errorf("wish %s has no slot %s", p.scope.Wish.Name, slot)
	}
	sl := &p.scope.Wish.Slots[i]
	if kind := p.c.Records[sl.Kind]; kind != nil {
		return OwnKeys(p.c, p.env, kind, p.scope.Customer), "", nil
	}
	for _, e := range []*contract.Expr{sl.Prefer, sl.From} {
		if e == nil {
			continue
		}
		v, err := p.scope.Eval(e)
		var need *contract.MissingSlot
		if errors.As(err, &need) {
			return nil, need.Slot, nil
		}
		if err != nil {
			return nil, "", err
		}
		l, _ := v.([]any)
		list = append(list, l...)
	}
	return list, "", nil
}

func spellSlots(ask map[string]any) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(ask)) {
		out = append(out, fmt.Sprintf("%s = %v", k, ask[k]))
	}
	return strings.Join(out, ", ")
}
