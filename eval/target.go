package eval

import (
	"fmt"

	"taste/chat"
	"taste/env"
	"taste/tau"
)

// Target is a task made ready for scoring: its initial state and the state
// that gold leads to. It may be shared by goroutines.
type Target struct {
	Domain *env.Domain
	Task   *tau.Task
	Errors []GoldError // gold actions that fail; a sound task has none

	initial *env.Environment
	gold    *env.Environment
}

// GoldError is a gold action that failed. Its partial effects count.
type GoldError struct {
	Index     int
	Message   string
	Exception string
	Inexact   bool // see env.Result
}

// NewTarget sets up the task's initial state and replays its gold actions, as
// scoring does: without coupling the two sides, failing ones skipped.
func NewTarget(d *env.Domain, task *tau.Task) (*Target, error) {
	t := &Target{Domain: d, Task: task, initial: d.Environment()}
	if err := t.initial.SetState(task.InitialState); err != nil {
		return nil, fmt.Errorf("set up task %s: %w", task.ID, err)
	}
	t.gold, t.Errors = t.play(t.actions(), (*env.Environment).Apply)
	t.initial.Reset()
	return t, nil
}

// play makes gold actions in the initial state, each as do does it.
func (t *Target) play(actions []tau.Action, do func(*env.Environment, *tau.Action) env.Result) (end *env.Environment, failed []GoldError) {
	end = t.initial.Clone()
	for i := range actions {
		if r := do(end, &actions[i]); r.Error {
			failed = append(failed, GoldError{i, r.Content[len("Error: "):], r.Exception, r.Inexact})
		}
	}
	end.Freeze()
	return end, failed
}

func (t *Target) actions() []tau.Action {
	if t.Task.EvaluationCriteria == nil {
		return nil
	}
	return t.Task.EvaluationCriteria.Actions
}

// Start returns a fresh environment in the task's initial state.
func (t *Target) Start() *env.Environment { return t.initial.Clone() }

// Gold returns a fresh environment in the target state.
func (t *Target) Gold() *env.Environment { return t.gold.Clone() }

// Reached says whether the databases are those of the target state.
func (t *Target) Reached(final *env.Environment) bool { return t.gold.Equal(final) }

// Diff lists how a final state differs from the target: "path: target → final".
func (t *Target) Diff(final *env.Environment) []string { return t.gold.Diff(final) }

// Score scores a finished conversation whose environment ended in final, as
// Compat does but without replaying it. verdicts are those of the judge on the
// assertions in words, if any; without them the score is open, and its Reward
// what the other components come to.
func (t *Target) Score(final *env.Environment, messages []chat.Message, verdicts []Verdict) (*RewardInfo, error) {
	return t.score(t.ended(final), &Conversation{Messages: messages, Verdicts: verdicts})
}
