package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"taste/gates"
	"taste/run"
	"taste/tau"
)

// validateFlags are those of `taste validate`.
type validateFlags struct {
	source  sourceFlags
	domain  string
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
  wording      the scenario contradicts the database, gives answers away or
               leaves a choice open

What could not be checked is listed as "not checked", never as passed. Exit code
1 on the first kind, with --strict on all three.`,
		Args: positional(1, 1, "a task file"),
	}
	fs := c.Flags()
	f.source.add(fs)
	fs.StringVar(&f.domain, "domain", "airline", "domain of the tasks")
	fs.BoolVar(&f.strict, "strict", false, "exit with 1 on any finding")
	fs.BoolVar(&f.machine, "json", false, "print one JSON object a finding")
	c.RunE = func(c *cobra.Command, args []string) error { return a.validate(c.Context(), &f, args[0]) }
	return c
}

func (a *app) validate(ctx context.Context, f *validateFlags, path string) error {
	tasks, err := loadTasks(path)
	if err != nil {
		return err
	}
	if err := f.world(path); err != nil {
		return err
	}
	src, err := f.source.load(f.domain)
	if err != nil {
		return err
	}
	if err := knownTools(src, path, tasks); err != nil {
		return err
	}
	book, err := src.book()
	if err != nil {
		return err
	}
	found, err := gates.Validate(ctx, tasks, src.Domain, src.Contract, book)
	if err != nil {
		return err
	}
	if err := printFaults(a.out, found, len(tasks), f.machine); err != nil {
		return err
	}
	return verdict(found, f.strict)
}

// world takes the built-in world of a run directory from its manifest.
func (f *validateFlags) world(path string) error {
	if info, err := os.Stat(path); err != nil || !info.IsDir() || f.source.pack != "" || f.source.given("world-seed") {
		return nil
	}
	var m run.Manifest
	if err := decodeFile(filepath.Join(path, run.ManifestFile), &m); err != nil {
		return usage(err, "give a task file or a run directory")
	}
	if m.Domain.WorldSeed == nil {
		return usage(fmt.Errorf("%s was made from pack %s", path, m.Domain.Pack), "give its folder with --pack")
	}
	f.source.worldSeed = *m.Domain.WorldSeed
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

func printFaults(out io.Writer, found []gates.Fault, tasks int, machine bool) error {
	count := map[gates.Kind]int{}
	for _, f := range found {
		count[f.Kind]++
		if machine {
			if err := printLine(out, f); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Fprintf(out, "%s: %s: %s: %s\n", f.Task, f.Kind, f.Rule, f.Evidence); err != nil {
			return err
		}
	}
	if machine {
		return nil
	}
	_, err := fmt.Fprintf(out, "%d tasks: %d unsolvable, %d ungated, %d wording, %d not checked\n", tasks,
		count[gates.Unsolvable], count[gates.Ungated], count[gates.Wording], count[gates.NotChecked])
	return err
}

func verdict(found []gates.Fault, strict bool) error {
	for _, f := range found {
		if f.Kind == gates.Unsolvable || strict && f.Kind != gates.NotChecked {
			return errFindings
		}
	}
	return nil
}
