package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"taste/gates"
	"taste/run"
	"taste/tau"
)

// validateFlags are those of `taste validate`.
type validateFlags struct {
	source  sourceFlags
	domain  string
	split   string
	strict  bool
	machine bool
}

func (a *app) validateCommand() *cobra.Command {
	var f validateFlags
	c := &cobra.Command{
		Use: "validate TASKS", Short: "Look for faults in a task file of any origin",
		Long: `Validate checks a τ² task file, or the one of a run directory. Findings are

  unsolvable   no agent can earn the reward, or only one that breaks the policy
  ungated      an agent that does not do the task earns the reward
  wording      the scenario contradicts the database, or gives answers away
  warning      words or values of the kind that public corrections of task files
               were about: a reason to read the task

Where a finding is of one of the nine classes of such corrections it names the
class, the field and sentence it is about, and what to do; docs/validate.md
describes them. What could not be checked is listed as "not checked", never as passed.

Tasks are checked on a database. The manifest of the run directory or pack that
they lie in names it; for tasks from elsewhere give --pack or --world-seed.

Exit codes: 0 nothing unsolvable; 1 something is, with --strict also on any other
finding, warnings included; 2 bad input, tasks that belong to another database included.`,
		Args: positional(1, 1, "a task file or a run directory"),
	}
	fs := c.Flags()
	f.source.add(fs)
	fs.StringVar(&f.domain, "domain", "", "domain of the tasks (default: that of their run, their pack or the tasks themselves)")
	fs.StringVar(&f.split, "split", "", "check the tasks of this split alone; the splits are those of the folder that a file lies in, else of --pack")
	fs.BoolVar(&f.strict, "strict", false, "exit with 1 on any finding")
	fs.BoolVar(&f.machine, "json", false, "print one JSON object a finding")
	c.RunE = func(c *cobra.Command, args []string) error { return a.validate(c.Context(), &f, args[0]) }
	return c
}

func (a *app) validate(ctx context.Context, f *validateFlags, path string) error {
	o, err := findOrigin(path)
	if err != nil {
		return err
	}
	tasks, err := o.some(f.source.given("split"), f.split, f.source.pack)
	if err != nil {
		return err
	}
	src, err := a.world(f, o, tasks)
	if err != nil {
		return err
	}
	if err := fits(src, o, tasks); err != nil {
		return err
	}
	claims, edited, err := o.claims(tasks)
	if err != nil {
		return err
	}
	if len(edited) > 0 {
		fmt.Fprintf(a.log, "validate: %s changed since %s was made, the first %s, by the hashes in %s\n", plural(len(edited), "task"), o.dir, edited[0], run.MetaFile)
	}
	book, err := src.book()
	if err != nil {
		return err
	}
	found, err := gates.Validate(ctx, tasks, src.Domain, src.Contract, book, claims)
	if err != nil {
		return err
	}
	if err := printFaults(a.out, found, len(tasks), f.machine); err != nil {
		return err
	}
	return verdict(found, f.strict)
}

// world loads the database that the tasks are checked on: the one that the flags
// name, else the one that the files beside the tasks name.
func (a *app) world(f *validateFlags, o *origin, tasks []tau.Task) (*source, error) {
	if f.source.pack == "" && !f.source.given("world-seed") {
		switch {
		case o.run != nil && o.run.Domain.WorldSeed == nil:
			return nil, usage(fmt.Errorf("%s was made from pack %s", o.dir, o.run.Domain.Pack), "give its folder with --pack")
		case o.run != nil:
			f.source.worldSeed = *o.run.Domain.WorldSeed
		case o.pack != nil:
			f.source.pack = o.dir
		default:
			fmt.Fprintf(a.log, "validate: nothing says what database the tasks belong to; built-in world %d is taken\n", f.source.worldSeed)
		}
	}
	name, err := f.named(o, tasks)
	if err != nil {
		return nil, err
	}
	return f.source.load(name)
}

// named is the domain that the tasks are of.
func (f *validateFlags) named(o *origin, tasks []tau.Task) (string, error) {
	if f.domain != "" {
		return f.domain, nil
	}
	if f.source.pack != "" {
		head, err := readPackHead(f.source.pack)
		if err != nil {
			return "", err
		}
		return head.domain(), nil
	}
	name, _ := o.domain(tasks)
	return name, nil
}

// fits refuses tasks of another domain or database: what would be found on it
// says nothing about them.
func fits(src *source, o *origin, tasks []tau.Task) error {
	const advice = "--pack DIR or --world-seed N name the database that the tasks were made for; a run directory names its own"
	if err := knownTools(src, o.file, tasks); err != nil {
		return err
	}
	if o.run != nil && o.run.Domain.Hashes["database"] != src.Domain.Environment().Hash() {
		return usage(fmt.Errorf("%s was made on another database than that of %s", o.dir, src.label()), advice)
	}
	w := gates.FitWorld(tasks, src.Domain, src.Contract)
	if w.Wrong() {
		return usage(fmt.Errorf("%s: %d of %d tasks that name customers or records name none that %s has, the first %s",
			o.file, w.Strange, w.Named, src.label(), w.Example), advice)
	}
	return nil
}

// knownTools refuses tasks of another domain.
func knownTools(src *source, path string, tasks []tau.Task) error {
	for i := range tasks {
		for n, name := range run.GoldSequence(&tasks[i]) {
			if src.Domain.Tool(name) == nil {
				return usage(&tau.FileError{
					File: path, Task: tasks[i].ID, Path: fmt.Sprintf("evaluation_criteria.actions[%d].name", n),
					Err: fmt.Errorf("unknown tool %q", name),
				}, "give the tasks' own domain with --domain or --pack")
			}
		}
	}
	return nil
}

// printFaults writes the findings, and for people how many tasks have one of each
// kind.
func printFaults(out io.Writer, found []gates.Fault, tasks int, machine bool) error {
	with := map[gates.Kind]map[string]bool{}
	for _, f := range found {
		if with[f.Kind] == nil {
			with[f.Kind] = map[string]bool{}
		}
		with[f.Kind][f.Task] = true
		if machine {
			if err := printLine(out, f); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Fprintln(out, faultLine(f)); err != nil {
			return err
		}
	}
	if machine {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s: %d unsolvable, %d ungated, %d with odd wording, %d with warnings, %d not checked in full\n", plural(tasks, "task"),
		len(with[gates.Unsolvable]), len(with[gates.Ungated]), len(with[gates.Wording]), len(with[gates.Warning]), len(with[gates.NotChecked]))
	return err
}

// faultLine writes a finding for people: task, kind, class and rule, evidence,
// where it stands, and what to do.
func faultLine(f gates.Fault) string {
	rule := f.Rule
	if f.Class != "" {
		rule = fmt.Sprintf("%s (%s)", f.Class, f.Rule)
	}
	line := fmt.Sprintf("%s: %s: %s: %s", f.Task, f.Kind, rule, f.Evidence)
	if f.More > 0 {
		line += fmt.Sprintf(" (and %d more)", f.More)
	}
	if f.Path != "" {
		line += fmt.Sprintf("; %s: %q", f.Path, f.Text)
	}
	if f.Advice != "" {
		line += "; " + f.Advice
	}
	return line
}

func verdict(found []gates.Fault, strict bool) error {
	for _, f := range found {
		if f.Kind == gates.Unsolvable || strict && f.Kind != gates.NotChecked {
			return errFindings
		}
	}
	return nil
}
