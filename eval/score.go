package eval

import (
	"fmt"
	"strings"

	"taste/tau"
)

// Score is one conversation's score in both modes.
type Score struct {
	Compat *RewardInfo // nil: the reference's own scoring fails, see Raised
	Raised error       // wraps ErrRaised

	Strict  *float64 // 1 or 0; nil: unscored
	Reason  string   // why it is unscored, or 0 whatever the checks say; one of the reasons below, a termination, or ""
	Detail  string   // Reason in words, where there is more to say
	Checks  []Check  // one of each kind, in a fixed order; none where the task is at fault
	Goal    string   // the accepted end state that was reached or is nearest
	Drift   []string // where the record departs from what happens when its calls are made again
	Differs []string // why the two rewards differ; empty where they agree
}

// Reasons for which a strict score is open. Such a conversation counts as
// missing, never as failed.
const (
	InvalidTask    = "invalid_task" // the task's initial state cannot be set up
	InvalidGold    = "invalid_gold" // a gold action that writes fails
	EmptyGate      = "empty_gate"   // nothing that the reward rests on asks for anything
	Infrastructure = "infrastructure_error"
	NotReplayed    = "not_replayed" // the calls cannot be made again
	NotJudged      = "not_judged"   // assertions in words without a verdict
	Unsupported    = "unsupported"  // a conversation of a kind that is not scored
)

// Check is one component of a score with what it rests on.
type Check struct {
	Kind     tau.RewardType
	InBasis  bool     // it counts: the task's reward_basis names it
	Compat   *float64 // the reference's factor; nil where it has none
	Strict   Status
	Evidence []string
	Why      string // why the two modes differ; "" where they agree
}

// Status is the outcome of a check in strict mode.
type Status string

// The outcomes. A check that asks for nothing is neither met nor failed.
const (
	Met      Status = "met"
	Failed   Status = "failed"
	Nothing  Status = "n/a"
	Unscored Status = "unscored"
)

func status(met bool) Status {
	if met {
		return Met
	}
	return Failed
}

// OpenScore is the score of a conversation that cannot be scored at all.
func OpenScore(reason, detail string) *Score {
	return &Score{Raised: fmt.Errorf("%w: %s", ErrRaised, detail), Reason: reason, Detail: detail, Differs: []string{"unscored: " + detail}}
}

// CompatOpen says why compat has no reward, "" where it has one.
func (s *Score) CompatOpen() string {
	switch {
	case s.Raised != nil:
		return s.Raised.Error()
	case s.Compat.Unscored != "":
		return s.Compat.Unscored
	}
	return ""
}

// CompatReward is the reference's reward; ok is false where it fails or wants
// a judge.
func (s *Score) CompatReward() (reward float64, ok bool) {
	if s.CompatOpen() != "" {
		return 0, false
	}
	return s.Compat.Reward, true
}

// compare fills in what the reference says of each check, and why the modes
// differ.
func (s *Score) compare() {
	var whys []string
	for i := range s.Checks {
		c := &s.Checks[i]
		c.Compat = s.breakdown(c.Kind)
		if c.Compat == nil || c.Strict == status(*c.Compat == 1) {
			c.Why = ""
			continue
		}
		whys = append(whys, fmt.Sprintf("%s: %s", c.Kind, c.Why))
	}
	reward, ok := s.CompatReward()
	switch {
	case ok && s.Strict != nil && reward == *s.Strict, !ok && s.Raised == nil && s.Strict == nil:
		return
	case s.Raised != nil:
		whys = append(whys, "compat fails: "+strings.TrimPrefix(s.Raised.Error(), ErrRaised.Error()+": "))
	}
	if s.Reason != "" {
		whys = append(whys, strings.TrimSuffix(s.Reason+": "+s.Detail, ": "))
	}
	s.Differs = whys
}

// breakdown is the reference's factor of a component; nil where it has none.
func (s *Score) breakdown(kind tau.RewardType) *float64 {
	if s.Compat == nil || s.Compat.Breakdown == nil {
		return nil
	}
	v, ok := s.Compat.Breakdown.Get(string(kind))
	if !ok {
		return nil
	}
	f := v.(float64)
	return &f
}
