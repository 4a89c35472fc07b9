package gates

import (
	"fmt"
	"slices"

	"taste/env"
	"taste/pyjson"
	"taste/rules"
	"taste/tau"
)

// Kinds of mutants.
const (
	Drop      = "drop"       // one write left out
	Replace   = "replace"    // one argument of a write replaced
	AddBefore = "add_before" // one more write, before gold
	AddAfter  = "add_after"  // one more write, after gold
	Grant     = "grant"      // one more write, that the policy refuses and the customer asks for
)

// mutants tries every wrong variant; one that earns the reward is a failure.
func (w *walk) mutants() {
	w.drops()
	if w.g.contract == nil {
		w.skip("mutant."+Replace, "the domain has no contract")
		w.skip("mutant."+AddAfter, "the domain has no contract")
		return
	}
	w.describe()
	for k := range w.writes {
		w.replacements(k)
	}
	w.additional()
}

// spelt writes a value as Python does.
func spelt(v any) string {
	p, err := pyjson.FromGo(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return pyjson.Str(p)
}

func (w *walk) drops() {
	gold := w.goldWrites()
	for k := range gold {
		steps := slices.Delete(slices.Clone(gold), k, k+1)
		w.try(Drop, "without "+rules.Spell(gold[k].Name, gold[k].Arguments), k, steps)
	}
}

// try runs a mutant whose steps before number from are those of gold.
func (w *walk) try(kind, detail string, from int, steps []Step) {
	w.punish(kind, detail, steps, w.replayed(from, steps))
}

// replayed is what steps lead to whose first ones, before number from, are those
// of gold.
func (w *walk) replayed(from int, steps []Step) *env.Environment {
	return made(w.moments[from].env, steps[from:])
}

// made is what calls make of a state.
func made(e *env.Environment, steps []Step) *env.Environment {
	e = e.Clone()
	for _, s := range steps {
		e.Act(s.action())
	}
	return e
}

// punish holds a mutant that ends in e to earn nothing.
func (w *walk) punish(kind, detail string, steps []Step, e *env.Environment) {
	w.out.Mutants = append(w.out.Mutants, Mutant{Task: w.task.ID, Kind: kind, Detail: detail, Actions: steps})
	if !w.target.Reached(e) && w.databaseCounts() {
		return
	}
	if r, err := w.reward(w.withReads(steps), e, w.answers()); err == nil && earned(r) {
		w.won("mutant."+kind, "%s earns %v", detail, r)
	}
}

// databaseCounts tells whether another end state alone costs the reward.
func (w *walk) databaseCounts() bool {
	return w.crit.Actions != nil && slices.Contains(w.crit.RewardBasis, tau.DB)
}

// withReads puts gold's reads before the steps, for rewards that rest on calls.
func (w *walk) withReads(steps []Step) []Step {
	var out []Step
	for i := range w.crit.Actions {
		if !slices.Contains(w.writes, i) {
			out = append(out, step(&w.crit.Actions[i]))
		}
	}
	return append(out, steps...)
}

// describe reports gold actions, reads aside, that the contract does not
// describe in full.
func (w *walk) describe() {
	for i := range w.crit.Actions {
		a := &w.crit.Actions[i]
		if !w.g.mutates(a.Name) && a.Name != w.g.contract.Protocol.Handoff {
			continue
		}
		tool := w.g.contract.Tools[a.Name]
		if tool == nil {
			w.skip("mutant."+Replace, "the contract does not know %s", a.Name)
			continue
		}
		for _, path := range undescribed(a.Arguments, tool) {
			w.skip("mutant."+Replace, "the contract does not say what else %s of %s could be", path, a.Name)
		}
	}
}

// replacements replaces each argument of write k by every other value of its
// kind within the customer's reach, in the state before the write.
func (w *walk) replacements(k int) {
	gold := w.goldWrites()
	tool := w.g.contract.Tools[gold[k].Name]
	if tool == nil {
		return
	}
	for _, path := range sortedKeys(tool.Args) {
		for _, r := range w.replaced(k, gold[k].Arguments, path, tool.Args[path]) {
			steps := slices.Clone(gold)
			steps[k].Arguments = r.args
			w.try(Replace, fmt.Sprintf("%s %s = %s instead of %s", gold[k].Name, r.place, spelt(r.value), spelt(r.gold)), k, steps)
		}
	}
}
