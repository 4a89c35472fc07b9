package inspect

import (
	"math"
	"strings"

	"taste/chat"
	"taste/eval"
	"taste/pyjson"
	"taste/results"
	"taste/tau"
)

// score is one of the scores that samples have.
type score struct {
	name  string
	whole bool // the reward, not a component of it
	// of is the score of a simulation; ok is false where it has none.
	of func(s *results.Scored) (v verdict, ok bool)
}

// verdict is a sample's score.
type verdict struct {
	value   *float64 // nil: unscored
	reason  string   // why it is unscored, in a word
	explain []string
}

// kinds are the components in the order of their scores.
var kinds = []tau.RewardType{tau.DB, tau.EnvAssertionReward, tau.ActionReward, tau.Communicate, tau.NLAssertion}

// scoresOf are the scores that some simulation has.
func scoresOf(scored []results.Scored) []score {
	all := []score{{"reward", true, recordedReward}}
	component := recordedComponent
	if len(scored) > 0 && scored[0].Score != nil {
		all = []score{{"compat", true, compatReward}, {"strict", true, strictReward}}
		component = strictComponent
	}
	for _, k := range kinds {
		all = append(all, score{string(k), false, func(s *results.Scored) (verdict, bool) { return component(s, k) }})
	}
	var out []score
	for _, s := range all {
		for i := range scored {
			if _, ok := s.at(&scored[i]); ok || s.whole {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

// at is the score of a simulation that was not lost.
func (s *score) at(x *results.Scored) (verdict, bool) {
	if lost(x.Simulation) {
		return verdict{}, false
	}
	return s.of(x)
}

// lost tells of a simulation that a fault outside of both sides broke off.
func lost(s *results.Simulation) bool { return s.Termination == eval.Infrastructure }

func recordedReward(s *results.Scored) (verdict, bool) {
	if s.Recorded == nil {
		return verdict{reason: "not_scored"}, true
	}
	return verdict{value: s.Recorded}, true
}

func recordedComponent(s *results.Scored, k tau.RewardType) (verdict, bool) {
	r := chat.NewReader(orEmpty(s.Simulation.RewardInfo), "")
	v := chat.NewReader(orEmpty(r.Object("reward_breakdown")), "").OptFloat(string(k))
	return verdict{value: v}, v != nil
}

func compatReward(s *results.Scored) (verdict, bool) {
	if r, ok := s.Score.CompatReward(); ok {
		return verdict{value: &r}, true
	}
	return verdict{reason: "unscored", explain: []string{s.Score.CompatOpen()}}, true
}

func strictReward(s *results.Scored) (verdict, bool) {
	x := s.Score
	v := verdict{value: x.Strict, reason: x.Reason}
	if x.Reason != "" {
		v.explain = append(v.explain, strings.TrimSuffix(x.Reason+": "+x.Detail, ": "))
	}
	for _, d := range x.Differs {
		v.explain = append(v.explain, "differs from compat: "+d)
	}
	return v, true
}

func strictComponent(s *results.Scored, k tau.RewardType) (verdict, bool) {
	for i := range s.Score.Checks {
		c := &s.Score.Checks[i]
		if c.Kind != k || !c.InBasis || c.Strict == eval.Nothing {
			continue
		}
		v := verdict{explain: c.Evidence}
		switch c.Strict {
		case eval.Unscored:
			v.reason = eval.NotJudged
		default:
			value := 0.0
			if c.Strict == eval.Met {
				value = 1
			}
			v.value = &value
		}
		return v, true
	}
	return verdict{}, false
}

// json is the verdict as a sample holds it. An open one has the value that
// Inspect's metrics pass over.
func (v *verdict) json() *pyjson.Object {
	o := pyjson.NewObject("value", math.NaN(), "explanation", nil, "reason", nil)
	if v.value != nil {
		o.Set("value", *v.value)
	}
	if len(v.explain) > 0 {
		o.Set("explanation", strings.Join(v.explain, "\n"))
	}
	if v.reason != "" {
		o.Set("reason", v.reason)
	}
	return o
}

// byTask are the values of each task of r.
func (s *score) byTask(r *results.Results, scored []results.Scored) [][]float64 {
	out := make([][]float64, len(r.Tasks))
	place := make(map[string]int, len(r.Tasks))
	for i := range r.Tasks {
		place[r.Tasks[i].ID] = i
	}
	for i := range scored {
		if v, ok := s.at(&scored[i]); ok && v.value != nil {
			t := place[scored[i].Simulation.TaskID]
			out[t] = append(out[t], *v.value)
		}
	}
	return out
}
