package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"taste/pyjson"
	"taste/tau"
)

// strict fills in the score by this package's rules. docs/scoring.md lists
// where they differ from the reference's, and why.
func (s *Scorer) strict(out *Score, c *Conversation, x *ending) {
	if out.Reason, out.Detail = s.fault(x); out.Reason != "" {
		return
	}
	out.Checks, out.Goal = s.checks(c, x)
	out.Strict, out.Reason, out.Detail = s.reward(c, out.Checks)
}

// fault says why conversations about the task, or this one, have no score.
func (s *Scorer) fault(x *ending) (reason, detail string) {
	switch {
	case s.err != nil:
		return InvalidTask, s.err.Error()
	case s.task.EvaluationCriteria == nil:
		return EmptyGate, "the task has no evaluation criteria"
	case x.err != nil:
		return NotReplayed, x.err.Error()
	}
	for _, g := range s.goals {
		for _, e := range g.failed {
			name := g.actions[e.Index].Name
			if spec := s.domain.Tool(name); spec == nil || spec.MutatesState {
				return InvalidGold, fmt.Sprintf("action %d (%s) of %s fails: %s", e.Index, name, g.name, e.Message)
			}
		}
	}
	return "", ""
}

// reward combines the checks that count: one that failed decides, whatever is
// open.
func (s *Scorer) reward(c *Conversation, checks []Check) (reward *float64, reason, detail string) {
	zero, one := 0.0, 1.0
	if c.Termination == Infrastructure {
		return nil, Infrastructure, "the conversation was cut off by a fault outside of both sides"
	}
	if !c.finished() {
		return &zero, c.Termination, "the conversation did not come to an end"
	}
	count := map[Status]int{}
	for _, k := range checks {
		if k.InBasis {
			count[k.Strict]++
		}
	}
	switch {
	case count[Failed] > 0:
		return &zero, "", ""
	case count[Unscored] > 0:
		return nil, NotJudged, c.unjudged()
	case count[Met] == 0:
		return nil, EmptyGate, "nothing that the reward rests on asks for anything"
	}
	return &one, "", ""
}

// checks evaluates all components against the accepted end state that the
// conversation comes nearest to: fewest failed checks that count, then fewest
// differing fields, then the order of declaration.
func (s *Scorer) checks(c *Conversation, x *ending) ([]Check, string) {
	v := &view{s: s, c: c, x: x, calls: callsOf(c.Messages), texts: spoken(c.Messages)}
	assertions, words := v.assertions(), v.words()
	var best *judged
	for i := range s.goals {
		j := v.judge(&s.goals[i])
		if best == nil || j.worse(best) < 0 {
			best = j
		}
	}
	checks := []Check{best.db, assertions, best.actions, best.said, words}
	for i := range checks {
		checks[i].InBasis = v.counts(checks[i].Kind)
	}
	return checks, best.goal.name
}

// view is a conversation as the checks look at it.
type view struct {
	s     *Scorer
	c     *Conversation
	x     *ending
	calls []call
	texts []utterance
}

func (v *view) counts(kind tau.RewardType) bool {
	return slices.Contains(v.s.task.EvaluationCriteria.RewardBasis, kind)
}

// judged is a conversation measured by one accepted end state.
type judged struct {
	goal              *goal
	db, actions, said Check
	failed            int // checks that count
	fields            int // that differ
}

func (j *judged) worse(o *judged) int {
	return cmp.Or(cmp.Compare(j.failed, o.failed), cmp.Compare(j.fields, o.fields))
}

func (v *view) judge(g *goal) *judged {
	j := &judged{goal: g, actions: v.actions(g), said: v.said(g)}
	j.db, j.fields = v.database(g)
	for _, c := range []*Check{&j.db, &j.actions, &j.said} {
		if c.Strict == Failed && v.counts(c.Kind) {
			j.failed++
		}
		if !g.own {
			c.Why = "by the accepted end state " + pyjson.Repr(g.name)
		}
	}
	return j
}

// database compares the end states, numbers by value.
func (v *view) database(g *goal) (c Check, fields int) {
	c = Check{Kind: tau.DB, Strict: Nothing}
	if g.own && stateless(v.s.task.EvaluationCriteria) {
		c.Evidence = []string{"the task names neither actions nor assertions, so no end state is expected"}
		c.Why = "no end state is expected: " + askNothing
		return c, 0
	}
	if !g.state.Equal(v.x.env) {
		c.Evidence = g.state.DiffBy(v.x.env, alike)
		c.Why = "numbers are equal by value, however they are written and up to rounding"
	}
	c.Strict = status(len(c.Evidence) == 0)
	return c, len(c.Evidence)
}

// askNothing is why an empty component is no factor.
const askNothing = "what asks for nothing is no check"

// assertions of the environment: one that fails to run is not met.
func (v *view) assertions() Check {
	c := Check{Kind: tau.EnvAssertionReward, Strict: Nothing, Why: "there are no assertions: " + askNothing}
	all := v.s.task.EvaluationCriteria.EnvAssertions
	if len(all) == 0 {
		return c
	}
	c.Strict, c.Why = Met, ""
	var found evidence
	for i := range all {
		a, met := &all[i], v.x.met[i]
		text := fmt.Sprintf("%s%s is %s", a.FuncName, pyjson.Dumps(a.Args()), spellBool(a.AssertValue == met))
		switch {
		case v.x.raised[i] != nil:
			text = fmt.Sprintf("%s%s fails: %v", a.FuncName, pyjson.Dumps(a.Args()), v.x.raised[i])
		case !met:
			text += ", want " + spellBool(a.AssertValue)
		}
		if !met {
			c.Strict = Failed
		}
		found.add(met, text)
	}
	c.Evidence = found.all()
	return c
}

// evidence is what a check found of each thing that it asks for.
type evidence struct{ against, pro []string }

func (e *evidence) add(met bool, text string) {
	if met {
		e.pro = append(e.pro, text)
	} else {
		e.against = append(e.against, text)
	}
}

// all lists what decides first: what is not met.
func (e *evidence) all() []string { return slices.Concat(e.against, e.pro) }

func spellBool(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// said looks for what has to be communicated, without regard to commas on
// either side.
func (v *view) said(g *goal) Check {
	c := Check{Kind: tau.Communicate, Strict: Nothing, Why: "there is nothing to communicate: " + askNothing}
	if len(g.communicate) == 0 {
		return c
	}
	c.Strict, c.Why = Met, "commas are left out of account on both sides"
	var found evidence
	for _, s := range g.communicate {
		at := said(strings.ReplaceAll(pyjson.Lower(s), ",", ""), v.texts)
		if at < 0 {
			c.Strict = Failed
			found.add(false, pyjson.Repr(s)+" is not said")
			continue
		}
		found.add(true, fmt.Sprintf("%s is said in message %d", pyjson.Repr(s), at))
	}
	c.Evidence = found.all()
	return c
}

// words takes the judge's verdicts: open unless there is one for each
// assertion.
func (v *view) words() Check {
	c := Check{Kind: tau.NLAssertion, Strict: Nothing, Why: "there are no assertions in words: " + askNothing}
	want := v.s.task.EvaluationCriteria.NLAssertions
	switch got := v.c.Verdicts; {
	case len(want) == 0:
		return c
	case got == nil:
		c.Strict, c.Why = Unscored, v.c.unjudged()
		c.Evidence = []string{c.Why}
	case len(got) != len(want):
		c.Strict, c.Why = Unscored, fmt.Sprintf("the judge decided on %d of %d assertions", len(got), len(want))
		c.Evidence = []string{c.Why}
	default:
		c.Strict, c.Why = Met, ""
		for _, a := range got {
			text := a.Text + ": met"
			if !a.Met {
				c.Strict, text = Failed, a.Text+": not met"
			}
			if a.Justification != "" {
				text += " (" + a.Justification + ")"
			}
			c.Evidence = append(c.Evidence, text)
		}
	}
	return c
}
