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
func (v *review) eachTrouble(e *env.Environment, visit func(t *contract.Trouble, s *contract.Scope)) {
	for _, w := range v.wishes {
		if t := v.c.Trouble(w.Wish.Name); t != nil {
			s := v.scope(Reader(e))
			s.Wish, s.Ask = w.Wish, w.Slots
			visit(t, &s)
		}
	}
}

// troubled checks that each trouble shows at the start.
func (v *review) troubled(start *env.Environment) {
	v.eachTrouble(start, func(t *contract.Trouble, s *contract.Scope) {
		for _, e := range t.Where {
			if ok, err := s.Holds(e); err != nil || !ok {
				v.find(role.Critical, TroubleShows, fmt.Sprintf("%s does not show at the start: %s", t.Name, because(e.Text+" does not hold", err)))
			}
		}
	})
}

// afterwards checks that each trouble is over in the end, unless gold hands it off:
// the customer sees it, and no fault is left that could stand behind it.
func (v *review) afterwards(end *env.Environment) {
	off := slices.ContainsFunc(v.actions, func(a tau.Action) bool { return a.Name == v.c.Protocol.Handoff })
	v.eachTrouble(end, func(t *contract.Trouble, s *contract.Scope) {
		if r := t.Solved; r != nil && !off && !shown(end, r) {
			v.find(role.Critical, TroubleShows, fmt.Sprintf("%s is not over in the end: %s does not show %q", t.Name, r.Tool, r.Shows))
		}
		for _, f := range v.c.Behind(t.Name) {
			shows, err := s.Holds(f.Shows)
			if err != nil || shows && !(off && f.HandsOff(v.c)) {
				v.find(role.Critical, TroubleShows, because(fmt.Sprintf("behind %s, %s is left in the end", t.Name, f.Name), err))
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

// beyond tells whether a fault that only people can repair shows behind a trouble.
func (v *review) beyond(want Wanted, s *contract.Scope) bool {
	return slices.ContainsFunc(v.c.Behind(want.Wish.Name), func(f *contract.Defect) bool {
		shows, err := s.Holds(f.Shows)
		return err == nil && shows && f.HandsOff(v.c)
	})
}
