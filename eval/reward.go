package eval

import (
	"errors"
	"fmt"
	"slices"

	"taste/chat"
	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// Conversation is a finished simulation as scoring sees it.
type Conversation struct {
	Termination string // e.g. user_stop
	Messages    []chat.Message

	// Verdicts are the judge's, in the order of its answer, which need not be
	// complete; nil where no judge has decided. Unjudged says why, "" for want
	// of a judge.
	Verdicts []Verdict
	Unjudged string

	Solo bool // the agent worked without a user and had the user's tools, too
}

// Finished says whether one of the two sides ended a conversation that ended so.
func Finished(termination string) bool {
	return termination == "agent_stop" || termination == "user_stop"
}

func (c *Conversation) finished() bool { return Finished(c.Termination) }

// made are the messages but for a last one whose calls were never made: where a
// conversation is cut off nobody answers them, and nothing has departed.
func (c *Conversation) made() []chat.Message {
	last := len(c.Messages) - 1
	if last >= 0 && !c.finished() && len(c.Messages[last].ToolCalls) > 0 {
		return c.Messages[:last]
	}
	return c.Messages
}

// ErrRaised says that τ²-bench's own scoring fails on this conversation.
var ErrRaised = errors.New("scoring raised")

// Compat scores a conversation as τ²-bench does: it is replayed from the
// task's initial state, gold likewise, and the end states are compared.
// ErrRaised is wrapped where the reference's scoring fails.
func Compat(d *env.Domain, task *tau.Task, c *Conversation) (*RewardInfo, error) {
	return NewScorer(d, task).compat(c, nil, false)
}

// ungated is the score of a task without criteria, whatever was done.
func ungated() *RewardInfo { return &RewardInfo{Reward: 1, Info: note("No evaluation criteria")} }

// unfinished is the score of a conversation that neither side ended.
func unfinished(termination string) *RewardInfo {
	return &RewardInfo{Info: note("Simulation terminated prematurely. Termination reason: " + termination)}
}

// stateless says whether a task names nothing that an end state is looked at for.
func stateless(c *tau.EvaluationCriteria) bool { return c.Actions == nil && c.EnvAssertions == nil }

// ending is what scoring looks at in the end of a conversation.
type ending struct {
	env        *env.Environment
	departures []string // where the record departs from the replay
	err        error    // of the replay
	met        []bool   // environment assertions
	raised     []error  // of each assertion; nil where it has a value
}

// replay makes the conversation's calls on a fresh environment. The messages
// include the task's own history, which is therefore not replayed before.
func (t *Target) replay(c *Conversation) *ending {
	var start tau.InitialState
	if s := t.Task.InitialState; s != nil {
		start.InitializationData = s.InitializationData
		start.InitializationActions = s.InitializationActions
	}
	d := t.Domain
	if c.Solo {
		d = d.Solo()
	}
	x := &ending{env: d.Environment()}
	if x.err = x.env.SetState(&start); x.err == nil {
		x.departures, x.err = x.env.Reenact(c.made())
	}
	return x.assert(t.Task.EvaluationCriteria)
}

// ended is the end of a conversation whose environment is at hand.
func (t *Target) ended(final *env.Environment) *ending {
	return (&ending{env: final}).assert(t.Task.EvaluationCriteria)
}

// assert evaluates the assertions one after the other on a copy.
func (x *ending) assert(c *tau.EvaluationCriteria) *ending {
	if c == nil || x.err != nil || len(c.EnvAssertions) == 0 {
		return x
	}
	e := x.env.Clone()
	for i := range c.EnvAssertions {
		met, err := e.Assert(&c.EnvAssertions[i])
		x.met, x.raised = append(x.met, met), append(x.raised, err)
	}
	return x
}

// score combines the components as τ²-bench does. x is nil where the task does
// not look at the state.
func (t *Target) score(x *ending, c *Conversation) (*RewardInfo, error) {
	crit := t.Task.EvaluationCriteria
	if crit == nil {
		return ungated(), nil
	}
	s := &scoring{c: crit, out: &RewardInfo{
		Reward: 1, Basis: crit.RewardBasis, Breakdown: pyjson.NewObject(),
		Info: pyjson.NewObject("env", nil, "nl", nil, "communicate", nil, "action", nil),
	}}
	if err := s.environment(t, x); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRaised, err)
	}
	s.actions(t.Domain, c.Messages)
	judged := s.assertions(c)
	s.communicate(c.Messages)
	if !judged && s.out.Reward != 0 {
		s.out.Unscored = c.unjudged()
	}
	return s.out, nil
}

// unjudged says why assertions in words have no verdict.
func (c *Conversation) unjudged() string {
	if c.Unjudged != "" {
		return c.Unjudged
	}
	return "no judge has decided on the assertions in words"
}

type scoring struct {
	c   *tau.EvaluationCriteria
	out *RewardInfo
}

// component multiplies the reward with a factor if the task's basis names it.
func (s *scoring) component(kind tau.RewardType, reward float64) {
	if slices.Contains(s.c.RewardBasis, kind) {
		s.out.Breakdown.Set(string(kind), reward)
		s.out.Reward *= reward
	}
}

func (s *scoring) environment(t *Target, x *ending) error {
	if stateless(s.c) {
		s.out.DB = &DBCheck{Match: true, Reward: 1}
		s.out.Info.Set("env", note("No expected actions or env assertions"))
		return nil
	}
	if x.err != nil {
		return x.err
	}
	match := t.Reached(x.env)
	s.out.DB = &DBCheck{Match: match, Reward: factor(match)}
	s.component(tau.DB, factor(match))
	s.out.EnvAssertions = []AssertionCheck{}
	product := 1.0
	for i, met := range x.met {
		if x.raised[i] != nil {
			return x.raised[i]
		}
		s.out.EnvAssertions = append(s.out.EnvAssertions, AssertionCheck{&s.c.EnvAssertions[i], met, factor(met)})
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

// assertions takes the judge's verdicts, which count only where the basis
// names them; that some are missing does not matter to the reference. It is
// false where the judge's word is wanted and there is none.
func (s *scoring) assertions(c *Conversation) bool {
	if !slices.Contains(s.c.RewardBasis, tau.NLAssertion) {
		return true
	}
	if len(s.c.NLAssertions) == 0 {
		s.out.NLAssertions = []Verdict{}
		s.out.Info.Set("nl", note("No nl_assertions to evaluate"))
		s.component(tau.NLAssertion, 1)
		return true
	}
	if c.Verdicts == nil {
		return false
	}
	s.out.NLAssertions = c.Verdicts
	all := true
	for _, v := range c.Verdicts {
		all = all && v.Met
	}
	s.component(tau.NLAssertion, factor(all))
	return true
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
