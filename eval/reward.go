package eval

import (
	"errors"
	"fmt"

	"taste/chat"
	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// Conversation is a finished simulation as scoring sees it.
type Conversation struct {
	Termination string // e.g. user_stop
	Messages    []chat.Message
	Verdicts    []bool // of the judge, on each assertion in words
}

// ErrRaised says that τ²-bench's own scoring fails on this conversation.
var ErrRaised = errors.New("scoring raised")

// Compat scores a conversation as τ²-bench does: it is replayed from the
// task's initial state, gold likewise, and the end states are compared.
// ErrRaised is wrapped where the reference's scoring fails.
func Compat(d *env.Domain, task *tau.Task, c *Conversation) (*RewardInfo, error) {
	if c.Termination != "agent_stop" && c.Termination != "user_stop" {
		return &RewardInfo{Info: note("Simulation terminated prematurely. Termination reason: " + c.Termination)}, nil
	}
	if task.EvaluationCriteria == nil {
		return ungated(), nil
	}
	t, err := NewTarget(d, task)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRaised, err)
	}
	return t.score(func() (*env.Environment, error) { return t.replay(c.Messages) }, c.Messages, c.Verdicts)
}

// ungated is the score of a task without criteria, whatever was done.
func ungated() *RewardInfo { return &RewardInfo{Reward: 1, Info: note("No evaluation criteria")} }

// replay makes the conversation's calls on a fresh environment. The messages
// include the task's own history, which is therefore not replayed before.
func (t *Target) replay(messages []chat.Message) (*env.Environment, error) {
	var start tau.InitialState
	if s := t.Task.InitialState; s != nil {
		start.InitializationData = s.InitializationData
		start.InitializationActions = s.InitializationActions
	}
	e := t.Domain.Environment()
	if err := e.SetState(&start); err != nil {
		return nil, err
	}
	return e, e.Replay(messages, true)
}

// score combines the components. final is asked for only where it counts.
func (t *Target) score(final func() (*env.Environment, error), messages []chat.Message, verdicts []bool) (*RewardInfo, error) {
	c := t.Task.EvaluationCriteria
	if c == nil {
		return ungated(), nil
	}
	s := &scoring{c: c, out: &RewardInfo{Basis: c.RewardBasis, Breakdown: pyjson.NewObject(), Info: pyjson.NewObject()}}
	if err := s.environment(t, final); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRaised, err)
	}
	s.actions(t.Domain, messages)
	s.assertions(verdicts)
	s.communicate(messages)
	s.out.Reward = 1
	for _, f := range s.factors {
		s.out.Reward *= f
	}
	return s.out, nil
}

type scoring struct {
	c       *tau.EvaluationCriteria
	out     *RewardInfo
	factors []float64
}

// component adds a factor if the task's basis names it.
func (s *scoring) component(kind tau.RewardType, reward float64) {
	for _, b := range s.c.RewardBasis {
		if b == kind {
			s.out.Breakdown.Set(string(kind), reward)
			s.factors = append(s.factors, reward)
			return
		}
	}
}

func (s *scoring) environment(t *Target, final func() (*env.Environment, error)) error {
	if s.c.Actions == nil && s.c.EnvAssertions == nil {
		s.out.DB = &DBCheck{Match: true, Reward: 1}
		s.out.Info.Set("env", note("No expected actions or env assertions"))
		return nil
	}
	e, err := final()
	if err != nil {
		return err
	}
	match := t.Reached(e)
	s.out.DB = &DBCheck{Match: match, Reward: factor(match)}
	s.component(tau.DB, factor(match))
	s.out.EnvAssertions = []CheckResult{}
	product := 1.0
	e = e.Clone()
	for i := range s.c.EnvAssertions {
		met, err := e.Assert(&s.c.EnvAssertions[i])
		if err != nil {
			return err
		}
		s.out.EnvAssertions = append(s.out.EnvAssertions, CheckResult{met, factor(met)})
		product *= factor(met)
	}
	s.component(tau.EnvAssertionReward, product)
	return nil
}

func (s *scoring) actions(d *env.Domain, messages []chat.Message) {
	if len(s.c.Actions) == 0 {
		s.out.Info.Set("action", note("No actions to evaluate"))
		s.component(tau.ActionReward, 1)
		return
	}
	s.out.Actions = CheckActions(d, s.c.Actions, messages)
	all := true
	for _, c := range s.out.Actions {
		all = all && c.Match
	}
	s.component(tau.ActionReward, factor(all))
}

// assertions takes the judge's verdicts, one for each assertion in words; they
// count only where the basis names them.
func (s *scoring) assertions(verdicts []bool) {
	wanted := false
	for _, b := range s.c.RewardBasis {
		wanted = wanted || b == tau.NLAssertion
	}
	if !wanted {
		return
	}
	s.out.NLAssertions = []TextCheck{}
	if len(s.c.NLAssertions) == 0 {
		s.out.Info.Set("nl", note("No nl_assertions to evaluate"))
	}
	for i, a := range s.c.NLAssertions {
		if i < len(verdicts) {
			s.out.NLAssertions = append(s.out.NLAssertions, TextCheck{a, verdicts[i]})
		}
	}
	s.component(tau.NLAssertion, factor(allMet(s.out.NLAssertions)))
}

func (s *scoring) communicate(messages []chat.Message) {
	if len(s.c.CommunicateInfo) == 0 {
		s.out.Info.Set("communicate", note("No communicate_info to evaluate"))
		s.component(tau.Communicate, 1)
		return
	}
	s.out.Communicate = CheckCommunicated(s.c.CommunicateInfo, messages)
	s.component(tau.Communicate, factor(allMet(s.out.Communicate)))
}
