package eval

import (
	"fmt"
	"slices"

	"taste/env"
	"taste/tau"
)

// Scorer scores conversations about one task, as τ²-bench does (compat) and by
// this package's own rules (strict), side by side. It may be shared by
// goroutines.
type Scorer struct {
	domain *env.Domain
	task   *tau.Task
	target *Target // nil if err is set
	err    error   // the task cannot be set up
	goals  []goal
}

// goal is an accepted end state.
type goal struct {
	name        string
	own         bool // the one of the task's own gold actions
	actions     []tau.Action
	communicate []string
	state       *env.Environment
	failed      []GoldError
}

// NewScorer makes a task ready for scoring. A task that cannot be set up gets
// scores that say so.
func NewScorer(d *env.Domain, task *tau.Task) *Scorer {
	s := &Scorer{domain: d, task: task}
	if s.target, s.err = NewTarget(d, task); s.err != nil || task.EvaluationCriteria == nil {
		return s
	}
	c := task.EvaluationCriteria
	if !stateless(c) || len(c.Alternatives) == 0 {
		s.goals = []goal{{"gold", true, c.Actions, c.CommunicateInfo, s.target.gold, s.target.Errors}}
	}
	for _, a := range c.Alternatives {
		g := goal{name: a.Name, actions: a.Actions, communicate: a.CommunicateInfo}
		if g.communicate == nil {
			g.communicate = c.CommunicateInfo
		}
		g.state, g.failed = s.target.play(a.Actions, (*env.Environment).Apply)
		s.goals = append(s.goals, g)
	}
	if !slices.Contains(c.RewardBasis, tau.DB) { // then the ends are only shown: those that conversations reach
		for i := range s.goals {
			s.goals[i].state, _ = s.target.play(s.goals[i].actions, (*env.Environment).Act)
		}
	}
	return s
}

// Options of a score.
type Options struct {
	// Final is the environment as the conversation left it, where it is at
	// hand; it is not changed. nil: the conversation is replayed.
	Final *env.Environment
	// Lenient takes answers for given that a replay does not reproduce, in
	// compat, too, as τ²-bench does when it scores records anew. They are in
	// Score.Drift. Without it compat raises, as τ²-bench does after a run.
	Lenient bool
}

// Score scores one conversation.
func (s *Scorer) Score(c *Conversation, o Options) *Score {
	x := s.ending(c, o.Final)
	out := &Score{}
	if x != nil {
		out.Drift = x.departures
	}
	out.Compat, out.Raised = s.compat(c, x, o.Lenient)
	s.strict(out, c, x)
	out.compare()
	return out
}

// ending looks at the end of a conversation; nil where the task cannot be set
// up or has no criteria.
func (s *Scorer) ending(c *Conversation, final *env.Environment) *ending {
	switch {
	case s.err != nil || s.task.EvaluationCriteria == nil:
		return nil
	case final != nil:
		return s.target.ended(final)
	}
	return s.target.replay(c)
}

// compat is the score of the reference. x may be nil: then the conversation is
// replayed where the score depends on it.
func (s *Scorer) compat(c *Conversation, x *ending, lenient bool) (*RewardInfo, error) {
	crit := s.task.EvaluationCriteria
	switch {
	case !c.finished():
		return unfinished(c.Termination), nil
	case crit == nil:
		return ungated(), nil
	case stateless(crit):
		return (&Target{Domain: s.domain, Task: s.task}).score(nil, c)
	case s.err != nil:
		return nil, fmt.Errorf("%w: %w", ErrRaised, s.err)
	case x == nil:
		x = s.target.replay(c)
	}
	if len(x.departures) > 0 && !lenient {
		return nil, fmt.Errorf("%w: %w: %s", ErrRaised, env.ErrReplay, x.departures[0])
	}
	return s.target.score(x, c)
}
