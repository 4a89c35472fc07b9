package results

import (
	"fmt"

	"taste/eval"
	"taste/stats"
)

// Table counts the trials of scored simulations: by the rewards of compat, or
// strict ones. Errors are those of stats.NewTable, and of simulations without a
// trial number.
func Table(r *Results, scored []Scored, strict bool) (*stats.Table, error) {
	ids := make([]string, len(r.Tasks))
	for i := range r.Tasks {
		ids[i] = r.Tasks[i].ID
	}
	made := make([]stats.Trial, len(scored))
	for i := range scored {
		s := &scored[i]
		if s.Simulation.Trial == nil {
			return nil, fmt.Errorf("count trials: simulation %s of task %s has no trial number", s.Simulation.ID, s.Simulation.TaskID)
		}
		made[i] = stats.Trial{Task: s.Simulation.TaskID, Number: *s.Simulation.Trial, Fault: s.Simulation.Termination == eval.Infrastructure, Reward: s.reward(strict)}
	}
	t, err := stats.NewTable(ids, r.Info.NumTrials, made)
	if err != nil {
		return nil, fmt.Errorf("count trials: %w", err)
	}
	return t, nil
}

// reward is that of a mode; nil where it has none.
func (s *Scored) reward(strict bool) *float64 {
	if strict {
		return s.Score.Strict
	}
	if r, ok := s.Score.CompatReward(); ok {
		return &r
	}
	return nil
}
