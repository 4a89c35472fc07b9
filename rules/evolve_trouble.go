package rules

import (
	"maps"
	"slices"

	"taste/contract"
	"taste/phrase"
	"taste/tau"
)

// complaints infers from gold what the customer of a task complains of.
type complaints struct {
	*plot
	readers []contract.Reader // by moment, so that each read is made once
}

// troubles infers what the customer of a task complains of, and which gold actions
// that accounts for: the fewest troubles that show at the start and are over in the
// end, and behind which most gold actions repair a fault that shows. They are in the
// contract's order.
func (p *plot) troubles() (found []Wanted, repairs []int) {
	if p.device == "" {
		return nil, nil
	}
	c := &complaints{plot: p}
	for i := range p.moments {
		c.readers = append(c.readers, newEnvReader(p.moments[i].env))
	}
	for _, ask := range c.particulars() {
		wants, of := c.complain(ask)
		if len(of) > len(repairs) || len(of) == len(repairs) && len(wants) < len(found) {
			found, repairs = wants, of
		}
	}
	return found, repairs
}

// complain finds the troubles with which a customer who says ask accounts for most
// gold actions, and lists these.
func (c *complaints) complain(ask map[string]any) (found []Wanted, of []int) {
	left := map[string][]int{} // by trouble
	for _, t := range c.a.contract.Troubles {
		if c.felt(t, ask) {
			left[t.Name] = c.repairs(t, ask)
		}
	}
	chosen := map[string]bool{}
	for {
		next := ""
		for _, t := range c.a.contract.Troubles {
			left[t.Name] = slices.DeleteFunc(left[t.Name], func(i int) bool { return slices.Contains(of, i) })
			if len(left[t.Name]) > len(left[next]) {
				next = t.Name
			}
		}
		if next == "" {
			break
		}
		chosen[next], of = true, append(of, left[next]...)
	}
	for _, t := range c.a.contract.Troubles {
		if chosen[t.Name] {
			found = append(found, Wanted{Wish: &t.Wish, Slots: saidOf(t, ask)})
		}
	}
	return found, of
}

// saidOf is what is said of one trouble.
func saidOf(t *contract.Trouble, ask map[string]any) map[string]any {
	out := map[string]any{}
	for _, slot := range t.Slots {
		if v, ok := ask[slot.Name]; ok {
			out[slot.Name] = v
		}
	}
	return out
}

// particulars lists all that the customer may say of her troubles; one name stands for
// one value.
func (c *complaints) particulars() []map[string]any {
	out, seen := []map[string]any{{}}, map[string]bool{}
	for _, t := range c.a.contract.Troubles {
		for i := range t.Slots {
			slot := &t.Slots[i]
			if seen[slot.Name] {
				continue
			}
			seen[slot.Name] = true
			values := c.sayable(t, slot)
			var longer []map[string]any
			for _, ask := range out {
				for _, v := range values {
					more := maps.Clone(ask)
					more[slot.Name] = v
					longer = append(longer, more)
				}
			}
			if len(longer) > 0 {
				out = longer
			}
		}
	}
	return out
}

// sayable lists what may be said for a slot of a trouble. Where the trouble leaves it
// open it is what a fault behind it would plant; of what need not be said at all the
// first will do.
func (c *complaints) sayable(t *contract.Trouble, slot *contract.Slot) []any {
	from := slot.From
	for _, f := range c.a.contract.Behind(t.Name) {
		i := slices.IndexFunc(f.Slots, func(fs contract.Slot) bool { return fs.Name == slot.Name })
		if from == nil && i >= 0 {
			from = f.Slots[i].From
		}
	}
	var list []any
	if from != nil {
		v, err := c.at(0, t, map[string]any{}).Eval(from)
		if l, ok := v.([]any); ok && err == nil {
			list = l
		}
	}
	if slot.Optional {
		return append([]any{nil}, list[:min(1, len(list))]...)
	}
	return list
}

// at is what a trouble is evaluated in at a moment.
func (c *complaints) at(moment int, t *contract.Trouble, ask map[string]any) *contract.Scope {
	s := c.scope(&c.moments[moment], &t.Wish, ask)
	s.Reader = c.readers[moment]
	return s
}

// felt tells whether a trouble shows at the start and, unless people take over, no
// more in the end.
func (c *complaints) felt(t *contract.Trouble, ask map[string]any) bool {
	shows := func(moment int) bool {
		s := c.at(moment, t, ask)
		return !slices.ContainsFunc(t.Where, func(e *contract.Expr) bool {
			ok, err := s.Holds(e)
			return err != nil || !ok
		})
	}
	return shows(0) && (c.handsOff() || !shows(len(c.moments)-1))
}

// handsOff tells whether gold hands the customer over.
func (p *plot) handsOff() bool {
	return slices.ContainsFunc(p.task.EvaluationCriteria.Actions, func(a tau.Action) bool { return a.Name == p.a.contract.Protocol.Handoff })
}

// repairs lists the gold actions that repair a fault behind a trouble which has shown
// by then.
func (c *complaints) repairs(t *contract.Trouble, ask map[string]any) []int {
	var out []int
	for _, f := range c.a.contract.Behind(t.Name) {
		moment, shown := 0, false
		for i := range c.task.EvaluationCriteria.Actions {
			a := &c.task.EvaluationCriteria.Actions[i]
			if !acts(c.a.contract, a.Name) {
				continue
			}
			s := c.at(moment, t, ask)
			if !shown {
				ok, err := s.Holds(f.Shows)
				shown = err == nil && ok
			}
			if moment++; shown && !slices.Contains(out, i) && slices.ContainsFunc(f.Repairs, func(r contract.Repair) bool { return repairs(s, &r, a) }) {
				out = append(out, i)
			}
		}
	}
	return out
}

// complains puts an inferred trouble into what a customer is told: what she goes by,
// and that she is willing to do what gold has her do.
func (p *plot) complains(w Wanted) phrase.Item {
	main, details := w.Wish.Split(w.Slots)
	out := itemOf(main, details)
	for _, a := range p.task.EvaluationCriteria.Actions {
		if will := phrase.New(willPrefix + a.Name); p.a.book.Spec(will.Name) != nil && !among(out.Conduct, will) {
			out.Conduct = append(out.Conduct, will)
		}
	}
	if t := p.a.contract.Trouble(w.Wish.Name).Solved; t != nil {
		out.Conduct = append(out.Conduct, phrase.New(conductTest, "call", Spell(t.Tool, nil), "shown", t.Shows))
	}
	return out
}
