package results

import (
	"encoding/csv"
	"fmt"
	"io"

	"taste/pyjson"
	"taste/tau"
)

// components are the reward types in the order of their columns.
var components = []tau.RewardType{tau.DB, tau.EnvAssertionReward, tau.ActionReward, tau.Communicate, tau.NLAssertion}

// WriteCSV writes a line a simulation, with what is recorded of it; what is not
// recorded is empty.
func WriteCSV(out io.Writer, r *Results) error {
	w := csv.NewWriter(out)
	head := []string{"domain", "agent", "user", "task_id", "trial", "seed", "simulation_id", "termination_reason", "reward"}
	for _, c := range components {
		head = append(head, string(c))
	}
	head = append(head, "agent_cost", "user_cost", "duration", "messages")
	if err := w.Write(head); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	for i := range r.Simulations {
		if err := w.Write(row(r, &r.Simulations[i])); err != nil {
			return fmt.Errorf("write CSV: %w", err)
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

func row(r *Results, s *Simulation) []string {
	j := s.JSON()
	cell := func(o *pyjson.Object, key string) string {
		v, ok := o.Get(key)
		if !ok || v == nil {
			return ""
		}
		return pyjson.Str(v)
	}
	out := []string{
		r.Info.DomainName, r.Info.Agent.Name(), r.Info.User.Name(), s.TaskID, cell(j, "trial"), cell(j, "seed"), s.ID, s.Termination,
		cell(orEmpty(s.RewardInfo), "reward"),
	}
	v, _ := orEmpty(s.RewardInfo).Get("reward_breakdown")
	breakdown, _ := v.(*pyjson.Object)
	for _, c := range components {
		out = append(out, cell(breakdown, string(c)))
	}
	return append(out, cell(j, "agent_cost"), cell(j, "user_cost"), cell(j, "duration"), fmt.Sprint(len(s.Messages)))
}
