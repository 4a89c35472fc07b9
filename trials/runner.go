package trials

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"taste/eval"
	"taste/llm"
	"taste/sim"
)

// Runner makes the simulations that are missing.
type Runner struct {
	Workers  int        // simulations under way at once, at least 1
	Judge    eval.Judge // of assertions in words; nil: what rests on them is unscored
	Budget   Budget
	Now      func() time.Time
	Observer Observer // nil: nobody watches
}

// Observer is told of simulations, one call at a time.
type Observer interface {
	// Began tells of a simulation that is under way, of the system of that index.
	Began(system int, task string, trial int)
	// Ended tells what became of it.
	Ended(system int, o *Outcome)
}

// errDeadline is the cause of a context that ends with the budget's time.
var errDeadline = fmt.Errorf("%w: time is up", ErrBudget)

// job is one simulation to make.
type job struct {
	system int
	task   *prepared
	trial  int
}

// Run makes all simulations that are planned and have not ended: the first trials
// of all tasks, then the second. A fault of the machinery leaves one missing; one
// that all of a system's simulations will meet (sim.ErrHopeless) ends the work for
// that system and is returned. ErrBudget is wrapped where a cap ended the work, be
// it one that models share (llm.OverBudget). If
// ctx ends, what is under way is lost.
func (r *Runner) Run(ctx context.Context, logs []*Log) error {
	if r.Budget.Time > 0 {
		timed, cancel := context.WithTimeoutCause(ctx, r.Budget.Time, errDeadline)
		defer cancel()
		ctx = timed
	}
	w := &work{Runner: r, logs: logs}
	jobs, capped := w.within(w.missing())
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, r.Workers))
	for _, j := range jobs {
		group.Go(func() error { return w.do(ctx, j) })
		if ctx.Err() != nil {
			break
		}
	}
	err := errors.Join(group.Wait(), w.over, capped)
	if errors.Is(context.Cause(ctx), errDeadline) {
		err = errDeadline
	}
	for _, l := range logs {
		err = errors.Join(err, l.givenUp())
	}
	return err
}

// work is what Run does.
type work struct {
	*Runner
	logs []*Log
	mu   sync.Mutex
	over error // the cap that ends the work
}

// missing lists what is to be made, trial by trial.
func (w *work) missing() []job {
	var out []job
	most := 0
	for _, l := range w.logs {
		most = max(most, l.settings.Trials)
	}
	for trial := range most {
		for i, l := range w.logs {
			for _, t := range l.tasks {
				if trial < l.settings.Trials && l.made[key{t.ID, trial}] == nil {
					out = append(out, job{i, t, trial})
				}
			}
		}
	}
	return out
}

// within keeps as many of the jobs as the budget has simulations left for.
func (w *work) within(jobs []job) ([]job, error) {
	left := w.Budget.Simulations - w.spent().Simulations
	if w.Budget.Simulations == 0 || left >= len(jobs) {
		return jobs, nil
	}
	return jobs[:max(0, left)], fmt.Errorf("%w: %d simulations", ErrBudget, w.Budget.Simulations)
}

// do makes one simulation. Its error ends the work.
func (w *work) do(ctx context.Context, j job) error {
	l := w.logs[j.system]
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if l.givenUp() != nil || !w.affords() {
		return nil
	}
	w.watch(func(o Observer) { o.Began(j.system, j.task.ID, j.trial) })
	s, o, err := w.play(ctx, l, j.task, j.trial)
	if err != nil {
		return err
	}
	if err := l.add(s, w.Now()); err != nil {
		return err
	}
	switch {
	case llm.ClassOf(o.Fault) == llm.OverBudget:
		w.end(fmt.Errorf("%w: %w", ErrBudget, o.Fault))
	case errors.Is(o.Fault, sim.ErrHopeless):
		l.stop(o.Fault)
	}
	w.watch(func(obs Observer) { obs.Ended(j.system, o) })
	return nil
}

// affords tells whether one more simulation may begin.
func (w *work) affords() bool {
	spent := w.spent()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over == nil {
		w.over = w.Budget.exceeded(spent)
	}
	return w.over == nil
}

// end lets no more simulations begin.
func (w *work) end(why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = cmp.Or(w.over, why)
}

// spent is what all systems have cost.
func (w *work) spent() (sum Spent) {
	for _, l := range w.logs {
		sum.plus(l.Spent())
	}
	return sum
}

// watch tells the observer something.
func (w *work) watch(tell func(Observer)) {
	if w.Observer == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	tell(w.Observer)
}
