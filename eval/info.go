package eval

import (
	"taste/pyjson"
	"taste/tau"
)

// RewardInfo is a score with all that led to it, as τ²-bench records it.
type RewardInfo struct {
	Reward float64
	// Unscored says why the score is open: the reward rests on assertions in
	// words that no judge has decided, all other components are earned, and
	// Reward is what they come to. "" where the score is whole.
	Unscored string

	DB            *DBCheck         // nil: not evaluated
	EnvAssertions []AssertionCheck // nil: not evaluated
	Actions       []ActionCheck
	NLAssertions  []Verdict
	Communicate   []TextCheck
	Basis         []tau.RewardType // nil: the task was not scored by its basis
	Breakdown     *pyjson.Object   // reward type → its factor; nil as Basis
	Info          *pyjson.Object   // notes, by component
}

// DBCheck says whether the final databases are those that gold leads to.
type DBCheck struct {
	Match  bool
	Reward float64
}

// AssertionCheck is one environment assertion.
type AssertionCheck struct {
	Assertion *tau.EnvAssertion
	Met       bool
	Reward    float64
}

// ActionCheck says whether some call matched a gold action.
type ActionCheck struct {
	Action   *tau.Action
	Match    bool
	Reward   float64
	ToolType string // lower case; "" for an unknown tool
}

// TextCheck is one string to be communicated.
type TextCheck struct {
	Text          string
	Met           bool
	Justification string
}

// Verdict is a judge's decision on one assertion in words.
type Verdict struct {
	Text          string // the assertion, as the judge repeats it
	Met           bool
	Justification string
}

// JSON returns the record as τ²-bench writes it into results files. The reward
// of an open score is null, which τ²-bench does not read: leave such a record
// out of files for it.
func (r *RewardInfo) JSON() *pyjson.Object {
	o := pyjson.NewObject("reward", r.Reward, "db_check", nil)
	if r.Unscored != "" {
		o.Set("reward", nil)
	}
	if r.DB != nil {
		o.Set("db_check", pyjson.NewObject("db_match", r.DB.Match, "db_reward", r.DB.Reward))
	}
	setList(o, "env_assertions", r.EnvAssertions, func(c AssertionCheck) any {
		return pyjson.NewObject("env_assertion", assertionJSON(c.Assertion), "met", c.Met, "reward", c.Reward)
	})
	setList(o, "action_checks", r.Actions, func(c ActionCheck) any {
		return pyjson.NewObject("action", actionJSON(c.Action), "action_match", c.Match, "action_reward", c.Reward, "tool_type", orNil(c.ToolType))
	})
	setList(o, "nl_assertions", r.NLAssertions, func(c Verdict) any {
		return pyjson.NewObject("nl_assertion", c.Text, "met", c.Met, "justification", c.Justification)
	})
	setList(o, "communicate_checks", r.Communicate, func(c TextCheck) any {
		return pyjson.NewObject("info", c.Text, "met", c.Met, "justification", c.Justification)
	})
	setList(o, "reward_basis", r.Basis, func(b tau.RewardType) any { return string(b) })
	setObject(o, "reward_breakdown", r.Breakdown)
	setObject(o, "info", r.Info)
	return o
}

// assertionJSON spells every field, as records do.
func assertionJSON(a *tau.EnvAssertion) *pyjson.Object {
	return pyjson.NewObject("env_type", a.EnvType, "func_name", a.FuncName, "arguments", a.Args(), "assert_value", a.AssertValue, "message", text(a.Message))
}

func actionJSON(a *tau.Action) *pyjson.Object {
	o := pyjson.NewObject("action_id", a.ActionID, "requestor", a.Owner(), "name", a.Name, "arguments", a.Args(), "info", text(a.Info))
	setList(o, "compare_args", a.CompareArgs, func(s string) any { return s })
	return o
}

func text(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

// setList writes a list; nil is null.
func setList[T any](o *pyjson.Object, key string, l []T, f func(T) any) {
	if l == nil {
		o.Set(key, nil)
		return
	}
	out := make([]any, len(l))
	for i, e := range l {
		out[i] = f(e)
	}
	o.Set(key, out)
}

func setObject(o *pyjson.Object, key string, v *pyjson.Object) {
	if v == nil {
		o.Set(key, nil)
		return
	}
	o.Set(key, v)
}

func factor(met bool) float64 {
	if met {
		return 1
	}
	return 0
}

func note(text string) *pyjson.Object { return pyjson.NewObject("note", text) }
