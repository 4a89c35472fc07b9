package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"taste/results"
	"taste/stats"
	"taste/tau"
	"taste/trials"
	"taste/view"
)

// pageFlags are those of everything that people read page by page.
type pageFlags struct {
	full  bool
	width int
	color string
}

func (f *pageFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.full, "full", false, "shorten nothing")
	fs.IntVar(&f.width, "width", 0, "columns of a line (default: the terminal's, else 100)")
	fs.StringVar(&f.color, "color", "auto", "colours: auto (on a terminal), always (as for less -R) or never")
}

// page makes a page of the width and colours that the output bears.
func (a *app) page(f *pageFlags) (*view.Page, error) {
	p := &view.Page{Width: f.width, Full: f.full}
	switch {
	case f.width < 0 || f.width > 0 && f.width < view.MinWidth:
		return nil, usage(fmt.Errorf("--width %d", f.width), "want at least %d", view.MinWidth)
	case f.color == "auto":
		p.Color = isTerminal(a.out) && os.Getenv("NO_COLOR") == ""
	case f.color == "always" || f.color == "never":
		p.Color = f.color == "always"
	default:
		return nil, usage(fmt.Errorf("--color %q", f.color), "want auto, always or never")
	}
	if f.width == 0 {
		p.Width = max(view.MinWidth, widthOf(100, a.out, a.log)) // a pager's terminal is that of the log
	}
	return p, nil
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// widthOf is that of the first that is a terminal.
func widthOf(otherwise int, streams ...any) int {
	for _, s := range streams {
		if f, ok := s.(*os.File); ok {
			if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
				return w
			}
		}
	}
	return otherwise
}

// viewFlags are those of `taste view`.
type viewFlags struct {
	worlds   worlds
	tasks    []string
	trials   []int
	failed   bool
	agents   []string
	list     bool
	recorded bool
	page     pageFlags
}

func (a *app) viewCommand() *cobra.Command {
	var f viewFlags
	c := &cobra.Command{
		Use: "view RUN…", Short: "Read conversations, their scores, and tasks",
		Long: `View lists the simulations of results files or folders of τ²-bench or of
` + "`taste eval`" + `, and shows those that --task, --trial, --failed or --agent select: who
says and calls what, the answers, how it ended, and the checks of the score in both
modes with what they rest on. Of a run directory of ` + "`taste generate`" + `, or a task file,
it shows the tasks.

Scores are made anew on the pack of that domain among --pack, else on the built-in
world if its policy is the recorded one; else the recorded score is shown.`,
		Example: `  taste view evals/airline-careful-rules-1
  taste view results.json --task 7 --trial 2 --full
  taste view results.json.gz --failed --pack packs/airline --color always | less -R`,
		Args: positional(1, -1, "results files, run directories or task files"),
	}
	fl := c.Flags()
	fl.StringArrayVar(&f.tasks, "task", nil, "show simulations of this task; may be given again")
	fl.IntSliceVar(&f.trials, "trial", nil, "show trials of these numbers, from 0")
	fl.BoolVar(&f.failed, "failed", false, "show simulations without the full reward in some mode")
	fl.StringArrayVar(&f.agents, "agent", nil, "show simulations of this agent, by name or implementation; may be given again")
	fl.BoolVar(&f.list, "list", false, "list what is selected")
	fl.BoolVar(&f.recorded, "recorded", false, "show recorded scores, make none anew")
	fl.StringArrayVar(&f.worlds.packs, "pack", nil, "pack that the simulations ran on; once for each domain")
	seedVar(fl, &f.worlds.seed, "world-seed", "seed of the built-in world, where no pack is of the domain")
	f.page.add(fl)
	c.RunE = func(c *cobra.Command, args []string) error { return a.view(c.Context(), &f, args) }
	return c
}

func (a *app) view(ctx context.Context, f *viewFlags, paths []string) error {
	page, err := a.page(&f.page)
	if err != nil {
		return err
	}
	shown := 0
	for _, path := range paths {
		all, err := openViews(path)
		if err != nil {
			return err
		}
		for i := range all {
			n, err := a.viewOne(ctx, f, page, &all[i])
			if err != nil {
				return err
			}
			shown += n
		}
	}
	if shown == 0 && f.selects() {
		return usage(errors.New("view: nothing is selected"), "without --task, --trial, --failed and --agent it lists what there is")
	}
	return nil
}

// selects tells whether some are asked for.
func (f *viewFlags) selects() bool {
	return len(f.tasks)+len(f.trials)+len(f.agents) > 0 || f.failed
}

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
		plan, err := trials.ReadPlan(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			err = nil
		}
		return []viewable{{path: path, results: r, plan: plan}}, err
	}
	if tasks, other := tau.LoadTasks(path); other == nil {
		return []viewable{{path: path, tasks: tasks}}, nil
	}
	return nil, usage(err, "give a results file or folder, the directory of an evaluation or of a run, or a task file")
}

// viewOne shows what is selected of one file and returns how much.
func (a *app) viewOne(ctx context.Context, f *viewFlags, page *view.Page, v *viewable) (int, error) {
	if v.results == nil {
		return a.viewTasks(f, page, v)
	}
	if i := &v.results.Info.Agent; len(f.agents) > 0 && !slices.Contains(f.agents, i.Name()) && !slices.Contains(f.agents, i.Implementation) {
		return 0, nil
	}
	scored, err := a.scoresOf(ctx, f, v)
	if err != nil {
		return 0, err
	}
	scored = slices.DeleteFunc(scored, func(s results.Scored) bool { return !f.wants(&s) })
	switch {
	case len(scored) == 0 && f.selects():
		return 0, nil
	case f.list || !f.selects():
		page.List(v.path, v.results, scored)
	default:
		for i := range scored {
			page.Conversation(v.results, &scored[i])
		}
	}
	_, err = page.WriteTo(a.out)
	return len(scored), err
}

func (a *app) viewTasks(f *viewFlags, page *view.Page, v *viewable) (int, error) {
	if len(f.trials)+len(f.agents) > 0 || f.failed {
		return 0, usage(fmt.Errorf("view %s: these are tasks, which have no trials", v.path), "select by --task alone, or give results")
	}
	tasks := slices.DeleteFunc(v.tasks, func(t tau.Task) bool { return len(f.tasks) > 0 && !slices.Contains(f.tasks, t.ID) })
	if f.list || !f.selects() {
		page.Tasks(v.path, tasks)
	} else {
		for i := range tasks {
			page.TaskPage(&tasks[i])
		}
	}
	_, err := page.WriteTo(a.out)
	return len(tasks), err
}

// wants tells whether a simulation is selected.
func (f *viewFlags) wants(s *results.Scored) bool {
	sim := s.Simulation
	switch {
	case len(f.tasks) > 0 && !slices.Contains(f.tasks, sim.TaskID):
		return false
	case len(f.trials) > 0 && (sim.Trial == nil || !slices.Contains(f.trials, *sim.Trial)):
		return false
	}
	return !f.failed || !earned(s)
}

// earned tells whether a simulation has the full reward in every mode that is
// known.
func earned(s *results.Scored) bool {
	if s.Score == nil {
		return s.Recorded != nil && stats.Success(*s.Recorded)
	}
	compat, ok := s.Score.CompatReward()
	return ok && stats.Success(compat) && s.Score.Strict != nil && stats.Success(*s.Score.Strict)
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
	case len(f.worlds.packs) == 0 && w.domain.Policy != info.Policy:
		return nil, "the policy is not that of the built-in world; --pack may name the right one", nil
	}
	return w, "", nil
}
