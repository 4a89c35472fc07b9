package trials

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"taste/env"
	"taste/eval"
	"taste/pyjson"
	"taste/results"
	"taste/run"
	"taste/tau"
)

// Log is a system's directory, held by this process until Close. It is safe for
// concurrent use.
type Log struct {
	System   System
	settings Settings
	solo     bool
	tasks    []*prepared
	dir      *run.Dir

	mu      sync.Mutex
	lines   *run.Lines
	synced  time.Time
	made    map[key]*results.Simulation // that ended
	faults  map[key]*results.Simulation // that a fault broke off, the last of each
	spent   Spent
	stopped error // no more simulations of this system make sense
}

// key names a simulation.
type key struct {
	task  string
	trial int
}

// prepared is a task ready to be played and scored.
type prepared struct {
	*tau.Task
	seeds  seeds
	start  *env.Environment
	scorer *eval.Scorer
}

// ErrTask says that a task cannot be played.
var ErrTask = errors.New("the task cannot be played")

// ErrJournal says that a journal does not fit its plan.
var ErrJournal = errors.New("the journal is not of this plan")

// Open makes a system's directory, or takes up the one that is there if it is of
// an equal plan; more trials of each task are fine. A *run.DifferentError names
// what differs. What cannot be played is refused: errors wrap ErrTask or
// players.ErrUnfit.
func Open(path string, s System, c Settings) (*Log, error) {
	l, err := newLog(s, c)
	if err != nil {
		return nil, err
	}
	if err := l.open(path); err != nil {
		return nil, err
	}
	return l, nil
}

// newLog makes a system's tasks ready, and nothing on the disk.
func newLog(s System, c Settings) (*Log, error) {
	l := &Log{System: s, settings: c, solo: s.Agents.Info().Solo, made: map[key]*results.Simulation{}, faults: map[key]*results.Simulation{}}
	return l, l.prepare()
}

// open makes or takes up the directory.
func (l *Log) open(path string) error {
	p := plan(&l.System, &l.settings)
	dir, err := run.Take(path, PlanFile, *p, p.grown)
	if err != nil {
		return err
	}
	if l.lines, err = run.OpenLines(dir, JournalFile, l.recall); err != nil {
		return errors.Join(err, dir.Close())
	}
	l.dir = dir
	return nil
}

// prepare makes the tasks ready, which costs nothing but time.
func (l *Log) prepare() error {
	d := l.System.Domain
	who := l.System.Agents.Info().Fingerprint + " " + l.System.Users.Info().Fingerprint
	seen := map[string]bool{}
	var unfit []error
	for i := range l.System.Tasks {
		t := &l.System.Tasks[i]
		if seen[t.ID] {
			return fmt.Errorf("task %s: %w: it occurs twice", t.ID, ErrTask)
		}
		seen[t.ID] = true
		if err := errors.Join(l.System.Agents.Fits(t), l.System.Users.Fits(t)); err != nil {
			unfit = append(unfit, err)
			continue
		}
		start := d.Environment()
		if err := start.SetState(t.InitialState); err != nil {
			return fmt.Errorf("task %s: %w: %w", t.ID, ErrTask, err)
		}
		start.Freeze()
		l.tasks = append(l.tasks, &prepared{t, seeds{l.settings.Seed, t.ID, who}, start, eval.NewScorer(l.System.Domain, t)})
	}
	if len(unfit) > 0 {
		return fmt.Errorf("%d of %d tasks cannot be played, the first: %w", len(unfit), len(l.System.Tasks), unfit[0])
	}
	return nil
}

// recall takes a line of the journal.
func (l *Log) recall(line []byte) error {
	s, err := readLine(line)
	if err != nil {
		return err
	}
	return l.keep(&s)
}

// keep files a simulation, which has to be one of the plan's.
func (l *Log) keep(s *results.Simulation) error {
	if s.Trial == nil || s.Seed == nil {
		return fmt.Errorf("%w: simulation %s has no trial or seed", ErrJournal, s.ID)
	}
	k := key{s.TaskID, *s.Trial}
	t := l.task(k.task)
	switch {
	case t == nil || k.trial < 0 || k.trial >= l.settings.Trials:
		return fmt.Errorf("%w: task %s, trial %d", ErrJournal, k.task, k.trial)
	case uint64(*s.Seed) != t.seeds.of(k.trial):
		return fmt.Errorf("%w: task %s, trial %d has another seed", ErrJournal, k.task, k.trial)
	case l.made[k] != nil:
		return fmt.Errorf("%w: task %s, trial %d occurs twice", ErrJournal, k.task, k.trial)
	}
	l.spent.add(s)
	if s.Termination == eval.Infrastructure {
		l.faults[k] = s
		return nil
	}
	l.spent.Simulations++
	l.made[k] = s
	delete(l.faults, k)
	return nil
}

func (l *Log) task(id string) *prepared {
	for _, t := range l.tasks {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// add appends a simulation that ended at now to the journal and files it.
func (l *Log) add(s *results.Simulation, now time.Time) error {
	line := append(pyjson.Append(nil, s.JSON(), pyjson.UTF8), '\n')
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.lines.Append(line); err != nil {
		return err
	}
	if err := l.keep(s); err != nil {
		return err
	}
	if now.Sub(l.synced) < time.Second { // of what a power failure may cost
		return nil
	}
	l.synced = now
	return l.lines.Sync()
}

// stop gives the system up: why is a fault that all its simulations will meet.
func (l *Log) stop(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped == nil {
		l.stopped = why
	}
}

// givenUp is why the system was given up; nil: it was not.
func (l *Log) givenUp() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stopped
}

// Count says how many simulations are planned, have ended, and are missing for a
// fault of the machinery.
func (l *Log) Count() (planned, made, faults int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.tasks) * l.settings.Trials, len(l.made), len(l.faults)
}

// Spent is what the simulations have cost.
func (l *Log) Spent() Spent {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spent
}

// Path returns the directory's path.
func (l *Log) Path() string { return l.dir.Path() }

// Close lets go of the directory.
func (l *Log) Close() error { return errors.Join(l.lines.Close(), l.dir.Close()) }
