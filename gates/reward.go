package gates

import (
	"maps"
	"slices"
	"strings"

	"taste/chat"
	"taste/env"
	"taste/tau"
)

// rewards checks what gold and doing nothing earn.
func (w *walk) rewards() {
	if r, err := w.reward(w.goldSteps(), w.end(), w.answers()); err != nil || !earned(r) {
		w.fail(GoldEarns, "gold earns %v %s", r, orNone(err))
	}
	if r, err := w.reward(nil, w.start(), ""); err == nil && earned(r) {
		w.won(NothingLost, "an agent that does and says nothing earns %v", r)
	}
	if len(w.crit.CommunicateInfo) == 0 {
		return
	}
	if r, err := w.reward(w.goldSteps(), w.end(), ""); err == nil && earned(r) {
		w.won(SilentLost, "gold without a word earns %v, although %q is to be said", r, w.crit.CommunicateInfo)
	}
}

// won reports a reward that should not have been earned. What a judge of
// assertions in words has a say in may still be lost before that judge.
func (w *walk) won(rule, format string, args ...any) {
	if w.judged() {
		w.skip(rule, "if all assertions in words are taken to be met, "+format, args...)
		return
	}
	w.fail(rule, format, args...)
}

// judged tells whether the reward rests on assertions in words.
func (w *walk) judged() bool {
	return len(w.crit.NLAssertions) > 0 && slices.Contains(w.crit.RewardBasis, tau.NLAssertion)
}

func orNone(err error) string {
	if err == nil {
		return ""
	}
	return "(" + err.Error() + ")"
}

// emptyGate fails a task whose reward depends on nothing that an agent does,
// and tells so: every agent earns it, and no more needs to be said.
func (w *walk) emptyGate() bool {
	if w.task.EvaluationCriteria == nil {
		w.fail(NotEmpty, "the task has no evaluation criteria")
		return true
	}
	if slices.ContainsFunc(w.crit.RewardBasis, w.depends) {
		return false
	}
	w.fail(NotEmpty, "the reward rests on %v, and none of it depends on what the agent does", w.crit.RewardBasis)
	return true
}

// depends tells whether a component of the reward can tell agents apart. A
// database that has to stay as it is does: it tells those who leave it alone.
func (w *walk) depends(b tau.RewardType) bool {
	switch b {
	case tau.DB:
		return w.crit.Actions != nil || w.crit.EnvAssertions != nil
	case tau.Communicate:
		return len(w.crit.CommunicateInfo) > 0
	case tau.ActionReward:
		return len(w.crit.Actions) > 0
	case tau.NLAssertion:
		return len(w.crit.NLAssertions) > 0
	case tau.EnvAssertionReward:
		return len(w.crit.EnvAssertions) > 0
	}
	return false
}

func (w *walk) start() *env.Environment { return w.moments[0].env }
func (w *walk) end() *env.Environment   { return w.moments[len(w.moments)-1].env }

// answers is a text that says all that has to be said.
func (w *walk) answers() string { return strings.Join(w.crit.CommunicateInfo, "\n") }

// goldSteps lists all gold actions.
func (w *walk) goldSteps() []Step {
	out := make([]Step, len(w.crit.Actions))
	for i := range out {
		out[i] = step(&w.crit.Actions[i])
	}
	return out
}

// goldWrites lists the gold actions that may change the state.
func (w *walk) goldWrites() []Step {
	out := make([]Step, len(w.writes))
	for k, i := range w.writes {
		out[k] = step(&w.crit.Actions[i])
	}
	return out
}

func step(a *tau.Action) Step {
	s := Step{Name: a.Name, Arguments: a.Arguments}
	if a.Owner() == chat.User {
		s.Requestor = chat.User
	}
	return s
}

// step is a call of a tool by the side whose tool it is.
func (g *Gate) step(tool string, args map[string]any) Step {
	s := Step{Name: tool, Arguments: args}
	if spec := g.domain.Tool(tool); spec != nil && spec.Requestor == chat.User {
		s.Requestor = chat.User
	}
	return s
}

// action is the call of a step.
func (s *Step) action() *tau.Action {
	return &tau.Action{Name: s.Name, Arguments: s.Arguments, Requestor: s.Requestor}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
