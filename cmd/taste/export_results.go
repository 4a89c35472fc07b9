package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"taste/results"
)

func (a *app) exportResultsCommand() *cobra.Command {
	var out, layout string
	c := &cobra.Command{
		Use: "tau2-results RESULTS --out PATH", Short: "Write results as τ²-bench reads them",
		Long: `Tau2-results writes results in one of the two layouts of τ²-bench: one file, or a
folder of results.json and a file a simulation. A file whose name ends in .gz is
packed. Nothing that RESULTS hold is lost.`,
		Args: positional(1, 1, "a results file or folder"),
	}
	c.Flags().StringVar(&out, "out", "", "new file or folder")
	c.Flags().StringVar(&layout, "layout", "file", "file or folder")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if out == "" {
			return usage(errors.New("export tau2-results: --out is missing"), "name a new file or folder")
		}
		if err := checkLayout(layout); err != nil {
			return err
		}
		r, err := loadResults(args[0])
		if err != nil {
			return err
		}
		return writable(results.Save(out, r, results.Layout(layout)))
	}
	return c
}

func (a *app) exportCSVCommand() *cobra.Command {
	var f viewFlags
	var out string
	c := &cobra.Command{
		Use: "csv RESULTS", Short: "Write results as a table, a line a simulation",
		Long: `Csv writes who played which task in which trial, how it ended, the recorded
reward and its components, the strict reward and its reason, costs and seconds.

Strict rewards are those of today, where there is a world to make them on, as with
` + "`taste view`" + `, else empty.`,
		Args: positional(1, 1, "a results file or folder"),
	}
	c.Flags().StringVar(&out, "out", "", "new file (default: standard output)")
	f.addScores(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		v, err := openResults(args[0])
		if err != nil {
			return err
		}
		scored, err := a.scoresOf(c.Context(), &f, v)
		if err != nil {
			return err
		}
		if out == "" {
			return results.WriteCSV(a.out, v.results, scored)
		}
		file, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return writable(fmt.Errorf("write CSV: %w", err))
		}
		return errors.Join(results.WriteCSV(file, v.results, scored), file.Close())
	}
	return c
}
