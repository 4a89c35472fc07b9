package results

import (
	"maps"
	"slices"

	"taste/eval"
	"taste/stats"
)

// Summary is what a scored run comes to.
type Summary struct {
	Domain      string         `json:"domain"`
	Agent       string         `json:"agent"`
	User        string         `json:"user"`
	Comparable  bool           `json:"comparable_with_tau2"` // false where rules played the user: τ²-bench's is a language model
	Simulations int            `json:"simulations"`
	Compat      []stats.Passes `json:"compat"` // by convention
	Strict      stats.Passes   `json:"strict"` // convention planned
	// Detectable is the difference in strict pass^1 that another system of the
	// same spread on the same tasks needs to be told apart (5 %, power 80 %);
	// nil below two tasks with evaluated trials, and where these are all alike.
	Detectable *float64 `json:"detectable"`
	ByTask     []ByTask `json:"by_task"`
	Broken     []Count  `json:"broken"`   // endings other than by a goodbye
	Open       []Count  `json:"open"`     // reasons for open strict scores
	Differs    []Count  `json:"differs"`  // reasons for which the modes differ
	Changed    int      `json:"changed"`  // simulations whose record does not come out again
	Departed   int      `json:"departed"` // simulations with answers that are no longer given
}

// rulesUser is the implementation of users that rules play.
const rulesUser = "rules"

// ByTask is one task's share.
type ByTask struct {
	Task   string `json:"task"`
	Made   int    `json:"made"`
	Compat Tally  `json:"compat"`
	Strict Tally  `json:"strict"`
}

// Tally counts trials with a reward, and successes among them.
type Tally struct {
	Evaluated int `json:"evaluated"`
	Successes int `json:"successes"`
}

// Count is how often something holds.
type Count struct {
	What  string `json:"what"`
	Count int    `json:"count"`
}

// Summarize counts. The seed makes the intervals reproducible. Errors are those
// of Table.
func Summarize(r *Results, scored []Scored, seed uint64) (*Summary, error) {
	compat, err := Table(r, scored, false)
	if err != nil {
		return nil, err
	}
	strict, err := Table(r, scored, true)
	if err != nil {
		return nil, err
	}
	s := &Summary{
		Domain: r.Info.DomainName, Agent: r.Info.AgentName(), User: r.Info.User.Name(), Comparable: r.Info.User.Implementation != rulesUser, Simulations: len(scored),
		Strict: strict.PassHat(stats.Planned, seed),
	}
	for _, c := range stats.Conventions {
		s.Compat = append(s.Compat, compat.PassHat(c, seed))
	}
	if len(s.Strict.Pass) > 0 && s.Strict.Pass[0].SE != nil {
		s.Detectable = detectable(stats.Unpaired(*s.Strict.Pass[0].SE))
	}
	s.count(scored)
	made := map[string]int{}
	for i := range scored {
		made[scored[i].Simulation.TaskID]++
	}
	for i := range r.Tasks {
		b := ByTask{Task: r.Tasks[i].ID, Made: made[r.Tasks[i].ID]}
		b.Compat.Evaluated, b.Compat.Successes = compat.Task(i)
		b.Strict.Evaluated, b.Strict.Successes = strict.Task(i)
		s.ByTask = append(s.ByTask, b)
	}
	return s, nil
}

// detectable is what can be told with that standard error, nil for nothing.
func detectable(se float64) *float64 {
	if d, ok := stats.Detectable(se); ok {
		return &d
	}
	return nil
}

func (s *Summary) count(scored []Scored) {
	broken, open, differs := map[string]int{}, map[string]int{}, map[string]int{}
	for i := range scored {
		x := &scored[i]
		if end := x.Simulation.Termination; !eval.Finished(end) {
			broken[end]++
		}
		if x.Score.Strict == nil {
			open[x.Score.Reason]++
		}
		for _, d := range x.Score.Differs {
			differs[d]++
		}
		if len(x.Changed) > 0 {
			s.Changed++
		}
		if len(x.Score.Drift) > 0 {
			s.Departed++
		}
	}
	s.Broken, s.Open, s.Differs = counts(broken), counts(open), counts(differs)
}

// counts sorts by number, then by name.
func counts(m map[string]int) []Count {
	out := []Count{}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Count{k, m[k]})
	}
	slices.SortStableFunc(out, func(a, b Count) int { return b.Count - a.Count })
	return out
}
