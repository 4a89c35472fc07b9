package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"taste/eval"
	"taste/pyjson"
	"taste/results"
	"taste/stats"
	"taste/tau"
)

// shownFields is how many lines of evidence are printed of one check; --json has
// all.
const shownFields = 8

// print writes the report for people.
func (x *scoredFile) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s: %s, agent %s, user %s: %s of %s\n\n", x.path, x.Domain, x.Agent, x.User, plural(x.Simulations, "simulation"), plural(len(x.ByTask), "task"))
	x.printTasks(w)
	x.printPasses(w)
	if err := w.Flush(); err != nil {
		return err
	}
	x.printNotes(out)
	if x.verbose {
		for i := range x.scored {
			printEvidence(out, &x.scored[i])
		}
	}
	_, err := fmt.Fprintln(out)
	return err
}

func (x *scoredFile) printTasks(w io.Writer) {
	fmt.Fprintln(w, "task\tmade\tcompat\tstrict")
	for _, t := range x.ByTask {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", t.Task, t.Made, tally(t.Compat), tally(t.Strict))
	}
}

// tally spells successes of evaluated trials.
func tally(t results.Tally) string {
	if t.Evaluated == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", t.Successes, t.Evaluated)
}

func (x *scoredFile) printPasses(w io.Writer) {
	fmt.Fprint(w, "\nmode\ttrials\tplanned\tevaluated\tmissing")
	for _, k := range shownPass(x.Strict.Pass) {
		fmt.Fprintf(w, "\tpass^%d", k.K)
	}
	fmt.Fprintln(w)
	for _, p := range x.Compat {
		printPass(w, "compat", p)
	}
	printPass(w, "strict", x.Strict)
	of := ""
	if x.Strict.Missing > 0 {
		of = "evaluated trials, "
	}
	x.printUnder(w, "bounds", "missing trials all failed, or none", func(k *stats.PassK) string { return span(k.Worst, k.Best) })
	x.printUnder(w, "95 % interval", of+"tasks drawn anew", func(k *stats.PassK) string { return span(k.Low, k.High) })
	x.printUnder(w, "standard error", of+"by task", func(k *stats.PassK) string { return percent(k.SE) })
}

// printUnder prints a line under strict's pass^k, which says something of each.
func (x *scoredFile) printUnder(w io.Writer, what, of string, cell func(*stats.PassK) string) {
	fmt.Fprintf(w, "  %s\t%s\t\t\t", what, of)
	for _, k := range shownPass(x.Strict.Pass) {
		fmt.Fprintf(w, "\t%s", cell(&k))
	}
	fmt.Fprintln(w)
}

// shownPass leaves out what would make lines too long: beyond 8 powers of 2 are
// shown, and the last. --json has all.
func shownPass(all []stats.PassK) []stats.PassK {
	var out []stats.PassK
	for i, k := range all {
		if k.K <= 8 || k.K&(k.K-1) == 0 || i == len(all)-1 {
			out = append(out, k)
		}
	}
	return out
}

// span spells an interval, which may be unknown.
func span(low, high *float64) string {
	if low == nil || high == nil {
		return "–"
	}
	return percent(low) + "–" + percent(high)
}

func printPass(w io.Writer, mode string, p stats.Passes) {
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d", mode, conventionNames[p.Convention], p.Planned, p.Evaluated, p.Missing)
	for _, k := range shownPass(p.Pass) {
		fmt.Fprintf(w, "\t%s", percent(k.Value))
	}
	fmt.Fprintln(w)
}

func (x *scoredFile) printNotes(out io.Writer) {
	x.printDetectable(out)
	if !x.Comparable {
		fmt.Fprintln(out, "rules played the user: not comparable with figures of τ²-bench, whose users are language models")
	}
	x.printBroken(out)
	x.printOpen(out)
	printCounts(out, "strict differs from compat", x.Differs)
	for i := range x.scored {
		s := &x.scored[i]
		if len(s.Changed) > 0 {
			fmt.Fprintf(out, "changed: task %s, trial %s: recorded %s, now %s (%s)\n", s.Simulation.TaskID, trialOf(s.Simulation), percent(s.Recorded), compatReward(s.Score), strings.Join(s.Changed, ", "))
		}
		for _, d := range s.Score.Drift {
			fmt.Fprintf(out, "drift: task %s, trial %s: %s\n", s.Simulation.TaskID, trialOf(s.Simulation), d)
		}
	}
	x.printDrift(out)
}

// printBroken counts the conversations that nobody ended by a goodbye, with a cause of
// the first of each kind where one is recorded.
func (x *scoredFile) printBroken(out io.Writer) {
	x.printExamples(out, "broken off", x.Broken, func(s *results.Scored, end string) string {
		if s.Simulation.Termination != end || s.Simulation.Info == nil {
			return ""
		}
		if why, _ := s.Simulation.Info.Get("error"); why != nil {
			return pyjson.Str(why)
		}
		return ""
	})
}

// printOpen counts why strict scores are open, with an example where there is more to
// say of one.
func (x *scoredFile) printOpen(out io.Writer) {
	x.printExamples(out, "unscored in strict", x.Open, func(s *results.Scored, reason string) string {
		if s.Score.Strict != nil || s.Score.Reason != reason {
			return ""
		}
		return s.Score.Detail
	})
}

// printExamples prints counts, and below each what there is to say of the first
// simulation of which there is anything.
func (x *scoredFile) printExamples(out io.Writer, title string, list []results.Count, say func(s *results.Scored, what string) string) {
	for _, c := range list {
		printCounts(out, title, []results.Count{c})
		for i := range x.scored {
			s := &x.scored[i]
			if text := say(s, c.What); text != "" {
				fmt.Fprintf(out, "  task %s, trial %s: %s\n", s.Simulation.TaskID, trialOf(s.Simulation), text)
				break
			}
		}
	}
}

// printDetectable says how far another system has to be away, or why nothing can
// be said of it.
func (x *scoredFile) printDetectable(out io.Writer) {
	pass := x.Strict.Pass
	switch {
	case x.Detectable != nil && *x.Detectable > 1:
		fmt.Fprintln(out, "\nno other system can be told apart on these tasks: it would have to differ by more than 1 in pass^1 (5 %, power 80 %)")
	case x.Detectable != nil:
		fmt.Fprintf(out, "\nanother system on these tasks has to differ by %.3f in pass^1 to be told apart (5 %%, power 80 %%)\n", *x.Detectable)
	case len(pass) > 0 && pass[0].SE != nil:
		fmt.Fprintln(out, "\nby how much another system has to differ to be told apart: –, all tasks came out alike, so that no spread can be seen")
	}
}

func printCounts(out io.Writer, title string, list []results.Count) {
	for _, c := range list {
		fmt.Fprintf(out, "%s: %d × %s\n", title, c.Count, c.What)
	}
}

func (x *scoredFile) printDrift(out io.Writer) {
	if x.drift.Policy {
		fmt.Fprintln(out, "drift: the agent's policy is another one now")
	}
	if len(x.drift.Unknown) > 0 {
		fmt.Fprintf(out, "drift: task set %s lacks %s\n", x.drift.TaskSet, strings.Join(x.drift.Unknown, ", "))
	}
	for _, t := range x.drift.Tasks {
		more := ""
		if n := len(t.Fields) - 1; n > 0 {
			more = fmt.Sprintf(" (and %d more)", n)
		}
		fmt.Fprintf(out, "drift: task %s is another one in task set %s: %s%s\n", t.Task, x.drift.TaskSet, t.Fields[0], more)
	}
}

func trialOf(s *results.Simulation) string {
	if s.Trial == nil {
		return "–"
	}
	return fmt.Sprint(*s.Trial)
}

// compatReward spells the reward of compat.
func compatReward(s *eval.Score) string {
	if r, ok := s.CompatReward(); ok {
		return fmt.Sprintf("%.3f", r)
	}
	return "unscored"
}

// printEvidence says why a simulation earns no reward.
func printEvidence(out io.Writer, s *results.Scored) {
	x := s.Score
	if x.Strict != nil && *x.Strict == 1 {
		return
	}
	strict := "unscored"
	if x.Strict != nil {
		strict = percent(x.Strict)
	}
	fmt.Fprintf(out, "\ntask %s, trial %s (%s): compat %s, strict %s", s.Simulation.TaskID, trialOf(s.Simulation), s.Simulation.Termination, compatReward(x), strict)
	if x.Reason != "" {
		fmt.Fprintf(out, ": %s", strings.TrimSuffix(x.Reason+": "+x.Detail, ": "))
	}
	fmt.Fprintln(out)
	for _, c := range x.Checks {
		if !c.InBasis || c.Strict != eval.Failed && c.Strict != eval.Unscored {
			continue
		}
		fmt.Fprintf(out, "  %s %s", c.Kind, c.Strict)
		if c.Kind == tau.DB {
			fmt.Fprintf(out, ", against %s", x.Goal)
		}
		fmt.Fprintln(out)
		for _, e := range c.Evidence[:min(shownFields, len(c.Evidence))] {
			fmt.Fprintf(out, "    %s\n", e)
		}
		if more := len(c.Evidence) - shownFields; more > 0 {
			fmt.Fprintf(out, "    and %d more\n", more)
		}
	}
}
