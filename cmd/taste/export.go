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
	c := &cobra.Command{Use: "export", Short: "Write a run or results in another program's form", Args: positional(0, 0, "a form: tau2, tau2-results, inspect or csv")}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(a.exportTau2Command(), a.exportResultsCommand(), a.exportInspectCommand(), a.exportCSVCommand())
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
		if err := outFolder("out", f.work.out); err != nil {
			return err
		}
		name, err := a.exportTau2(args[0], &f)
		if err != nil {
			return err
		}
		if f.work.machine {
			return printLine(a.out, exported{"result", args[0], f.work.out, name})
		}
		_, err = fmt.Fprintf(a.out, "TAU2_DATA_DIR=%s tau2 run --domain %s\n", shellWord(f.work.out), name)
		return err
	}
	return c
}

// exportTau2 exports a run, or a folder of tasks that were made harder, and
// returns the name of their domain.
func (a *app) exportTau2(path string, f *continueFlags) (string, error) {
	dir, m, err := run.OpenHarder(path)
	if err != nil {
		return "", err
	}
	if dir != nil {
		src, err := sourceOf(path, m, f)
		if err == nil {
			err = writable(run.ExportTau2(dir, m.Canary, src.Domain, src.upstream, f.work.out))
		}
		return m.Domain.Name, errors.Join(err, dir.Close())
	}
	s, err := a.resume(path, f)
	if err != nil {
		return "", err
	}
	return s.source.Domain.Name, s.close(writable(run.ExportTau2(s.Dir, s.Manifest.Canary, s.source.Domain, s.source.upstream, f.work.out)))
}

// sourceOf brings up the domain of a folder of tasks that were made harder.
func sourceOf(path string, m *run.HardManifest, f *continueFlags) (*source, error) {
	switch {
	case m.Domain.WorldSeed != nil:
		f.source.worldSeed = *m.Domain.WorldSeed
	case f.source.pack == "":
		return nil, usage(fmt.Errorf("export %s: it was made from pack %s", path, m.Domain.Pack), "give its folder with --pack")
	}
	src, err := f.source.load(m.Domain.Name)
	if err == nil && src.Domain.Environment().Hash() != m.Domain.Hashes["database"] {
		err = usage(fmt.Errorf("%s was made on another database than that of %s", path, src.label()), "give the pack or world that its manifest names")
	}
	return src, err
}
