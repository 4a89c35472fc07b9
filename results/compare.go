package results

import (
	"errors"
	"maps"
	"slices"

	"taste/chat"
	"taste/eval"
	"taste/pyjson"
	"taste/stats"
)

// Comparison sets two runs side by side, by their recorded rewards, on the tasks
// that both have.
type Comparison struct {
	Tasks      []TaskPair `json:"tasks"`       // that both have, in the first's order
	Other      []string   `json:"other"`       // ids that stand for different tasks: not compared
	OnlyFirst  []string   `json:"only_first"`  // ids
	OnlySecond []string   `json:"only_second"` // ids
	// Pairs are trials of equal task and number that both evaluated.
	Pairs stats.Paired `json:"pairs"`
	// Changed are the trials that one alone succeeds in, in the first's order of
	// tasks.
	Changed []TrialPair `json:"changed"`
	// Difference is that of the shares of successes, second less first, over
	// the tasks that both evaluated; nil for none.
	Difference *stats.Estimate `json:"difference"`
	Detectable *float64        `json:"detectable"` // see Summary; of this paired comparison
}

// TaskPair is one task in both runs.
type TaskPair struct {
	Task   string `json:"task"`
	First  Tally  `json:"first"`
	Second Tally  `json:"second"`
}

// TrialPair is the same trial of a task in both runs.
type TrialPair struct {
	Task   string   `json:"task"`
	Trial  int      `json:"trial"`
	First  *float64 `json:"first"`  // recorded rewards
	Second *float64 `json:"second"` //
	Same   int      `json:"same"`   // messages until the conversations part

	Of [2]*Simulation `json:"-"`
}

// ErrNothingCommon: two runs have no task in common.
var ErrNothingCommon = errors.New("the runs have no task in common")

// Compare compares two runs. The seed makes the interval reproducible.
func Compare(first, second *Results, seed uint64) (*Comparison, error) {
	c := &Comparison{Changed: []TrialPair{}, Other: []string{}, OnlyFirst: []string{}, OnlySecond: []string{}}
	a, err := first.recorded()
	if err != nil {
		return nil, err
	}
	b, err := second.recorded()
	if err != nil {
		return nil, err
	}
	var x, y []bool
	var differences []float64
	in := byID(second.Tasks)
	for i := range first.Tasks {
		t := &first.Tasks[i]
		switch u := in[t.ID]; {
		case u == nil:
			c.OnlyFirst = append(c.OnlyFirst, t.ID)
		case !pyjson.Same(t.Content(), u.Content()):
			c.Other = append(c.Other, t.ID)
		default:
			p := TaskPair{t.ID, a[t.ID].tally(), b[t.ID].tally()}
			c.Tasks = append(c.Tasks, p)
			for _, n := range slices.Sorted(maps.Keys(a[t.ID])) {
				if other, ok := b[t.ID][n]; ok {
					x, y = append(x, a[t.ID][n]), append(y, other)
					if other != a[t.ID][n] {
						c.Changed = append(c.Changed, pairOf(first.simulation(t.ID, n), second.simulation(t.ID, n)))
					}
				}
			}
			if p.First.Evaluated > 0 && p.Second.Evaluated > 0 {
				differences = append(differences, p.Second.share()-p.First.share())
			}
		}
	}
	if len(c.Tasks) == 0 {
		return nil, ErrNothingCommon
	}
	had := byID(first.Tasks)
	for i := range second.Tasks {
		if id := second.Tasks[i].ID; had[id] == nil {
			c.OnlySecond = append(c.OnlySecond, id)
		}
	}
	c.Pairs = stats.Pair(x, y)
	c.estimate(differences, seed)
	return c, nil
}

func (c *Comparison) estimate(differences []float64, seed uint64) {
	if len(differences) == 0 {
		return
	}
	e := stats.NewEstimate(differences, seed)
	c.Difference = &e
	if e.SE != nil {
		c.Detectable = detectable(*e.SE)
	}
}

// trials are the evaluated trials of a task: number → success.
type trials map[int]bool

// recorded collects the recorded rewards by task.
func (r *Results) recorded() (map[string]trials, error) {
	scored := make([]Scored, len(r.Simulations))
	for i := range r.Simulations {
		s := &r.Simulations[i]
		scored[i] = Scored{Simulation: s, Score: &eval.Score{Strict: s.Reward()}}
	}
	if _, err := Table(r, scored, true); err != nil {
		return nil, err
	}
	out := map[string]trials{}
	for i := range r.Simulations {
		s := &r.Simulations[i]
		if out[s.TaskID] == nil {
			out[s.TaskID] = trials{}
		}
		if reward := s.Reward(); reward != nil && s.Termination != eval.Infrastructure {
			out[s.TaskID][*s.Trial] = stats.Success(*reward)
		}
	}
	return out, nil
}

// simulation is the one of a task's trial, which is there.
func (r *Results) simulation(task string, trial int) *Simulation {
	i := slices.IndexFunc(r.Simulations, func(s Simulation) bool { return s.TaskID == task && s.Trial != nil && *s.Trial == trial })
	return &r.Simulations[i]
}

func pairOf(a, b *Simulation) TrialPair {
	p := TrialPair{Task: a.TaskID, Trial: *a.Trial, First: a.Reward(), Second: b.Reward(), Of: [2]*Simulation{a, b}}
	for p.Same < min(len(a.Messages), len(b.Messages)) && sameMessage(&a.Messages[p.Same], &b.Messages[p.Same]) {
		p.Same++
	}
	return p
}

// sameMessage compares what is said, called and answered, not ids, times and
// costs.
func sameMessage(a, b *chat.Message) bool {
	if a.Role != b.Role || a.Body() != b.Body() || a.Error != b.Error || len(a.ToolCalls) != len(b.ToolCalls) || len(a.ToolMessages) != len(b.ToolMessages) {
		return false
	}
	for i := range a.ToolCalls {
		x, y := &a.ToolCalls[i], &b.ToolCalls[i]
		if x.Name != y.Name || x.Owner() != y.Owner() || !pyjson.Same(x.Args(), y.Args()) {
			return false
		}
	}
	for i := range a.ToolMessages {
		if !sameMessage(&a.ToolMessages[i], &b.ToolMessages[i]) {
			return false
		}
	}
	return true
}

func (t trials) tally() Tally {
	c := Tally{Evaluated: len(t)}
	for _, success := range t {
		if success {
			c.Successes++
		}
	}
	return c
}

func (t Tally) share() float64 { return float64(t.Successes) / float64(t.Evaluated) }
