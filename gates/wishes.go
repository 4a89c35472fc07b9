package gates

import (
	"fmt"
	"maps"
	"slices"

	"taste/contract"
	"taste/rules"
)

// wishes holds what the scenario asks for to gold: in the state in which it is
// brought up, each wish meets the contract's conditions, has no tie, leads to
// its gold action, and has the reads that it cannot do without before it. Extra
// wishes, which gold does not fulfil, must not be fulfilled; whether the policy
// refuses them the reviewer says.
func (w *walk) wishes() {
	if w.behind == nil {
		return
	}
	extras := w.story.Extras(w.behind)
	for i, want := range w.story.Wishes {
		at := rules.Position(w.behind, i)
		if want.Trouble() { // shows at the start, whatever is repaired first
			at = 0
		}
		scope := w.scope(w.moments[w.momentOf(at)], want.Wish, want.Slots, nil)
		if slices.Contains(extras, i) {
			w.granted(i, at, scope)
			continue
		}
		w.conditions(i, scope)
		if want.Wish.Does != "" {
			w.derived(i, at, scope)
		}
		w.needed(i, at)
	}
}

// momentOf is the number of the moment before gold action a.
func (w *walk) momentOf(a int) int {
	n, _ := slices.BinarySearch(w.writes, a)
	return n
}

func (w *walk) conditions(i int, s *contract.Scope) {
	for _, e := range s.Wish.Where {
		if ok, err := s.Holds(e); err != nil || !ok {
			w.fail(Sensible, "wish %d (%s): %s %s", i, s.Wish.Name, e.Text, orNone(err))
		}
	}
	if s.Wish.Sole == nil {
		return
	}
	if ok, err := s.Holds(s.Wish.Sole); err != nil || !ok {
		w.fail(Sole, "wish %d (%s) leaves a choice between equals %s", i, s.Wish.Name, orNone(err))
	}
}

// derived compares the call that a wish leads to with gold. A wish that gold
// hands off leads to the hand-off; whether rightly so the reviewer says.
func (w *walk) derived(i, at int, s *contract.Scope) {
	gold := &w.crit.Actions[at]
	if gold.Name != s.Wish.Does {
		return
	}
	args, err := rules.Arguments(s)
	if err != nil {
		w.fail(Derived, "wish %d (%s): %v", i, s.Wish.Name, err)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if !same(args[name], gold.Arguments[name]) {
			w.fail(Derived, "wish %d (%s) leads to %s = %v, gold has %v", i, s.Wish.Name, name, args[name], gold.Arguments[name])
		}
	}
}

// granted tries what becomes of gold where an extra wish is fulfilled. A write
// that fails or changes nothing is no mutant.
func (w *walk) granted(i, at int, s *contract.Scope) {
	args, err := rules.Arguments(s)
	if err != nil {
		w.skip("mutant."+Grant, "wish %d (%s): %v", i, s.Wish.Name, err)
		return
	}
	k, extra := w.momentOf(at), w.g.step(s.Wish.Does, args)
	e := w.moments[k].env.Clone()
	if e.Act(extra.action()).Error || e.Equal(w.moments[k].env) {
		return
	}
	detail := fmt.Sprintf("wish %d is granted: %s", i, rules.Spell(extra.Name, args))
	w.try(Grant, detail, k, slices.Insert(w.goldWrites(), k, extra))
}

// needed checks that gold reads one of the tools that the wish needs.
func (w *walk) needed(i, at int) {
	want := w.story.Wishes[i].Wish
	if len(want.Needs) == 0 || at < len(w.crit.Actions) && want.Does != "" && w.crit.Actions[at].Name != want.Does {
		return
	}
	for a := range w.crit.Actions[:at] {
		if slices.Contains(want.Needs, w.crit.Actions[a].Name) {
			return
		}
	}
	w.fail(Needed, "wish %d (%s) needs one of %v before it", i, want.Name, want.Needs)
}

// MinLiteral is the length from which a literal is taken to be said on purpose.
const MinLiteral = rules.MinLiteral

// told checks what has to be said: all that the customer asks for and nothing
// else, each recognisable by itself.
func (w *walk) told() {
	w.literals()
	if w.behind == nil {
		return
	}
	open := slices.Clone(w.crit.CommunicateInfo)
	for i, want := range w.story.Wishes {
		if want.Wish.Tells == nil {
			continue
		}
		answer := w.answer(i, want)
		at := slices.Index(open, answer)
		if at < 0 {
			w.fail(Told, "wish %d (%s): %q is to be told and does not stand in communicate_info", i, want.Wish.Name, answer)
			continue
		}
		open = slices.Delete(open, at, at+1)
	}
	for _, s := range open {
		w.fail(Told, "%q has to be said and nothing asks for it", s)
	}
}

// answer evaluates what a question is answered with. Where the scenario states
// no order, the answer must be the same whenever it is asked.
func (w *walk) answer(i int, want rules.Wanted) string {
	moments := []*moment{w.moments[w.momentOf(rules.Position(w.behind, i))]}
	if !w.story.Ordered {
		moments = w.moments
	}
	first := ""
	for n, m := range moments {
		v, err := w.scope(m, want.Wish, want.Slots, nil).Eval(want.Wish.Tells)
		if err != nil {
			w.fail(Told, "wish %d (%s): %v", i, want.Wish.Name, err)
			return ""
		}
		switch s := fmt.Sprint(v); {
		case n == 0:
			first = s
		case s != first:
			w.fail(FreeOrder, "the answer to wish %d (%s) is %s or %s, as it is asked before or after a change", i, want.Wish.Name, first, s)
			return first
		}
	}
	return first
}
