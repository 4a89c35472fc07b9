package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"taste/results"
	"taste/tau"
	"taste/trials"
)

// viewable is what a path names: results, or tasks.
type viewable struct {
	path    string
	results *results.Results
	tasks   []tau.Task
	plan    *trials.Plan // of an evaluation's results; nil: unknown

	unfinished bool // what an evaluation has made so far
}

// openViews reads what a path names; a folder of several systems has several.
func openViews(path string) ([]viewable, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return openView(path)
	}
	there := func(name string) bool { _, err := os.Stat(filepath.Join(path, name)); return err == nil }
	switch {
	case there(trials.ResultsFile):
		return openView(path)
	case there("tasks.json"):
		return openView(filepath.Join(path, "tasks.json"))
	case there(trials.JournalFile):
		r, err := trials.Peek(path)
		return []viewable{{path: path + " (so far)", results: r, unfinished: true}}, err
	}
	var out []viewable
	inside, err := filepath.Glob(filepath.Join(path, "*", trials.PlanFile))
	if more, _ := filepath.Glob(filepath.Join(path, "*", trials.ResultsFile)); err == nil && len(inside) == 0 {
		inside = more
	}
	for _, file := range inside {
		one, err := openViews(filepath.Dir(file))
		if err != nil {
			return nil, err
		}
		out = append(out, one...)
	}
	if err == nil && len(out) == 0 {
		err = usage(fmt.Errorf("view %s: neither results nor tasks: %w", path, fs.ErrNotExist), "give a results file or folder, the directory of an evaluation or of a run, or a task file")
	}
	return out, err
}

func openView(path string) ([]viewable, error) {
	r, err := results.Load(path)
	if err == nil {
		plan, err := planOf(path)
		return []viewable{{path: path, results: r, plan: plan}}, err
	}
	if tasks, other := tau.LoadTasks(path); other == nil {
		return []viewable{{path: path, tasks: tasks}}, nil
	}
	return nil, usage(err, "give a results file or folder, the directory of an evaluation or of a run, or a task file")
}

// openResults reads the finished results of one system.
func openResults(path string) (*viewable, error) {
	r, err := loadResults(path)
	if err != nil {
		return nil, err
	}
	plan, err := planOf(path)
	return &viewable{path: path, results: r, plan: plan}, err
}

// planOf reads the plan of an evaluation's results, nil where there is none.
func planOf(path string) (*trials.Plan, error) {
	plan, err := trials.ReadPlan(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	return plan, err
}

// scoresOf scores anew where there is a world to do it on, else it takes the
// record.
func (a *app) scoresOf(ctx context.Context, f *viewFlags, v *viewable) ([]results.Scored, error) {
	r := v.results
	world, why, err := f.world(v)
	if err != nil {
		return nil, err
	}
	if world == nil {
		if why != "" {
			fmt.Fprintf(a.log, "view: %s: scores are the recorded ones: %s\n", v.path, why)
		}
		return recordedScores(r), nil
	}
	return (&results.Rescorer{Domain: world.domain, Recorded: true, Workers: runtime.GOMAXPROCS(0)}).Run(ctx, r)
}

func recordedScores(r *results.Results) []results.Scored {
	out := make([]results.Scored, len(r.Simulations))
	for i := range r.Simulations {
		out[i] = results.Scored{Simulation: &r.Simulations[i], Recorded: r.Simulations[i].Reward()}
	}
	return out
}

// world finds what to score on; nil and why there is nothing.
func (f *viewFlags) world(v *viewable) (w *world, why string, err error) {
	info := &v.results.Info
	_, unknown := findBuiltin(info.DomainName)
	switch {
	case f.recorded:
		return nil, "", nil
	case v.unfinished:
		return nil, "the evaluation has not ended", nil
	case len(f.worlds.packs) == 0 && unknown != nil:
		return nil, fmt.Sprintf("domain %s has no built-in world, and no --pack is given", info.DomainName), nil
	}
	if w, err = f.worlds.of(info.DomainName); err != nil {
		return nil, "", err
	}
	switch {
	case v.plan != nil && v.plan.Domain.Database != w.domain.Environment().Hash():
		return nil, "the simulations ran on another database, which --pack or --world-seed may name", nil
	case w.foreign(v.results):
		return nil, "the policy is not that of the built-in world; --pack may name the right one", nil
	}
	return w, "", nil
}
