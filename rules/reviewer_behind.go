package rules

import (
	"fmt"
	"slices"

	"taste/contract"
	"taste/pyjson"
	"taste/tau"
)

// Behind assigns the wishes to the gold actions that fulfil them: of each
// action, the number of its wish, −1 for none. Actions that change something
// or hand off are taken in order by the wishes that do something; questions
// have no action of their own, and neither have extra wishes: those that a
// customer insists on or brings up beside a yes, and those with a false claim
// that no action is for. It fails where the two do not fit.
//
// Where the customer has troubles, actions come in any order, and those that no
// wish is for have to be repairs of faults behind a trouble. There leads, if given,
// tells whether a wish leads to just that action.
func (s Story) Behind(c *contract.Contract, actions []tau.Action, leads func(wish, action int) bool) ([]int, error) {
	a := &assigning{c: c, wishes: s.Wishes, actions: actions, behind: make([]int, len(actions)), leads: leads}
	for i := range a.behind {
		a.behind[i] = -1
	}
	assign := func() error { return a.from(0, 0) }
	if slices.ContainsFunc(s.Wishes, Wanted.Trouble) {
		assign = func() error { return a.mixed(0) }
	}
	if err := assign(); err != nil {
		return nil, err
	}
	return a.behind, nil
}

// Extras lists the wishes that no action is for although they would do
// something, in order; behind is what Behind returns.
func (s Story) Extras(behind []int) []int {
	fulfilled := map[int]bool{}
	for _, w := range behind {
		fulfilled[w] = true
	}
	var out []int
	for i, w := range s.Wishes {
		if w.Wish.Does != "" && !fulfilled[i] {
			out = append(out, i)
		}
	}
	return out
}

// Position is the number of the action before which wish i is brought up: the
// first one for it or, as there is none, for a later wish, or that of the end.
func Position(behind []int, i int) int {
	if a := slices.Index(behind, i); a >= 0 {
		return a
	}
	for a, b := range behind {
		if b >= i {
			return a
		}
	}
	return len(behind)
}

// assigning assigns wishes to actions, both in order.
type assigning struct {
	c       *contract.Contract
	wishes  []Wanted
	actions []tau.Action
	behind  []int
	leads   func(wish, action int) bool
}

// mixed assigns the actions from i: each to a wish that has none yet, else to a
// trouble.
func (a *assigning) mixed(i int) error {
	for i < len(a.actions) && !acts(a.c, a.actions[i].Name) {
		i++
	}
	if i == len(a.actions) {
		return a.complete()
	}
	last := fmt.Errorf("action %d (%s) is more than the scenario asks for", i, a.actions[i].Name)
	for w := range a.wishes {
		if !a.mayBehind(i, w) {
			continue
		}
		a.behind[i] = w
		if last = a.mixed(i + 1); last == nil {
			return nil
		}
		a.behind[i] = -1
	}
	return last
}

// mayBehind tells whether action i can be for wish w: a repair behind a trouble,
// or what an unfulfilled wish leads to.
func (a *assigning) mayBehind(i, w int) bool {
	want, tool := a.wishes[w], a.actions[i].Name
	if want.Trouble() {
		return slices.ContainsFunc(a.c.Behind(want.Wish.Name), func(f *contract.Defect) bool {
			return slices.ContainsFunc(f.Repairs, func(r contract.Repair) bool { return r.Tool == tool })
		})
	}
	return want.Wish.Does == tool && !want.extra() && !slices.Contains(a.behind, w) && (a.leads == nil || a.leads(w, i))
}

// complete tells which wish nothing fulfils, if there is one that has to be.
func (a *assigning) complete() error {
	for w, want := range a.wishes {
		if want.Wish.Does != "" && !want.extra() && !want.doubtful(a.c) && !slices.Contains(a.behind, w) {
			return fmt.Errorf("nothing fulfils wish %d (%s)", w, want.Wish.Name)
		}
	}
	return nil
}

// from assigns the actions from i and the wishes from w; of a wish that may be
// an extra one it tries both.
func (a *assigning) from(i, w int) error {
	for i < len(a.actions) && !acts(a.c, a.actions[i].Name) {
		i++
	}
	for w < len(a.wishes) && (a.wishes[w].Wish.Does == "" || a.wishes[w].extra()) {
		w++
	}
	switch {
	case w == len(a.wishes) && i == len(a.actions):
		return nil
	case w == len(a.wishes):
		return fmt.Errorf("action %d (%s) is more than the scenario asks for", i, a.actions[i].Name)
	}
	err := a.fulfil(i, w)
	if err != nil && a.wishes[w].doubtful(a.c) {
		if a.from(i, w+1) == nil {
			return nil
		}
	}
	return err
}

// fulfil assigns action i to wish w, and the rest behind them.
func (a *assigning) fulfil(i, w int) error {
	want := a.wishes[w]
	if i == len(a.actions) {
		return fmt.Errorf("nothing fulfils wish %d (%s)", w, want.Wish.Name)
	}
	act := &a.actions[i]
	if does := want.Wish.Does; does != act.Name && act.Name != a.c.Protocol.Handoff {
		return fmt.Errorf("action %d is %s, but wish %d (%s) leads to %s", i, act.Name, w, want.Wish.Name, does)
	}
	if want.doubtful(a.c) && !about(a.c, act, want) {
		return fmt.Errorf("action %d is not about what wish %d (%s) names", i, w, want.Wish.Name)
	}
	a.behind[i] = w
	return a.from(i+1, w+1)
}

// about reports whether every record that a wish names, of those that the call
// has an argument for, is the call's.
func about(c *contract.Contract, a *tau.Action, want Wanted) bool {
	for _, s := range want.Wish.Slots {
		kind := c.Records[s.Kind]
		if kind == nil {
			continue
		}
		if v, ok := a.Arguments[kind.Key]; ok && !pyjson.Equal(v, want.Slots[s.Name]) {
			return false
		}
	}
	return true
}
