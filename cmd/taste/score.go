package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"taste/env"
	"taste/eval"
	"taste/results"
	"taste/stats"
	"taste/tau"
	"taste/trials"
)

// scoreFlags are those of `taste score`.
type scoreFlags struct {
	packs        []string
	worldSeed    uint64
	tasks        string
	alternatives string
	judge        string
	models       string
	calls        string
	out          string
	layout       string
	seed         uint64
	workers      int
	evidence     bool
	machine      bool

	fresh []tau.Task
	extra map[string][]tau.Alternative
}

func (a *app) scoreCommand() *cobra.Command {
	var f scoreFlags
	c := &cobra.Command{
		Use: "score RESULTS…", Short: "Score results files anew, without any agent",
		Long: `Score makes the calls of recorded simulations again and scores them in two
modes side by side: compat is τ²-bench 1.0.1, quirks included, strict what is
right; where they differ it says why. RESULTS are files or folders in the format
of τ²-bench, gzip or not. docs/scoring.md describes both modes.

The domain is played on the pack of that domain among --pack, else on the
built-in world. Tasks and policy that differ from the pack's are told, and so are
answers that the tools give no more.

Verdicts on assertions in words are taken from the file; where it has none, what
rests on them is left unscored. A model that --nl-judge names decides on all anew.

Exit codes: 0 everything as recorded; 1 some score comes out otherwise, or tasks,
policy or answers have changed since; 2 bad input.`,
		Args: positional(1, -1, "results files"),
	}
	fs := c.Flags()
	fs.StringArrayVar(&f.packs, "pack", nil, "pack that the simulations ran on; once for each domain")
	seedVar(fs, &f.worldSeed, "world-seed", "seed of the built-in world, where no pack is of the domain")
	fs.StringVar(&f.tasks, "tasks", "", "task file whose tasks replace those in RESULTS")
	fs.StringVar(&f.alternatives, "alternatives", "", "file of further accepted end states by task id, for strict")
	fs.StringVar(&f.judge, "nl-judge", "recorded", "verdicts on assertions in words: recorded, none, or those of a model")
	fs.StringVar(&f.models, "models", "", "YAML file that says how models are reached")
	fs.StringVar(&f.calls, "calls", "", "file in which the model's answers are kept, so that no question is asked twice")
	fs.StringVar(&f.out, "out", "", "write RESULTS with the rewards of compat to this new path")
	fs.StringVar(&f.layout, "layout", "file", "layout of --out: file or folder")
	seedVar(fs, &f.seed, "seed", "seed of the intervals")
	fs.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "simulations scored side by side")
	fs.BoolVar(&f.evidence, "evidence", false, "print what failed checks rest on, simulation by simulation")
	fs.BoolVar(&f.machine, "json", false, "print one JSON object a simulation and one a file")
	c.RunE = func(c *cobra.Command, args []string) error { return a.score(c.Context(), &f, args) }
	return c
}

// check refuses flags before anything is read.
func (f *scoreFlags) check(files int) error {
	switch {
	case !f.asks() && (f.models != "" || f.calls != ""):
		return usage(errors.New("score: --models and --calls are for a model that judges"), "name it with --nl-judge, or leave them out")
	case f.workers < 1:
		return usage(fmt.Errorf("score: --workers %d", f.workers), "want at least 1")
	case f.out != "" && files > 1:
		return usage(errors.New("score: --out with several results"), "score them one by one")
	}
	return checkLayout(f.layout)
}

// asks tells whether a model judges.
func (f *scoreFlags) asks() bool { return f.judge != "recorded" && f.judge != "none" }

func checkLayout(layout string) error {
	if layout != string(results.File) && layout != string(results.Folder) {
		return usage(fmt.Errorf("--layout %q", layout), "want file or folder")
	}
	return nil
}

func (f *scoreFlags) read() (err error) {
	if f.tasks != "" {
		if f.fresh, err = tau.LoadTasks(f.tasks); err != nil {
			return usage(err, "--tasks names a task file")
		}
	}
	if f.alternatives != "" {
		if f.extra, err = tau.LoadAlternatives(f.alternatives); err != nil {
			return usage(err, "docs/scoring.md describes files of alternatives")
		}
	}
	return nil
}

func (a *app) score(ctx context.Context, f *scoreFlags, files []string) (err error) {
	if err := f.check(len(files)); err != nil {
		return err
	}
	if err := f.read(); err != nil {
		return err
	}
	judge, done, err := a.scoringJudge(f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	worlds := &worlds{packs: f.packs, seed: f.worldSeed}
	found, unused := false, maps.Clone(f.extra)
	for _, path := range files {
		r, err := loadResults(path)
		if err != nil {
			return err
		}
		maps.DeleteFunc(unused, func(id string, _ []tau.Alternative) bool { return r.Task(id) != nil })
		same, err := a.scoreFile(ctx, f, worlds, judge, path, r)
		if err != nil {
			return err
		}
		found = found || !same
	}
	for _, id := range slices.Sorted(maps.Keys(unused)) {
		fmt.Fprintf(a.log, "score: %s declares end states for task %s, which the results do not have\n", f.alternatives, id)
	}
	if found {
		return errFindings
	}
	return nil
}

// loadResults reads the results of one system.
func loadResults(path string) (*results.Results, error) {
	r, err := results.Load(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return r, usage(err, "give a results file of τ²-bench, or the folder of one")
	}
	if systems, _ := trials.Systems(path); len(systems) > 0 {
		return nil, usage(fmt.Errorf("%s is a matrix of %s", path, plural(len(systems), "system")), "name one of %s", strings.Join(inside(path, systems), ", "))
	}
	if _, other := os.Stat(filepath.Join(path, trials.JournalFile)); other == nil {
		return nil, usage(fmt.Errorf("%s: the evaluation has not ended: %w", path, err), "the command that began it goes on with it; `taste view` shows what there is")
	}
	return nil, usage(err, "give a results file of τ²-bench, or the folder of one")
}

// inside puts names into a folder.
func inside(path string, names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = filepath.Join(path, name)
	}
	return out
}

// scoreFile scores one file and tells whether everything is as recorded.
func (a *app) scoreFile(ctx context.Context, f *scoreFlags, w *worlds, judge eval.Judge, path string, r *results.Results) (same bool, err error) {
	world, err := w.of(r.Info.DomainName)
	if err != nil {
		return false, err
	}
	if world.foreign(r) {
		return false, usage(fmt.Errorf("score %s: the policy in it is not that of the built-in world of %s, and no --pack is of that domain", path, r.Info.DomainName), "give the pack that the simulations ran on with --pack")
	}
	s := &results.Rescorer{Domain: world.domain, Tasks: f.fresh, Alternatives: f.extra, Recorded: f.judge == "recorded", Judge: judge, Workers: f.workers}
	scored, err := s.Run(ctx, r)
	if err != nil {
		return false, err
	}
	x := &scoredFile{path: path, scored: scored, verbose: f.evidence}
	if x.drift, err = world.drift(path, r); err != nil {
		return false, err
	}
	if x.Summary, err = results.Summarize(r, scored, f.seed); err != nil {
		return false, usage(err, "every task has each trial once")
	}
	if f.out != "" {
		if err := results.Save(f.out, results.WithScores(r, scored), results.Layout(f.layout)); err != nil {
			return false, writable(err)
		}
	}
	if f.machine {
		err = x.json(a.out)
	} else {
		err = x.print(a.out)
	}
	return x.same(), err
}

// worlds are the databases that simulations are made again on.
type worlds struct {
	packs []string
	seed  uint64
	known map[string]*world
}

// world is one of them, with the task sets that its tasks are compared with.
type world struct {
	domain *env.Domain
	sets   []string
	tasks  func(set string) ([]tau.Task, error)
}

// foreign tells that results were not made on a built-in world: they record
// another policy than its own. Packs are taken at their word.
func (w *world) foreign(r *results.Results) bool {
	return w.tasks == nil && !w.domain.Has(r.Info.Policy)
}

// drift compares results with the world of today: their tasks with the sets of a pack, or,
// where an evaluation wrote them, with its plan, as it may be of tasks that no pack has.
func (w *world) drift(path string, r *results.Results) (*results.Drift, error) {
	if filepath.Base(path) == trials.ResultsFile {
		path = filepath.Dir(path)
	}
	plan, err := planOf(path)
	if err != nil {
		return nil, err
	}
	if plan == nil || w.tasks == nil {
		return r.DriftFrom(w.domain, w.sets, w.tasks)
	}
	d, err := r.DriftFrom(w.domain, nil, nil)
	if err != nil {
		return nil, err
	}
	d.TaskSet = trials.PlanFile
	others, unknown := plan.Drift(r.Tasks)
	d.Unknown = unknown
	for _, id := range others {
		d.Tasks = append(d.Tasks, results.TaskDrift{Task: id, Fields: []string{"its hash"}})
	}
	return d, nil
}

// of finds the world of a domain.
func (w *worlds) of(domain string) (*world, error) {
	if x := w.known[domain]; x != nil {
		return x, nil
	}
	x, err := w.find(domain)
	if err != nil {
		return nil, err
	}
	if w.known == nil {
		w.known = map[string]*world{}
	}
	w.known[domain] = x
	return x, nil
}

func (w *worlds) find(domain string) (*world, error) {
	for _, dir := range w.packs {
		head, err := readPackHead(dir)
		if err != nil {
			return nil, err
		}
		if head.domain() != domain {
			continue
		}
		p, err := loadPack(dir)
		if err != nil {
			return nil, err
		}
		return &world{p.Domain, p.TaskSets(), p.Tasks}, nil
	}
	b, err := findBuiltin(domain)
	if err != nil {
		return nil, usage(fmt.Errorf("no --pack is of domain %q, which has no built-in world", domain), "give the pack that the simulations ran on with --pack")
	}
	d, err := b.domain(w.seed)
	if err != nil {
		return nil, err
	}
	return &world{domain: d}, nil
}

// scoredFile is a results file with all that scoring found.
type scoredFile struct {
	*results.Summary
	path    string
	scored  []results.Scored
	drift   *results.Drift
	verbose bool
}

// same tells whether everything is as recorded.
func (x *scoredFile) same() bool { return x.Changed == 0 && x.Departed == 0 && !x.drift.Any() }

// percent of a pass^k that may have no value.
func percent(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f", *v)
}

// conventionNames says what stands in a table.
var conventionNames = map[stats.Convention]string{
	stats.Planned: "all planned trials", stats.V2: "v2 (faults left out)", stats.V1: "v1 (exceptions count 0)",
}
