package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"taste/role"
	"taste/rules"
	"taste/run"
	"taste/synth"
	"taste/tau"
)

// evolveFlags are those of `taste evolve`.
type evolveFlags struct {
	validateFlags
	cast   castFlags
	work   workFlags
	seed   uint64
	rounds int
}

func (a *app) evolveCommand() *cobra.Command {
	var f evolveFlags
	c := &cobra.Command{
		Use: "evolve RUN | evolve TASKS --out DIR", Short: "Stage 4: make tasks harder whose gold stays as it is",
		Long: `Evolve adds to each task what makes it hard: a customer who insists, misspeaks,
makes false claims, calls for a supervisor or keeps things back, and records that
look alike. Each such trap is proven: an agent with the skill that it tests earns
the reward, one without it does not, and without the trap it does. Where too few
can be proven a task is worded anew with mild adversity, or stays as it is;
tasks_meta.json says which and why.

Without --out it does the fourth stage of a run directory. With --out it writes
the tasks of any file or run to another folder. Of prose that is none of the
program's own, evolve infers from gold what the customer wants, leaves the words
as they are and adds to them: wishes that the policy refuses, or, where faults are
repaired, how the customer goes about that. A task whose gold it cannot explain
stays as it is. What counts is the reward that the task has by itself. The folder
appears whole; the same command goes on where it was interrupted or killed.`,
		Args: positional(1, 1, "a run directory or a task file"),
	}
	fs := c.Flags()
	f.source.add(fs)
	f.cast.add(fs)
	f.work.add(fs)
	fs.StringVar(&f.domain, "domain", "", "domain of the tasks (default: that of their run, their pack or the tasks themselves)")
	fs.StringVar(&f.work.out, "out", "", "folder for the harder tasks, new or empty")
	fs.StringVar(&f.split, "split", "", "take the tasks of this split alone; the splits are those of the folder that a file lies in, else of --pack; with --out")
	seedVar(fs, &f.seed, "seed", "seed of everything that is drawn; with --out")
	fs.IntVar(&f.rounds, "wordings", synth.DefaultEvolveSettings().Rounds, "wordings tried to make a task harder, at each level; with --out")
	c.RunE = func(c *cobra.Command, args []string) error {
		if f.work.out != "" {
			if given := f.cast.flags(); given != "" {
				return usage(fmt.Errorf("--%s with --out: rules make the tasks of others harder", given), "leave it out, or name a run directory without --out")
			}
			return a.evolveTasks(c.Context(), &f, args[0])
		}
		if info, err := os.Stat(args[0]); err == nil && !info.IsDir() {
			return usage(fmt.Errorf("evolve %s: a task file, and --out is missing", args[0]), "give --out DIR, a new or empty folder for the harder tasks")
		}
		return a.evolveRun(c.Context(), &f, args[0])
	}
	return c
}

// evolveRun does the fourth stage of a run.
func (a *app) evolveRun(ctx context.Context, f *evolveFlags, path string) error {
	for _, flag := range []string{"seed", "wordings", "split", "world-seed", "seed-tasks"} {
		if f.source.given(flag) {
			return usage(fmt.Errorf("--%s: the run directory says that itself", flag), "leave it out, or give --out DIR")
		}
	}
	s, err := a.resume(path, &continueFlags{source: f.source, cast: f.cast, work: f.work})
	if err != nil {
		return err
	}
	return s.close(a.evolve(ctx, s, f.work.machine))
}

// evolveTasks makes the tasks of any origin harder.
func (a *app) evolveTasks(ctx context.Context, f *evolveFlags, path string) error {
	settings := synth.EvolveSettings{Rounds: f.rounds}
	if err := errors.Join(settings.Validate(), f.work.check()); err != nil {
		return usage(err, "`taste evolve --help` lists the flags")
	}
	if err := outFolder("out", f.work.out); err != nil {
		return err
	}
	o, err := findOrigin(path)
	if err != nil {
		return err
	}
	if base := filepath.Join(o.dir, run.BaseTasksFile); o.run != nil && filepath.Base(o.file) == run.TasksFile {
		o.file = base
	}
	tasks, err := o.some(f.source.given("split"), f.split, f.source.pack)
	if err != nil {
		return err
	}
	src, err := a.world(&f.validateFlags, o, tasks)
	if err == nil {
		err = fits(src, o, tasks)
	}
	if err != nil {
		return err
	}
	m, err := hardManifest(src, tasks, f.seed, settings)
	if err != nil {
		return err
	}
	r, metas, err := run.Hardened(f.work.out, m) // nil unless a run that was killed in the end had written it
	if r == nil && err == nil {
		if err = a.harden(ctx, src, m, tasks, f.work); err == nil {
			r, metas, err = run.Hardened(f.work.out, m)
		}
	}
	if err != nil {
		return err
	}
	return a.hardened(r, metas, f.work)
}

// harden makes tasks harder and writes them to their folder. It takes from the journal
// beside that what was done before.
func (a *app) harden(ctx context.Context, src *source, m *run.HardManifest, tasks []tau.Task, w workFlags) error {
	if err := run.Vacant("evolve", w.out); err != nil {
		return err
	}
	makers, err := src.makers()
	if err != nil {
		return err
	}
	sound, err := strangers(src, tasks)
	if err != nil {
		return err
	}
	ledger, err := run.OpenHardening(w.out)
	if err != nil {
		return writable(err)
	}
	made, err := synth.Evolve(ctx, synth.EvolveInput{
		Canary: m.Canary, Tasks: sound, Evolver: makers.Evolver, Reviewer: makers.Reviewer, Gate: makers.Gate, Verifier: makers.Verifier,
		Ledger: ledger, Seed: m.Harder.Seed, Settings: m.Harder.Settings, Workers: w.workers, Observer: a.progress(w.machine),
	})
	if err = errors.Join(err, ledger.Close()); err != nil {
		return err
	}
	return writable(run.WriteHardened(w.out, m, src.License, tasks, made))
}

// hardManifest says what tasks are made harder with. The seed tasks of the
// domain have no part in it.
func hardManifest(src *source, tasks []tau.Task, seed uint64, settings synth.EvolveSettings) (*run.HardManifest, error) {
	d, err := src.describe()
	if err != nil {
		return nil, err
	}
	d.SeedTasks = ""
	delete(d.Hashes, "seed_tasks")
	m := &run.HardManifest{Format: run.Format, Program: version, Domain: d, Harder: run.Harder{
		Tasks: digest(tau.AppendTasks(nil, tasks)), Seed: seed, Settings: settings,
	}}
	return m, m.SetCanary()
}

// strangers takes tasks of which nothing is known beside them: what is found
// about them is compared with what was found before.
func strangers(src *source, tasks []tau.Task) ([]synth.Sound, error) {
	var out []synth.Sound
	start := src.Domain.Environment()
	for i := range tasks {
		e := src.Domain.Environment()
		if err := e.SetState(tasks[i].InitialState); err != nil {
			return nil, usage(fmt.Errorf("task %s: %w", tasks[i].ID, err), "`taste validate` lists the faults of a task file")
		}
		out = append(out, synth.Sound{Task: tasks[i], Adds: rules.Changed(start, e), Foreign: true})
	}
	return out, nil
}

// hardenedResult is what machines read at the end.
type hardenedResult struct {
	Event string `json:"event"`
	Out   string `json:"out"`
	*run.HardReport
	Why map[string]string `json:"why"` // by task that is not full
}

// hardened says what became of the tasks, and why some are not full.
func (a *app) hardened(r *run.HardReport, metas map[string]run.HardMeta, w workFlags) error {
	why := map[string]string{}
	for id, h := range metas {
		if h.Level != role.Full {
			why[id] = h.Why
		}
	}
	if w.machine {
		return printLine(a.out, hardenedResult{"result", w.out, r, why})
	}
	stays := map[role.Level]string{role.Base: "stays as it is", role.Lite: "gets other words and no trap"}
	for _, k := range r.Kept {
		if k.Many() {
			fmt.Fprintf(a.out, "%s are not full: %s (%s)\n", plural(len(k.Tasks), "task"), k.Reason, k.Some())
			continue
		}
		for _, id := range k.Tasks {
			fmt.Fprintf(a.out, "%s %s: %s\n", id, stays[metas[id].Level], why[id])
		}
	}
	_, err := fmt.Fprintf(a.out, "%s: %s, %d full with %s, %d lite, %d as they were\n", w.out, plural(r.Tasks, "task"),
		r.Levels[role.Full], plural(r.Traps, "trap"), r.Levels[role.Lite], r.Levels[role.Base])
	return err
}
