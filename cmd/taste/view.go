package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taste/results"
	"taste/stats"
	"taste/tau"
	"taste/view"
)

// viewFlags are those of `taste view`.
type viewFlags struct {
	worlds   worlds
	tasks    []string
	trials   []int
	failed   bool
	agents   []string
	list     bool
	recorded bool
	machine  bool
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
	f.addScores(fl)
	fl.BoolVar(&f.machine, "json", false, "print a JSON object a simulation, with its messages where some are selected")
	f.page.add(fl)
	c.RunE = func(c *cobra.Command, args []string) error { return a.view(c.Context(), &f, args) }
	return c
}

// addScores adds the flags of where scores come from.
func (f *viewFlags) addScores(fl *pflag.FlagSet) {
	fl.BoolVar(&f.recorded, "recorded", false, "take recorded scores, make none anew")
	fl.StringArrayVar(&f.worlds.packs, "pack", nil, "pack that the simulations ran on; once for each domain")
	seedVar(fl, &f.worlds.seed, "world-seed", "seed of the built-in world, where no pack is of the domain")
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
	if shown == 0 && f.failed {
		fmt.Fprintln(a.log, "view: nothing of what is selected failed")
		return nil
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

// viewOne shows what is selected of one file and returns how much.
func (a *app) viewOne(ctx context.Context, f *viewFlags, page *view.Page, v *viewable) (int, error) {
	if v.results == nil {
		return a.viewTasks(f, page, v)
	}
	i := &v.results.Info
	names := []string{i.AgentName(), i.Agent.Name(), i.Agent.Implementation}
	if len(f.agents) > 0 && !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(f.agents, n) }) {
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
	case f.machine:
		return len(scored), a.viewLines(f, v, scored)
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
	switch {
	case f.machine:
		for i := range tasks {
			if err := printLine(a.out, tasks[i]); err != nil {
				return 0, err
			}
		}
	case f.list || !f.selects():
		page.Tasks(v.path, tasks)
	default:
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
