package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"taste/internal/hint"
	"taste/players"
	"taste/results"
	"taste/run"
	"taste/trials"
)

func (a *app) evalCommand() *cobra.Command {
	var f evalFlags
	c := &cobra.Command{
		Use: "eval TASKS… --agent SPEC", Short: "Simulate agents on tasks, score and count",
		Long: `Eval has an agent and a user play each task several times, scores every
simulation as it ends, in the two modes of docs/scoring.md, and counts pass^k with
what is missing. TASKS is a run directory, a task file, or with --pack the name of
a task set of the pack. Several TASKS, agents or users make a matrix, each system
of which has a folder of its own.

The directory holds a journal that grows with each simulation that ends, and
results.json in the format of τ²-bench. The same command goes on where a run was
interrupted or killed; a run with another agent, user, task, seed or limit is
refused. More trials are accepted. Faults of the machinery, as an agent that cannot be
reached, leave simulations missing, and the same command makes them again.

docs/eval.md describes agents, users, limits, budgets and files of a matrix.

Exit codes: 0 every simulation has ended; 1 some are missing; 2 bad input; 3 the
directory is of another run.`,
		Args: positional(0, -1, "tasks"),
	}
	f.add(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		config, err := f.config(c.Flags(), args)
		if err != nil {
			return err
		}
		if config.DryRun {
			return a.dryEval(c.Context(), config, f.machine)
		}
		return a.eval(c.Context(), config, f.machine)
	}
	return c
}

// evaluation is a matrix under way.
type evaluation struct {
	config *evalConfig
	models *evalModels
	root   string
	runner trials.Runner
	logs   []*trials.Log
}

func (a *app) eval(ctx context.Context, c *evalConfig, machine bool) (err error) {
	models, err := a.evalModels(c)
	if err != nil {
		return err
	}
	e := &evaluation{config: c, models: models}
	defer func() { err = errors.Join(err, e.close()) }()
	systems, err := a.systems(c, models)
	if err != nil {
		return err
	}
	c.warn(a.log)
	judge, err := models.judge(c.Judge)
	if err != nil {
		return badParty(err)
	}
	e.root = c.saveTo(systems)
	if err := e.open(systems); err != nil {
		return err
	}
	watch := a.watch(e.logs, machine)
	e.runner = trials.Runner{Workers: c.workers(systems), Judge: judge, Budget: c.Budget.caps(), Now: a.now, Observer: watch}
	ran := e.runner.Run(ctx, e.logs)
	watch.end()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	missing, err := a.conclude(ctx, e, machine)
	switch {
	case err != nil:
		return err
	case errors.Is(ran, trials.ErrBudget):
		fmt.Fprintln(a.log, "eval:", ran)
		return errFindings
	case ran != nil:
		return hint.Add(ran, "nothing that ended is lost: put it right and run the same command again")
	case missing:
		return errFindings
	}
	return nil
}

// warn says where an agent may fail for want of a user that understands it.
func (c *evalConfig) warn(log io.Writer) {
	if !slices.ContainsFunc(c.Users, func(u partySpec) bool { return u.Spec == "rules" }) {
		return
	}
	for _, agent := range c.Agents {
		if players.OwnWords(agent.Spec) {
			fmt.Fprintf(log, "eval: the rules user understands the phrase book's sentences alone; for %s, which has words of its own, --user names another one: a model, human or http://…\n", agent.Spec)
		}
	}
}

// systems makes the cells of the matrix, before anything is written.
func (a *app) systems(c *evalConfig, m *evalModels) ([]trials.System, error) {
	var out []trials.System
	for i := range c.Tasks {
		x, err := a.arena(&c.Tasks[i])
		if err != nil {
			return nil, err
		}
		x.models = m
		for _, agent := range c.Agents {
			for _, user := range c.Users {
				s, err := x.system(agent, user)
				if err != nil {
					return nil, badParty(err)
				}
				out = append(out, *s)
			}
		}
	}
	return out, c.name(out)
}

// system is an agent with a user on the tasks.
func (x *arena) system(agent, user partySpec) (*trials.System, error) {
	agents, err := players.ParseAgent(agent.Spec, agent.Args, x.deps())
	if err != nil {
		return nil, err
	}
	users, err := players.ParseUser(user.Spec, user.Args, x.deps())
	if err != nil {
		return nil, err
	}
	if err := players.Pair(agents, users); err != nil {
		return nil, err
	}
	domain := x.domain
	switch {
	case agents.Info().Solo:
		domain = players.Solo(domain)
	case players.Alone(domain.Variant):
		return nil, usage(fmt.Errorf("eval %s: policy %s is for agents without a user, and %s has one", x.label, domain.Variant, agent.Spec),
			"say solo/%s and --user dummy, or leave the policy out", agent.Spec)
	}
	return &trials.System{Domain: domain, Agents: agents, Users: users, Tasks: x.tasks}, nil
}

// odd is what does not go into names of folders.
var odd = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

func plain(name string) string {
	return strings.Trim(odd.ReplaceAllString(strings.TrimPrefix(strings.TrimPrefix(name, "http://"), "https://"), "_"), "_.")
}

// name names the systems by what tells them apart.
func (c *evalConfig) name(systems []trials.System) error {
	seen := map[string]bool{}
	i := 0
	for t := range c.Tasks {
		for _, agent := range c.Agents {
			for _, user := range c.Users {
				name := plain(agent.Spec)
				if len(c.Users) > 1 {
					name += "-" + plain(user.Spec)
				}
				if len(c.Tasks) > 1 {
					name += "-" + c.Tasks[t].name()
				}
				if seen[name] {
					return usage(fmt.Errorf("eval: two systems are called %s", name), "a matrix names every agent and user once, and every set of tasks once a policy")
				}
				seen[name] = true
				systems[i].Name = name
				i++
			}
		}
	}
	return nil
}

// name tells a set of tasks from others of a matrix.
func (t *taskSource) name() string {
	if t.Policy == "" {
		return plain(filepath.Base(t.Path))
	}
	return plain(filepath.Base(t.Path)) + "-" + plain(t.Policy)
}

// saveTo is the directory of the run.
func (c *evalConfig) saveTo(systems []trials.System) string {
	if c.SaveTo != "" {
		return c.SaveTo
	}
	if len(systems) > 1 {
		return filepath.Join("evals", fmt.Sprintf("matrix-%d", c.Seed))
	}
	return filepath.Join("evals", fmt.Sprintf("%s-%s-%s-%d", plain(systems[0].Domain.Name), plain(c.Agents[0].Spec), plain(c.Users[0].Spec), c.Seed))
}

// workers is how many simulations are under way at once.
func (c *evalConfig) workers(systems []trials.System) int {
	for i := range systems {
		if serial(&systems[i]) {
			return 1
		}
	}
	return c.Concurrency
}

// serial tells whether a system plays one conversation at a time, as people do.
func serial(s *trials.System) bool { return s.Agents.Info().Serial || s.Users.Info().Serial }

// open makes or takes up the directories of all systems.
func (e *evaluation) open(systems []trials.System) error {
	if err := outFolder("save-to", e.root); err != nil {
		return err
	}
	if len(systems) > 1 {
		logs, err := trials.OpenMatrix(e.root, systems, e.config.settings())
		e.logs = logs
		if err != nil {
			return refused(err)
		}
		return e.models.keep(e.root)
	}
	l, err := trials.Open(e.root, systems[0], e.config.settings())
	if err != nil {
		return refused(err)
	}
	e.logs = []*trials.Log{l}
	return e.models.keep(e.root)
}

// refused gives an error of a directory the advice of this command.
func refused(err error) error {
	switch {
	case errors.Is(err, players.ErrUnfit), errors.Is(err, trials.ErrTask):
		return usage(err, "--task-ids chooses tasks; the rules user, and reference agents behind solo/, read the words of tasks made here; for others choose another one")
	case errors.Is(err, run.ErrDifferent):
		return hint.Add(err, "repeat the flags it was made with, or choose another directory with --save-to; more trials are accepted")
	case errors.Is(err, run.ErrLocked), errors.Is(err, run.ErrNoRun):
		return hint.Add(err, "choose another directory with --save-to")
	}
	return writable(err)
}

func (e *evaluation) close() error {
	var all []error
	for _, l := range e.logs {
		all = append(all, l.Close())
	}
	return errors.Join(append(all, e.models.close())...)
}

// conclude writes the results of all systems, prints what they come to and how
// they compare, and tells whether anything is missing.
func (a *app) conclude(ctx context.Context, e *evaluation, machine bool) (missing bool, err error) {
	var done []*finished
	for _, l := range e.logs {
		r, scored, err := e.runner.Finish(ctx, l)
		if err != nil {
			return false, err
		}
		x := &scoredFile{path: l.Path(), scored: scored, drift: &results.Drift{}}
		if x.Summary, err = results.Summarize(r, scored, e.config.Seed); err != nil {
			return false, err
		}
		planned, made, _ := l.Count()
		missing = missing || made < planned
		done = append(done, &finished{scoredFile: x, name: l.System.Name, results: r})
	}
	return missing, a.printEval(done, e.config.Seed, machine)
}

// badParty marks an error of a specification, which has advice of its own, as bad
// input.
func badParty(err error) error { return inputError{err} }
