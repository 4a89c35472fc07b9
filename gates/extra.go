package gates

import (
	"slices"

	"taste/env"
	"taste/rules"
)

// additional adds each other write that the customer's records allow, before
// gold and after it. A write that fails or changes nothing at that place is no
// mutant, and neither is one of which the end state cannot tell: before gold, one
// that a gold write of the same tool on the same record, or of the same customer,
// puts right again; of two sides, one that touches nothing that can be asserted.
func (w *walk) additional() {
	if w.customer == "" {
		w.skip("mutant."+AddAfter, "the customer is unknown")
		return
	}
	gold := w.goldWrites()
	first := w.further()
	for _, s := range first {
		if !slices.ContainsFunc(gold, func(g Step) bool { return w.overwrites(g, s) }) {
			w.tryAdded(AddBefore, "first "+rules.Spell(s.Name, s.Arguments), 0, slices.Concat([]Step{s}, gold))
		}
	}
	last := len(w.moments) - 1
	for _, s := range w.furtherAfter(first) {
		w.tryAdded(AddAfter, "then "+rules.Spell(s.Name, s.Arguments), last, append(slices.Clone(gold), s))
	}
}

// tryAdded runs a mutant unless no assertion could tell it from gold.
func (w *walk) tryAdded(kind, detail string, from int, steps []Step) {
	e := w.replayed(from, steps)
	if seen, err := w.seen(e); err != nil {
		w.skip("mutant."+kind, "%s: %v", detail, err)
	} else if seen {
		w.punish(kind, detail, steps, e)
	}
}

// seen tells whether the difference between a state and the one that gold ends in
// can be asserted; any can where the contract lists no assertions.
func (w *walk) seen(e *env.Environment) (bool, error) {
	if len(w.g.contract.Assertions) == 0 {
		return true, nil
	}
	if w.asserts == nil {
		last := w.moments[len(w.moments)-1]
		all, err := rules.Assertions(w.scope(last, nil, nil, nil), last.env)
		if err != nil {
			return false, err
		}
		w.asserts = all
	}
	e = e.Clone()
	for i := range w.asserts {
		if met, err := e.Assert(&w.asserts[i]); err != nil || !met {
			return true, nil
		}
	}
	return false, nil
}

// overwrites tells whether gold write g is of the same tool and record as s, or
// of the same customer and leaves nothing of s.
func (w *walk) overwrites(g, s Step) bool {
	if g.Name != s.Name {
		return false
	}
	records := w.recordsOf(s.Arguments)
	if slices.ContainsFunc(w.recordsOf(g.Arguments), func(k string) bool { return slices.Contains(records, k) }) {
		return true
	}
	return w.customers(g) && w.customers(s) && w.after(s, g).Equal(w.after(g))
}

// customers tells whether a call names the customer.
func (w *walk) customers(s Step) bool { return slices.Contains(leaves(s.Arguments, nil), w.customer) }

// after is the initial state after some calls.
func (w *walk) after(steps ...Step) *env.Environment { return made(w.start(), steps) }

// recordsOf lists the keys of records, customers aside, that arguments name.
func (w *walk) recordsOf(args map[string]any) []string {
	var out []string
	for _, s := range leaves(args, nil) {
		for _, kind := range w.kinds() {
			if w.start().RecordJSON(kind.Table, s) != nil {
				out = append(out, s)
			}
		}
	}
	return out
}

// further lists writes that change something before gold: what the contract's
// wishes lead to for each of the customer's records, and calls made up from the
// values of their arguments for tools that no wish reaches. Where assertions are
// all that is looked at, calls of all tools are made up.
func (w *walk) further() []Step {
	f := &finder{w: w, m: w.moments[0], seen: map[string]bool{}, found: map[string]int{}}
	f.wishes()
	f.tools(func(tool string) bool { return f.found[tool] == 0 || len(w.g.contract.Assertions) > 0 })
	return f.steps
}

// furtherAfter lists writes that change something after gold: those that did
// before, what wishes lead to for the records that gold changed, and calls made
// up as above where assertions are all that is looked at.
func (w *walk) furtherAfter(first []Step) []Step {
	f := &finder{w: w, m: w.moments[len(w.moments)-1], seen: map[string]bool{}, found: map[string]int{}, only: rules.Changed(w.start(), w.end())}
	for _, s := range first {
		f.keep(s.Name, s.Arguments)
	}
	if f.only != nil {
		f.wishes()
	}
	f.tools(func(string) bool { return len(w.g.contract.Assertions) > 0 })
	return f.steps
}
