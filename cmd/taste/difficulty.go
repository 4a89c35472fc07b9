package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"taste/rules"
	"taste/run"
	"taste/stats"
	"taste/synth"
)

// referenceAgents are played over base and evolved tasks, beside the flawed ones.
var referenceAgents = rules.AgentNames()

func (a *app) difficultyCommand() *cobra.Command {
	var f continueFlags
	var trials int
	var strict bool
	c := &cobra.Command{
		Use: "difficulty RUN", Short: "Play the reference agents over the base and the evolved tasks of a run",
		Long: `Difficulty plays reference agents that need no model over the base and the
evolved tasks of a run directory, each flawed agent also over the tasks of its
technique with the technique taken out, and writes difficulty.json and the
report. Shares come with Wilson's 95 % interval, comparisons with the two-sided
exact McNemar test. docs/agents.md says what each agent is.

With --strict it ends with exit code 1 if an outcome tells against a task: careful
or the oracle fail, noop succeeds, a flawed agent sees through its trap.`,
		Args: positional(1, 1, "a run directory"),
	}
	f.add(c.Flags())
	c.Flags().IntVar(&trials, "trials", 1, "conversations of each agent about each task")
	c.Flags().BoolVar(&strict, "strict", false, "exit code 1 on a surprise")
	c.RunE = func(c *cobra.Command, args []string) error {
		if trials < 1 || trials > 100 {
			return usage(fmt.Errorf("--trials %d: want 1 to 100", trials), "one is enough for agents that are deterministic but for their words")
		}
		s, err := a.resume(args[0], &f)
		if err != nil {
			return err
		}
		if s.cast.writes() {
			return s.close(usage(errors.New("difficulty: a model wrote the tasks, and the reference agents understand the words of rules alone"), "`taste eval` plays tasks by models"))
		}
		d, err := a.difficulty(c.Context(), s, trials)
		if err == nil {
			_, err = a.report(s)
		}
		if err == nil {
			err = a.printDifficulty(s.Dir.Path(), d, f.work.machine)
		}
		if err == nil && strict && len(d.Surprises) > 0 {
			err = errFindings
		}
		return s.close(err)
	}
	return c
}

// difficulty plays the reference agents.
func (a *app) difficulty(ctx context.Context, s *stages, trials int) (*synth.Difficulty, error) {
	book, err := s.source.book()
	if err != nil {
		return nil, err
	}
	p := &rules.Player{Domain: s.source.Domain, Contract: s.source.Contract, Book: book}
	return s.Difficulty(ctx, run.Players{Player: p, Agents: referenceAgents, Flawed: rules.FlawedName, Strip: p.Strip}, trials)
}

func (a *app) printDifficulty(path string, d *synth.Difficulty, machine bool) error {
	if machine {
		return printLine(a.out, struct {
			Event string `json:"event"`
			Run   string `json:"run"`
			*synth.Difficulty
		}{"result", path, d})
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s: %s, each played in %s\n\n", path, plural(d.Tasks, "task"), plural(d.Trials, "trial"))
	fmt.Fprintln(w, "agent\tbase\tevolved\tdrop\tp")
	for _, r := range d.Agents {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.2g\n", r.Agent, interval(r.Base), interval(r.Evolved), relative(r.Drop), r.Paired.P)
	}
	fmt.Fprintln(w, "\ntechnique\tagent\ttasks\twith it\twithout it\tp")
	for _, r := range d.Techniques {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%.2g\n", r.Technique, r.Agent, r.Tasks, interval(r.With), interval(r.Without), r.Paired.P)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return printSurprises(a.out, d.Surprises)
}

// shownSurprises is how many are printed; difficulty.json has all.
const shownSurprises = 10

func printSurprises(w io.Writer, all []synth.Surprise) error {
	for _, s := range all[:min(shownSurprises, len(all))] {
		if _, err := fmt.Fprintf(w, "surprise: %s on %s (%s): %s\n", s.Agent, s.Task, s.Form, s.Why); err != nil {
			return err
		}
	}
	if more := len(all) - shownSurprises; more > 0 {
		_, err := fmt.Fprintf(w, "and %s more in %s\n", plural(more, "surprise"), run.DifficultyFile)
		return err
	}
	return nil
}

func interval(s stats.Share) string {
	return fmt.Sprintf("%.3f (%.3f to %.3f)", s.Share, s.Low, s.High)
}

func relative(drop *float64) string {
	if drop == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", *drop*100)
}
