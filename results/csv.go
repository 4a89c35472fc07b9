package results

import (
	"encoding/csv"
	"fmt"
	"io"

	"taste/eval"
	"taste/pyjson"
	"taste/tau"
)

// components are the reward types in the order of their columns.
var components = []tau.RewardType{tau.DB, tau.EnvAssertionReward, tau.ActionReward, tau.Communicate, tau.NLAssertion}

// WriteCSV writes a line a simulation: what is recorded of it, and the strict
// reward and its reason by the scores, which are those of the simulations in
// order and may lack a Score. What is not known is empty.
func WriteCSV(out io.Writer, r *Results, scored []Scored) error {
	w := csv.NewWriter(out)
	head := []string{"domain", "agent", "user", "task_id", "trial", "seed", "simulation_id", "termination_reason", "reward", "strict", "strict_reason"}
	for _, c := range components {
		head = append(head, string(c))
	}
	head = append(head, "agent_cost", "user_cost", "duration", "messages")
	if err := w.Write(head); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	for i := range r.Simulations {
		if err := w.Write(row(r, &r.Simulations[i], scored[i].Score)); err != nil {
			return fmt.Errorf("write CSV: %w", err)
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

func row(r *Results, s *Simulation, score *eval.Score) []string {
	j := s.JSON()
	cell := func(o *pyjson.Object, key string) string {
		v, ok := o.Get(key)
		if !ok || v == nil {
			return ""
		}
		return pyjson.Str(v)
	}
	strict, reason := "", ""
	if score != nil {
		if reason = score.Reason; score.Strict != nil {
			strict = pyjson.Str(*score.Strict)
		}
	}
	out := []string{
		r.Info.DomainName, r.Info.AgentName(), r.Info.User.Name(), s.TaskID, cell(j, "trial"), cell(j, "seed"), s.ID, s.Termination,
		cell(orEmpty(s.RewardInfo), "reward"), strict, reason,
	}
	v, _ := orEmpty(s.RewardInfo).Get("reward_breakdown")
	breakdown, _ := v.(*pyjson.Object)
	for _, c := range components {
		out = append(out, cell(breakdown, string(c)))
	}
	return append(out, cell(j, "agent_cost"), cell(j, "user_cost"), cell(j, "duration"), fmt.Sprint(len(s.Messages)))
}
