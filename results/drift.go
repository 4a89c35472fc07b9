package results

import (
	"fmt"

	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// Drift is how the benchmark of today differs from the one that results were
// made on.
type Drift struct {
	TaskSet string      // the set of the pack that the tasks are compared with; "" for none
	Policy  bool        // the agent's policy is another one
	Tasks   []TaskDrift // in the order of the file
	Unknown []string    // ids of tasks that the set lacks
}

// TaskDrift is how one task differs.
type TaskDrift struct {
	Task   string
	Fields []string // "field: in the file → today"
}

// Any says whether anything differs.
func (d *Drift) Any() bool { return d.Policy || len(d.Tasks) > 0 || len(d.Unknown) > 0 }

// DriftFrom compares the tasks that a file holds with those of today: of the
// given sets with the one that most of them are equal to, the first of several.
// A file without a policy is compared by its tasks alone.
func (r *Results) DriftFrom(d *env.Domain, sets []string, tasks func(set string) ([]tau.Task, error)) (*Drift, error) {
	out := &Drift{Policy: r.Info.Policy != "" && !d.Has(r.Info.Policy)}
	best := -1
	for _, set := range sets {
		today, err := tasks(set)
		if err != nil {
			return nil, fmt.Errorf("read task set %s: %w", set, err)
		}
		differ, unknown := r.against(byID(today))
		if equal := len(r.Tasks) - len(differ) - len(unknown); equal > best {
			best, out.TaskSet, out.Tasks, out.Unknown = equal, set, differ, unknown
		}
	}
	return out, nil
}

func (r *Results) against(today map[string]*tau.Task) (differ []TaskDrift, unknown []string) {
	for i := range r.Tasks {
		t := &r.Tasks[i]
		now := today[t.ID]
		if now == nil {
			unknown = append(unknown, t.ID)
			continue
		}
		if fields := pyjson.Diff("", t.Content(), now.Content(), pyjson.Same); len(fields) > 0 {
			differ = append(differ, TaskDrift{t.ID, fields})
		}
	}
	return differ, unknown
}
