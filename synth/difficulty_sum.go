package synth

import (
	"cmp"
	"fmt"
	"slices"

	"taste/role"
	"taste/stats"
)

// tally looks duels up.
type tally struct {
	in    *DifficultyInput
	duels map[tallyKey]*duel
}

type tallyKey struct {
	kase        int
	form, agent string
}

// sum makes the tables of what was played.
func (in *DifficultyInput) sum(duels []duel) *Difficulty {
	t := tally{in: in, duels: map[tallyKey]*duel{}}
	for i := range duels {
		d := &duels[i]
		t.duels[tallyKey{d.kase, d.form, d.agent}] = d
	}
	out := &Difficulty{Tasks: len(in.Cases), Trials: in.Trials, Surprises: surprises(in, duels)}
	for _, l := range role.Levels() {
		out.Levels = append(out.Levels, LevelCount{l, len(t.where(func(c *Case) bool { return c.Level == l }))})
	}
	all := t.where(func(*Case) bool { return true })
	for _, a := range in.Agents {
		out.Agents = append(out.Agents, t.agent(a, all))
	}
	out.Techniques = t.techniques()
	for _, g := range t.groups() {
		for _, a := range in.Agents {
			r := t.agent(a, g.cases)
			out.Groups = append(out.Groups, GroupRow{g.by, g.name, a, r.Base, r.Evolved})
		}
	}
	return out
}

// Played lists the agents that were played over all tasks.
func (d *Difficulty) Played() []string {
	var out []string
	for _, r := range d.Agents {
		out = append(out, r.Agent)
	}
	return out
}

func (t *tally) where(keep func(*Case) bool) []int {
	var out []int
	for i := range t.in.Cases {
		if keep(&t.in.Cases[i]) {
			out = append(out, i)
		}
	}
	return out
}

// won lists the outcomes of an agent on a form of some cases.
func (t *tally) won(agent, form string, cases []int) []bool {
	var out []bool
	for _, i := range cases {
		out = append(out, t.duels[tallyKey{i, form, agent}].won())
	}
	return out
}

func share(won []bool) stats.Share {
	n := 0
	for _, w := range won {
		if w {
			n++
		}
	}
	return stats.NewShare(len(won), n)
}

func (t *tally) agent(name string, cases []int) AgentRow {
	base, evolved := t.won(name, formBase, cases), t.won(name, formEvolved, cases)
	r := AgentRow{Agent: name, Base: share(base), Evolved: share(evolved), Paired: stats.Pair(base, evolved)}
	if r.Base.Share > 0 {
		drop := (r.Base.Share - r.Evolved.Share) / r.Base.Share
		r.Drop = &drop
	}
	return r
}

// techniques has a row for each technique that some task carries, in the order
// of their names.
func (t *tally) techniques() []TechniqueRow {
	carried := map[string][]int{}
	for i, c := range t.in.Cases {
		for _, trap := range c.Traps {
			carried[trap.Technique] = append(carried[trap.Technique], i)
		}
	}
	var out []TechniqueRow
	for name, cases := range carried {
		agent := t.in.Flawed(name)
		with, without := t.won(agent, formEvolved, cases), t.won(agent, name, cases)
		out = append(out, TechniqueRow{name, agent, len(cases), share(with), share(without), stats.Pair(with, without)})
	}
	slices.SortFunc(out, func(a, b TechniqueRow) int { return cmp.Compare(a.Technique, b.Technique) })
	return out
}

// group is a set of cases that belong together.
type group struct {
	by, name string
	cases    []int
}

// groups splits the cases by level, by gold length in the steps of the method,
// and by write share in thirds.
func (t *tally) groups() []group {
	var out []group
	add := func(by, name string, keep func(*Case) bool) {
		if cases := t.where(keep); len(cases) > 0 {
			out = append(out, group{by, name, cases})
		}
	}
	for _, l := range role.Levels() {
		add("level", string(l), func(c *Case) bool { return c.Level == l })
	}
	for _, b := range []struct {
		name     string
		from, to int
	}{{"1 to 2", 0, 2}, {"3 to 5", 3, 5}, {"6 to 10", 6, 10}, {"11 and more", 11, 1 << 30}} {
		add("length", b.name, func(c *Case) bool { return c.Length >= b.from && c.Length <= b.to })
	}
	for i, name := range []string{"up to a third", "up to two thirds", "more"} {
		add("write_share", name, func(c *Case) bool { return min(2, int(c.WriteShare*3-1e-9)) == i })
	}
	return out
}

// surprises lists what tells against tasks, in the order of the duels.
func surprises(in *DifficultyInput, duels []duel) []Surprise {
	out := []Surprise{}
	for i := range duels {
		d := &duels[i]
		hopes, fears := in.expects(d)
		for trial, a := range d.tries {
			won, why := a.Reward >= Success, a.Why
			if won {
				why = "earned the reward"
			}
			if won && fears || !won && hopes {
				out = append(out, Surprise{d.task.ID, d.form, d.agent, fmt.Sprintf("trial %d: %s", trial+1, why)})
			}
		}
	}
	return out
}

// expects tells whether an agent should succeed, or should fail; neither where
// nothing is known: a base task may ask for any skill.
func (in *DifficultyInput) expects(d *duel) (success, failure bool) {
	switch d.agent {
	case "careful", "oracle":
		return true, false
	case "noop":
		return false, true
	case "greedy":
		return false, false
	}
	caught := slices.ContainsFunc(in.Cases[d.kase].Traps, func(t Trap) bool { return in.Flawed(t.Technique) == d.agent })
	return d.form != formEvolved && d.form != formBase, caught && d.form == formEvolved
}
