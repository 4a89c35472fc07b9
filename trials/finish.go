package trials

import (
	"context"
	"path/filepath"

	"taste/eval"
	"taste/results"
)

// Results are all simulations so far, faults included, in the order of tasks and
// trials.
func (l *Log) Results() *results.Results {
	l.mu.Lock()
	defer l.mu.Unlock()
	agent, user := l.System.Agents.Info(), l.System.Users.Info()
	seed := int(l.settings.Seed)
	r := &results.Results{
		Info: results.Info{
			GitCommit: l.settings.Program, NumTrials: l.settings.Trials, MaxSteps: l.settings.Limits.Steps, MaxErrors: l.settings.Limits.Errors,
			Agent: agent.Party, User: user.Party, DomainName: l.System.Domain.Name, Policy: l.System.Domain.Policy, Seed: &seed,
		},
		Tasks: l.System.Tasks,
	}
	for _, t := range l.tasks {
		for trial := range l.settings.Trials {
			s := l.made[key{t.ID, trial}]
			if s == nil {
				s = l.faults[key{t.ID, trial}]
			}
			if s != nil {
				r.Simulations = append(r.Simulations, *s)
			}
		}
	}
	r.Timestamp = first(r.Simulations)
	return r
}

// first is the time at which the first simulation began.
func first(all []results.Simulation) *string {
	var out *string
	for i := range all {
		if t := &all[i].StartTime; out == nil || *t < *out {
			out = t
		}
	}
	return out
}

// Finish scores all simulations so far by replaying them, asks the judge where
// its word is wanted and still missing, and writes the results file.
func (r *Runner) Finish(ctx context.Context, l *Log) (*results.Results, []results.Scored, error) {
	all := l.Results()
	s := &results.Rescorer{Domain: l.System.Domain, Recorded: true, Judge: r.Judge, Workers: r.Workers}
	scored, err := s.Run(ctx, all)
	if err != nil {
		return nil, nil, err
	}
	written := results.WithScores(all, scored)
	for i := range written.Simulations {
		if w := &written.Simulations[i]; w.Termination == eval.Infrastructure {
			w.RewardInfo = nil
		}
	}
	return written, scored, results.Replace(filepath.Join(l.Path(), ResultsFile), written)
}
