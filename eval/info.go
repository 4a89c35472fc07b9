package eval

import (
	"taste/pyjson"
	"taste/tau"
)

// RewardInfo is a score with all that led to it, as τ²-bench records it.
type RewardInfo struct {
	Reward        float64
	DB            *DBCheck      // nil: not evaluated
	EnvAssertions []CheckResult // nil: not evaluated
	Actions       []ActionCheck
	NLAssertions  []TextCheck
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

// CheckResult is one environment assertion.
type CheckResult struct {
	Met    bool
	Reward float64
}

// ActionCheck says whether some call matched a gold action.
type ActionCheck struct {
	Match    bool
	Reward   float64
	ToolType string // lower case; "" for an unknown tool
}

// TextCheck is one string to be communicated, or one assertion in words.
type TextCheck struct {
	Text string
	Met  bool
}

// JSON returns the record in τ²-bench's form, without null fields.
func (r *RewardInfo) JSON() *pyjson.Object {
	o := pyjson.NewObject("reward", r.Reward)
	if r.DB != nil {
		o.Set("db_check", pyjson.NewObject("db_match", r.DB.Match, "db_reward", r.DB.Reward))
	}
	setList(o, "env_assertions", r.EnvAssertions, func(c CheckResult) *pyjson.Object {
		return pyjson.NewObject("met", c.Met, "reward", c.Reward)
	})
	setList(o, "action_checks", r.Actions, actionJSON)
	setList(o, "nl_assertions", r.NLAssertions, func(c TextCheck) *pyjson.Object {
		return pyjson.NewObject("nl_assertion", c.Text, "met", c.Met)
	})
	setList(o, "communicate_checks", r.Communicate, func(c TextCheck) *pyjson.Object {
		return pyjson.NewObject("info", c.Text, "met", c.Met)
	})
	if r.Basis != nil {
		basis, _ := pyjson.FromGo(r.Basis)
		o.Set("reward_basis", basis)
	}
	if r.Breakdown != nil {
		o.Set("reward_breakdown", r.Breakdown)
	}
	if r.Info != nil {
		o.Set("info", r.Info)
	}
	return o
}

func actionJSON(c ActionCheck) *pyjson.Object {
	o := pyjson.NewObject("action_match", c.Match, "action_reward", c.Reward)
	if c.ToolType != "" {
		o.Set("tool_type", c.ToolType)
	}
	return o
}

func setList[T any](o *pyjson.Object, key string, l []T, f func(T) *pyjson.Object) {
	if l == nil {
		return
	}
	out := make([]any, len(l))
	for i, e := range l {
		out[i] = f(e)
	}
	o.Set(key, out)
}

func factor(met bool) float64 {
	if met {
		return 1
	}
	return 0
}

func note(text string) *pyjson.Object { return pyjson.NewObject("note", text) }
