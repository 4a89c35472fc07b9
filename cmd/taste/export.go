package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"taste/run"
)

func (a *app) exportCommand() *cobra.Command {
	c := &cobra.Command{Use: "export", Short: "Write a run in another program's form", Args: positional(0, 0, "a form: tau2")}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(a.exportTau2Command())
	return c
}

// exported is what machines read of an export.
type exported struct {
	Event  string `json:"event"`
	Run    string `json:"run"`
	Out    string `json:"out"`
	Domain string `json:"domain"`
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]+$`)

// shellWord spells a text so that a POSIX shell takes it as one word.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func (a *app) exportTau2Command() *cobra.Command {
	var f continueFlags
	c := &cobra.Command{
		Use: "tau2 RUN --out DIR", Short: "Write a data folder for τ²-bench",
		Long: `Tau2 writes database, policy, user guidelines, tasks and splits of a finished
run, so that TAU2_DATA_DIR=DIR tau2 run --domain NAME plays it.`,
		Args: positional(1, 1, "a run directory"),
	}
	f.add(c.Flags())
	c.Flags().StringVar(&f.work.out, "out", "", "folder to write, new or empty")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if f.work.out == "" {
			return usage(errors.New("export tau2: --out is missing"), "name a new or empty folder")
		}
		if err := outFolder(f.work.out); err != nil {
			return err
		}
		s, err := a.resume(args[0], &f)
		if err != nil {
			return err
		}
		err = s.close(writable(run.ExportTau2(s.Dir, s.Manifest, s.source.Domain, f.work.out)))
		if err != nil {
			return err
		}
		if f.work.machine {
			return printLine(a.out, exported{"result", args[0], f.work.out, s.source.Domain.Name})
		}
		_, err = fmt.Fprintf(a.out, "TAU2_DATA_DIR=%s tau2 run --domain %s\n", shellWord(f.work.out), s.source.Domain.Name)
		return err
	}
	return c
}
