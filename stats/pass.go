package stats

import (
	"errors"
	"fmt"
	"math"
)

// PassHat is pass^k of one task: the probability that k trials, drawn without
// replacement from n of which c succeeded, all succeed: C(c,k)/C(n,k) (Yao et
// al. 2024, "τ-bench"). ok is false where k is not in 1 … n.
func PassHat(n, c, k int) (p float64, ok bool) {
	if k < 1 || k > n {
		return 0, false
	}
	p = 1
	for i := range k {
		p *= float64(max(0, c-i)) / float64(n-i)
	}
	return p, true
}

// Success tells whether a reward counts as success: it is 1 but for rounding.
func Success(reward float64) bool { return math.Abs(reward-1) <= 1e-6 }

// Trial is one trial of a task that was made.
type Trial struct {
	Task   string
	Number int      // from 0
	Reward *float64 // nil: not evaluated
	Fault  bool     // ended by a fault of the infrastructure
}

// Table is the trials of a run, by task.
type Table struct {
	tasks   []outcomes
	trials  int // planned, of each task
	numbers int // different trial numbers that were made
}

// outcomes counts the trials of one task.
type outcomes struct {
	made      int
	faults    int
	evaluated int // with a reward, faults aside
	successes int // of these
}

// Errors of tables.
var (
	ErrDuplicate = errors.New("the same trial of a task occurs twice")
	ErrStranger  = errors.New("a trial of a task that the run does not have")
	ErrNegative  = errors.New("trials are numbered from 0")
)

// NewTable counts trials of the tasks that a run planned to make, trials of
// each; where more were made, as many count as planned.
func NewTable(tasks []string, trials int, made []Trial) (*Table, error) {
	t := &Table{tasks: make([]outcomes, len(tasks)), trials: trials}
	at := make(map[string]int, len(tasks))
	for i, id := range tasks {
		at[id] = i
	}
	seen, numbers := map[Trial]bool{}, map[int]bool{}
	for _, m := range made {
		i, ok := at[m.Task]
		key := Trial{Task: m.Task, Number: m.Number}
		switch {
		case !ok:
			return nil, fmt.Errorf("%w: task %s", ErrStranger, m.Task)
		case m.Number < 0:
			return nil, fmt.Errorf("%w: task %s has trial %d", ErrNegative, m.Task, m.Number)
		case seen[key]:
			return nil, fmt.Errorf("%w: task %s, trial %d", ErrDuplicate, m.Task, m.Number)
		}
		seen[key], numbers[m.Number] = true, true
		t.trials = max(t.trials, m.Number+1)
		t.tasks[i].add(&m)
	}
	t.numbers = len(numbers)
	return t, nil
}

func (o *outcomes) add(m *Trial) {
	o.made++
	switch {
	case m.Fault:
		o.faults++
	case m.Reward != nil:
		o.evaluated++
		if Success(*m.Reward) {
			o.successes++
		}
	}
}

// Convention says what becomes of trials that have no score.
type Convention string

// The conventions.
const (
	// Planned is pass^k over all planned trials, those without a score counted
	// as failed, with bounds.
	Planned Convention = "planned"
	// V1 is τ-bench's: what ended in an exception counts as failed; trials and
	// tasks that were never begun are unknown to it.
	V1 Convention = "v1"
	// V2 is τ²-bench's: faults of the infrastructure are left out, tasks
	// without a scored trial too, and k goes as far as every task has trials.
	V2 Convention = "v2"
)

// Conventions are all of them, in the order in which they are reported.
var Conventions = []Convention{Planned, V2, V1}

// Passes is pass^k of a run under one convention.
type Passes struct {
	Convention Convention `json:"convention"`
	Tasks      int        `json:"tasks"`   // that count
	Planned    int        `json:"planned"` // trials
	Evaluated  int        `json:"evaluated"`
	Missing    int        `json:"missing"`
	Pass       []PassK    `json:"pass"` // by k, from 1 to the trials planned of a task
}

// PassK is pass^k for one k.
type PassK struct {
	K     int      `json:"k"`
	Value *float64 `json:"value"` // mean over tasks; nil where k exceeds the trials
	// Bounds: what it would be with all missing trials failed, and with all
	// successful. Of convention Planned only.
	Worst *float64 `json:"worst,omitempty"`
	Best  *float64 `json:"best,omitempty"`
	// SE is the standard error with tasks as clusters, Low and High a 95 %
	// interval by resampling tasks, see Estimate. They are of the evaluated
	// trials, on tasks that have k of them: what is missing says nothing of how
	// tasks differ, and is what the bounds are for.
	SE   *float64 `json:"se"`
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// PassHat computes pass^k for each k up to the trials planned of a task. The seed
// makes the intervals reproducible.
func (t *Table) PassHat(c Convention, seed uint64) Passes {
	p := Passes{Convention: c, Planned: len(t.tasks) * t.trials}
	for _, o := range t.tasks {
		p.Evaluated += o.evaluated
	}
	p.Missing = p.Planned - p.Evaluated
	counted := t.counted(c)
	p.Tasks = len(counted)
	for k := 1; k <= t.trials; k++ {
		p.Pass = append(p.Pass, passAt(counted, k, c == Planned, seed))
	}
	return p
}

// sample is what pass^k is computed from: n trials of a task, c successes and
// open ones that may have been successes.
type sample struct{ n, c, open int }

// counted returns the tasks that count under a convention.
func (t *Table) counted(c Convention) []sample {
	var out []sample
	for _, o := range t.tasks {
		switch {
		case c == Planned:
			out = append(out, sample{t.trials, o.successes, t.trials - o.evaluated})
		case c == V1 && o.made > 0:
			out = append(out, sample{t.numbers, o.successes, 0})
		case c == V2 && o.evaluated > 0:
			out = append(out, sample{o.evaluated, o.successes, 0})
		}
	}
	return out
}

func passAt(tasks []sample, k int, bounds bool, seed uint64) PassK {
	p := PassK{K: k}
	var values, best, seen []float64
	for _, s := range tasks {
		v, ok := PassHat(s.n, s.c, k)
		if !ok {
			return p
		}
		b, _ := PassHat(s.n, s.c+s.open, k)
		values, best = append(values, v), append(best, b)
		if v, ok := PassHat(s.n-s.open, s.c, k); ok {
			seen = append(seen, v)
		}
	}
	if len(values) == 0 {
		return p
	}
	value, high := mean(values), mean(best)
	p.Value = &value
	if bounds {
		p.Worst, p.Best = &value, &high
	}
	if len(seen) > 0 {
		e := NewEstimate(seen, seed+uint64(k))
		p.SE, p.Low, p.High = e.SE, e.Low, e.High
	}
	return p
}

// Task returns how many trials of the i-th task have a reward, faults aside, and
// how many of these are successes.
func (t *Table) Task(i int) (evaluated, successes int) {
	return t.tasks[i].evaluated, t.tasks[i].successes
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
