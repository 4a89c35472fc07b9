package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"taste/results"
	"taste/view"
)

func (a *app) diffCommand() *cobra.Command {
	var seed uint64
	var machine, show bool
	var tasks []string
	var pages pageFlags
	c := &cobra.Command{
		Use: "diff RESULTS RESULTS", Short: "Set two runs side by side, task by task",
		Long: `Diff compares the recorded rewards of two results files or folders on the tasks
that both have: successes of each task, the difference of their shares with an
interval by task, and the exact McNemar test over trials that both evaluated.
Tasks of the same id but another content are not compared. Trials that one run
alone succeeds in are listed with the message from which the conversations part;
--show shows both from there on.

To compare by rewards of today, write them first: taste score RESULTS --out FILE.`,
		Args: positional(2, 2, "two results files"),
	}
	seedVar(c.Flags(), &seed, "seed", "seed of the interval")
	c.Flags().BoolVar(&machine, "json", false, "print a JSON object")
	c.Flags().BoolVar(&show, "show", false, "show the conversations of trials that one run alone succeeds in")
	c.Flags().StringArrayVar(&tasks, "task", nil, "show those of this task alone; may be given again")
	pages.add(c.Flags())
	c.RunE = func(_ *cobra.Command, args []string) error {
		page, err := a.page(&pages)
		if err != nil {
			return err
		}
		first, err := loadResults(args[0])
		if err != nil {
			return err
		}
		second, err := loadResults(args[1])
		if err != nil {
			return err
		}
		cmp, err := results.Compare(first, second, seed)
		if err != nil {
			return usage(err, "give two runs on the same tasks, each trial once")
		}
		if machine {
			return printLine(a.out, struct {
				First  string `json:"first"`
				Second string `json:"second"`
				*results.Comparison
			}{args[0], args[1], cmp})
		}
		if show || len(tasks) > 0 {
			return a.showChanged(page, args, [2]*results.Results{first, second}, cmp, tasks)
		}
		return printComparison(a.out, args, cmp)
	}
	return c
}

// showChanged shows the conversations of trials whose outcome is not the same, of
// the given tasks or all.
func (a *app) showChanged(page *view.Page, names []string, runs [2]*results.Results, c *results.Comparison, tasks []string) error {
	shown := 0
	for i := range c.Changed {
		if p := &c.Changed[i]; len(tasks) == 0 || slices.Contains(tasks, p.Task) {
			page.Pair([2]string{names[0], names[1]}, runs, p)
			shown++
		}
	}
	for _, id := range tasks {
		if !slices.ContainsFunc(c.Tasks, func(p results.TaskPair) bool { return p.Task == id }) {
			return usage(fmt.Errorf("diff: task %s is not one that both runs have", id), "without --task, diff lists them")
		}
	}
	if shown == 0 {
		fmt.Fprintln(a.out, "every trial that both evaluated has the same outcome")
	}
	_, err := page.WriteTo(a.out)
	return err
}

func printComparison(out io.Writer, names []string, c *results.Comparison) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "first: %s\nsecond: %s\n\ntask\tfirst\tsecond\t\n", names[0], names[1])
	for _, t := range c.Tasks {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", t.Task, tally(t.First), tally(t.Second), verdictOf(t))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if d := c.Difference; d != nil {
		fmt.Fprintf(out, "\nsecond less first: %+.3f in the share of successes over %s", d.Mean, plural(d.Clusters, "task"))
		if d.SE != nil {
			fmt.Fprintf(out, " (standard error %.3f, %s)", *d.SE, uncertainty(c))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "trials that both evaluated: %s\n", pairs(c))
	for _, t := range c.Changed {
		fmt.Fprintf(out, "changed: task %s, trial %d: %s → %s, the same for %s\n", t.Task, t.Trial, percent(t.First), percent(t.Second), plural(t.Same, "message"))
	}
	for _, l := range []struct {
		what string
		ids  []string
	}{{"of the same id but another content, not compared", c.Other}, {"in the first alone", c.OnlyFirst}, {"in the second alone", c.OnlySecond}} {
		if len(l.ids) > 0 {
			fmt.Fprintf(out, "%s: %s\n", l.what, strings.Join(l.ids, ", "))
		}
	}
	return nil
}

// pairs spells the outcomes of trials that both runs evaluated, and the test.
func pairs(c *results.Comparison) string {
	p := c.Pairs
	text := fmt.Sprintf("%d both succeed, %d the first alone, %d the second alone, %d neither; exact McNemar p = %.3g", p.Both, p.First, p.Second, p.None, p.P)
	if p.Both+p.First+p.Second+p.None > len(c.Tasks) {
		text += " (takes trials of a task as independent)"
	}
	return text
}

// uncertainty says how sure the difference of two runs on several tasks is.
func uncertainty(c *results.Comparison) string {
	d := c.Difference
	if d.Low == nil || c.Detectable == nil {
		return "no interval: it is the same on all tasks, so that no spread can be seen"
	}
	told := "no difference could be told from nothing"
	if *c.Detectable <= 1 {
		told = fmt.Sprintf("%.3f could be told from nothing", *c.Detectable)
	}
	return fmt.Sprintf("95 %% interval %+.3f to %+.3f; %s", *d.Low, *d.High, told)
}

// verdictOf marks a task on which one is better.
func verdictOf(t results.TaskPair) string {
	a, b := t.First.Successes*t.Second.Evaluated, t.Second.Successes*t.First.Evaluated
	switch {
	case a > b:
		return "first"
	case b > a:
		return "second"
	}
	return ""
}
