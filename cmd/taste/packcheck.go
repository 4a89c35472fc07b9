package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"taste/env"
)

func (a *app) packCommand() *cobra.Command {
	c := &cobra.Command{Use: "pack", Short: "Check packs, or make them of a checkout of τ²-bench", Args: cobra.NoArgs}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(a.packCheckCommand(), a.packImportCommand())
	return c
}

func (a *app) packCheckCommand() *cobra.Command {
	var strict, machine bool
	c := &cobra.Command{
		Use: "check DIR", Short: "Say everything that is wrong with a pack",
		Long: `Check looks at a whole pack and says at once all that is wrong with it: keys of
the manifest, missing files, hashes, databases that do not fit the domain's data
model, references to records that are not there, tools that the domain lacks or
takes otherwise, tasks that do not load or cannot be set up, gold and functions
that name what is not there, splits of tasks that are not there.

A finding is "wrong" where the pack or a task cannot be used as it is, and
"doubtful" where it can, but hardly was meant so.

Exit codes: 0 nothing wrong; 1 something is, with --strict also what is doubtful;
2 bad input: the folder has no manifest.`,
		Args: positional(1, 1, "the folder of a pack"),
	}
	c.Flags().BoolVar(&strict, "strict", false, "exit with 1 on what is doubtful too")
	c.Flags().BoolVar(&machine, "json", false, "print one JSON object a finding")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if err := tau2Pack(args[0]); err != nil {
			return err
		}
		r, err := env.CheckPack(args[0], registry())
		if err != nil {
			return usage(err, packAdvice)
		}
		if err := printReview(a.out, r, machine); err != nil {
			return err
		}
		if wrong, doubtful := countFaults(r.Faults); wrong > 0 || strict && doubtful > 0 {
			return errFindings
		}
		return nil
	}
	return c
}

// notePack says that there is something wrong with a pack that is worked with
// nevertheless; "" is none.
func (a *app) notePack(dir string) error {
	if dir == "" {
		return nil
	}
	r, err := env.CheckPack(dir, registry())
	if err != nil {
		return usage(err, packAdvice)
	}
	if wrong, _ := countFaults(r.Faults); wrong > 0 {
		_, err = fmt.Fprintf(a.log, "pack %s: %s wrong with it; `taste pack check %s` says what\n", dir, plural(wrong, "thing"), dir)
	}
	return err
}

func countFaults(faults []env.PackFault) (wrong, doubtful int) {
	for i := range faults {
		if faults[i].Grade == env.Wrong {
			wrong++
		}
	}
	return wrong, len(faults) - wrong
}

func printReview(out io.Writer, r *env.PackReview, machine bool) error {
	for i := range r.Faults {
		f := &r.Faults[i]
		var err error
		if machine {
			err = printLine(out, f)
		} else {
			_, err = fmt.Fprintf(out, "%s: %s\n", f.Grade, f)
			if err == nil && f.Hint != "" {
				_, err = fmt.Fprintf(out, "  hint: %s\n", f.Hint)
			}
		}
		if err != nil {
			return err
		}
	}
	if machine {
		return nil
	}
	wrong, doubtful := countFaults(r.Faults)
	_, err := fmt.Fprintf(out, "%s: %s, %s: %d wrong, %d doubtful\n", r.Name, plural(r.Tools, "tool"), plural(r.Tasks, "task"), wrong, doubtful)
	return err
}
