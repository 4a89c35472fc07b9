package rules

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"

	"taste/contract"
	"taste/pyjson"
	"taste/tau"
)

// hint is a gold call of which some arguments are hidden.
type hint struct {
	name string
	args map[string]any // the visible ones
	made map[string]any // arguments of the call that was made for it; nil: none yet
}

// hints is the judgement of the verifier's agent.
type hints struct {
	calls  []*hint
	behind map[*matter]*hint // the hint that a matter's call follows
}

// newHints hides ⌈0.3·n⌉ of the n arguments of each gold call and shuffles the
// calls; the customer's are those that the agent has to ask for.
func newHints(t *tau.Task, draw *rand.Rand) *hints {
	h := &hints{behind: map[*matter]*hint{}}
	if t.EvaluationCriteria == nil {
		return h
	}
	for i := range t.EvaluationCriteria.Actions {
		a := &t.EvaluationCriteria.Actions[i]
		names := shuffled(draw, slices.Sorted(maps.Keys(a.Arguments)))
		visible := map[string]any{}
		for _, n := range names[Hidden(len(names)):] {
			visible[n] = a.Arguments[n]
		}
		h.calls = append(h.calls, &hint{name: a.Name, args: visible})
	}
	h.calls = shuffled(draw, h.calls)
	return h
}

// Hidden is ⌈0.3·n⌉: how many of n arguments of a call a verifier is not told.
func Hidden(n int) int { return (3*n + 9) / 10 }

func (h *hints) did(m *matter, args map[string]any) {
	if b := h.behind[m]; b != nil {
		b.made = args
	}
}

func (*hints) passesOn() bool { return false }

func (*hints) supposes(*matter, string) bool { return false }

// looksFor tells whether the hints speak of the repairs of a fault, but for those
// in whose place others may stand.
func (h *hints) looksFor(_ *matter, f *contract.Defect) bool {
	return all(f.Repairs, func(r contract.Repair) bool { return len(r.Or) > 0 || h.speaksOf(r.Tool) })
}

// repairs tells whether a call agrees with one of the hints, if there are any of
// its tool.
func (h *hints) repairs(tool string, args map[string]any) bool {
	return !h.speaksOf(tool) || slices.ContainsFunc(h.calls, func(c *hint) bool { return c.name == tool && c.admits(args) })
}

func (h *hints) speaksOf(tool string) bool {
	return slices.ContainsFunc(h.calls, func(c *hint) bool { return c.name == tool })
}

// unhinted is the reason for a refusal of what no hint speaks of.
const unhinted = "it is not possible in this case"

func (h *hints) weigh(d *desk, m *matter) weighing {
	if m.wish.Does == "" {
		return answerOf(m)
	}
	for _, name := range slices.Sorted(maps.Keys(m.wish.Args)) {
		if w := h.argument(m, name); w.read != nil || w.slot != "" {
			return w
		}
	}
	best, args := h.match(d.contract, m)
	if best == nil {
		return h.unhinted(d, m)
	}
	switch w := h.permitted(d, m, args); {
	case w.why != "":
		return h.unhinted(d, m)
	case w.args == nil || w.handoff:
		return w
	}
	h.behind[m] = best
	return weighing{args: args}
}

// unhinted deals with what no hint speaks of. If the policy allows it, it is
// proposed, for the customer may have misspoken; it is not done, but handed off
// where hints say that something is.
func (h *hints) unhinted(d *desk, m *matter) weighing {
	w := h.permitted(d, m, m.args)
	proposable := d.contract.Protocol.Confirm && m.wish.Does != d.contract.Protocol.Handoff
	switch {
	case w.read != nil, w.slot != "", w.why != "":
		return w
	case !w.handoff && !m.agreed && proposable:
		return w
	case h.open(d.contract.Protocol.Handoff) != nil:
		return d.handOff(m)
	}
	return weighing{why: unhinted}
}

// permitted holds a call to the policy: an agent that knows the gold calls may
// still not know whether this wish is what one of them is for.
func (*hints) permitted(d *desk, m *matter, args map[string]any) weighing {
	m.passed = 0
	return held(d, m, args, rulesOf(d.contract, m.wish.Does), nil)
}

// argument works out an argument; one that cannot be worked out is left to the
// hints.
func (h *hints) argument(m *matter, name string) weighing {
	err := m.argument(name)
	if err == nil {
		return weighing{}
	}
	return obstacle(err)
}

// open finds an unused hint of a tool.
func (h *hints) open(tool string) *hint {
	i := slices.IndexFunc(h.calls, func(c *hint) bool { return c.name == tool && c.made == nil })
	if i < 0 {
		return nil
	}
	return h.calls[i]
}

// match finds the hint that overrides least of what was worked out and agrees
// with most of it, and the merged arguments. A call that was made may turn out
// to be what another hint meant.
func (h *hints) match(c *contract.Contract, m *matter) (best *hint, args map[string]any) {
	var fits []*fit
	for _, call := range h.calls {
		if call.name != m.wish.Does {
			continue
		}
		f := &fit{hint: call, sources: c.Tools[call.name].Args}
		if f.arguments(m) == nil {
			fits = append(fits, f)
		}
	}
	slices.SortStableFunc(fits, func(a, b *fit) int {
		return cmp.Or(cmp.Compare(a.changed, b.changed), cmp.Compare(b.agreed, a.agreed))
	})
	for _, f := range fits {
		if f.hint.made == nil || h.vacate(f.hint, nil) {
			return f.hint, f.merged
		}
	}
	return nil, nil
}

// vacate moves the call that was made for a hint to another one that it fits
// as well, which may have to be vacated in turn.
func (h *hints) vacate(from *hint, tried []*hint) bool {
	tried = append(tried, from)
	for _, to := range h.calls {
		if to.name != from.name || slices.Contains(tried, to) || !to.admits(from.made) {
			continue
		}
		if to.made == nil || h.vacate(to, tried) {
			to.made, from.made = from.made, nil
			return true
		}
	}
	return false
}

// admits reports whether a call's arguments are those that the hint shows.
func (h *hint) admits(args map[string]any) bool {
	for k, v := range h.args {
		if !pyjson.Equal(pyjson.Ordered(nil, map[string]any{"": args[k]}), pyjson.Ordered(nil, map[string]any{"": v})) {
			return false
		}
	}
	return true
}
