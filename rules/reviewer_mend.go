package rules

import (
	"fmt"
	"slices"
	"strings"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/pyjson"
	"taste/role"
	"taste/tau"
)

// liveGold tells whether the reward has gold made live, with the two sides coupled:
// where it does not compare databases.
func liveGold(t *tau.Task) bool {
	return !slices.Contains(t.EvaluationCriteria.RewardBasis, tau.DB)
}

// act makes a gold action as the reward has it: live, or replayed by itself.
func act(e *env.Environment, a *tau.Action, live bool) env.Result {
	if live {
		return e.Act(a)
	}
	return e.Apply(a)
}

// leading returns the test whether a wish leads to an action, in the state before
// it; nil where there are no troubles, as nothing hangs on it there.
func leading(wishes []Wanted, actions []tau.Action, start *env.Environment, live bool, scope func(contract.Reader) contract.Scope) func(wish, action int) bool {
	if !slices.ContainsFunc(wishes, Wanted.Trouble) {
		return nil
	}
	var before []contract.Reader
	e := start.Clone()
	for i := range actions {
		before = append(before, Reader(e))
		e = e.Clone()
		act(e, &actions[i], live)
	}
	return func(wish, action int) bool {
		s := scope(before[action])
		s.Wish, s.Ask = wishes[wish].Wish, wishes[wish].Slots
		args, err := Arguments(&s)
		return err == nil && sameArguments(args, actions[action].Arguments)
	}
}

// sameArguments compares arguments as scoring does.
func sameArguments(a, b map[string]any) bool {
	return pyjson.Equal(pyjson.Ordered(nil, a), pyjson.Ordered(nil, b))
}

// eachTrouble visits the troubles with their scopes in a state.
func (v *review) eachTrouble(e *env.Environment, visit func(w Wanted, s *contract.Scope)) {
	for _, w := range v.wishes {
		if w.Trouble() {
			s := v.scope(Reader(e))
			s.Wish, s.Ask = w.Wish, w.Slots
			visit(w, &s)
		}
	}
}

// troubled checks that each trouble shows at the start, also to the customer.
func (v *review) troubled(start *env.Environment) {
	v.eachTrouble(start, func(w Wanted, s *contract.Scope) {
		for _, e := range w.Wish.Where {
			if ok, err := s.Holds(e); err != nil || !ok {
				v.find(role.Critical, TroubleShows, fmt.Sprintf("%s does not show at the start: %s", w.Wish.Name, because(e.Text+" does not hold", err)))
			}
		}
		if r := w.test(v.c); r != nil && shown(start, r) {
			v.find(role.Critical, TroubleShows, fmt.Sprintf("%s is over at the start for the customer: %s shows %q", w.Wish.Name, r.Tool, r.Shows))
		}
	})
}

// afterwards checks that each trouble is over in the end, unless gold hands it off:
// the customer sees it, and no fault is left that could stand behind it but what only
// people can repair.
func (v *review) afterwards(end *env.Environment) {
	off := slices.ContainsFunc(v.actions, func(a tau.Action) bool { return a.Name == v.c.Protocol.Handoff })
	v.eachTrouble(end, func(w Wanted, s *contract.Scope) {
		if r := w.test(v.c); r != nil && !(off && v.beyond(w, s)) && !shown(end, r) {
			v.find(role.Critical, TroubleShows, fmt.Sprintf("%s is not over in the end: %s does not show %q", w.Wish.Name, r.Tool, r.Shows))
		}
		for _, f := range v.c.Behind(w.Wish.Name) {
			shows, err := s.Holds(f.Shows)
			if err != nil || shows && !(off && f.HandsOff(v.c)) {
				v.find(role.Critical, TroubleShows, because(fmt.Sprintf("behind %s, %s is left in the end", w.Wish.Name, f.Name), err))
			}
		}
	})
}

// because adds an error to what is said, where there is one.
func because(text string, err error) string {
	if err == nil {
		return text
	}
	return text + ": " + err.Error()
}

// shown tells whether a customer sees that a trouble is over.
func shown(e *env.Environment, t *contract.Test) bool {
	r := e.Clone().Call(chat.User, t.Tool, nil)
	return !r.Error && strings.Contains(r.Content, t.Shows)
}

// mends holds a repair behind a trouble to the policy. A hand-off needs a fault that
// only people can repair, behind whichever trouble.
func (v *review) mends(at string, a *tau.Action, w int, p *petition) {
	want := v.wishes[w]
	p.scope.Wish, p.scope.Ask = want.Wish, want.Slots
	if a.Name != v.c.Protocol.Handoff {
		v.report(at, p.verdicts())
		return
	}
	for _, other := range v.wishes {
		if p.scope.Wish, p.scope.Ask = other.Wish, other.Slots; v.beyond(other, &p.scope) {
			return
		}
	}
	v.find(role.Critical, v.c.Protocol.Handoff, fmt.Sprintf("%s: behind %s stands nothing that only people can repair", at, want.Wish.Name))
}

// wanted checks that an action is a repair as the customer wants it of a fault behind
// one of her troubles: whatever is hers to choose, she says.
func (v *review) wanted(at string, a *tau.Action, s contract.Scope) {
	var wants []string
	for _, w := range v.wishes {
		s.Wish, s.Ask = w.Wish, w.Slots
		s.Forget()
		for _, f := range v.c.Behind(w.Wish.Name) {
			for i := range f.Repairs {
				r := &f.Repairs[i]
				args, err := evaluated(&s, r.Args)
				if r.Tool != a.Name || err != nil {
					continue
				}
				if len(otherArgs(v.c, a, args)) == 0 {
					return
				}
				if call := Spell(r.Tool, args); !slices.Contains(wants, call) {
					wants = append(wants, call)
				}
			}
		}
	}
	why := "the customer does not say what it needs"
	if len(wants) > 0 {
		why = "as the customer has it, it is " + strings.Join(wants, " or ")
	}
	v.find(role.Critical, TroubleMend, fmt.Sprintf("%s: no repair of what she complains of: %s", at, why))
}

// repairs tells whether an action is a repair, in the scope of a trouble behind which
// it may stand.
func repairs(s *contract.Scope, r *contract.Repair, a *tau.Action) bool {
	if r.Tool != a.Name {
		return false
	}
	args, err := evaluated(s, r.Args)
	return err == nil && len(otherArgs(s.Contract, a, args)) == 0
}

// beyond tells whether a fault that only people can repair shows behind a trouble.
func (v *review) beyond(want Wanted, s *contract.Scope) bool {
	return slices.ContainsFunc(v.c.Behind(want.Wish.Name), func(f *contract.Defect) bool {
		shows, err := s.Holds(f.Shows)
		return err == nil && shows && f.HandsOff(v.c)
	})
}
