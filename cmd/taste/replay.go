package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"taste/env"
	"taste/eval"
	"taste/internal/hint"
)

// replayFlags are those of `taste replay`.
type replayFlags struct {
	pack    string
	set     string
	first   int
	workers int
	machine bool

	semantics string
}

func (a *app) replayCommand() *cobra.Command {
	var f replayFlags
	c := &cobra.Command{
		Use: "replay TRACES… --pack DIR", Short: "Replay recorded traces against a pack's native tools",
		Long: `Replay makes every call of recorded traces again and compares answers, error
flags, database hashes and rewards. TRACES are files of JSON lines, gzip or not;
docs/traces.md describes them. The first differences are printed in full.

Exit codes: 0 all as recorded; 1 something differs; 2 bad input.`,
		Args: positional(1, -1, "trace files"),
	}
	fs := c.Flags()
	fs.StringVar(&f.pack, "pack", "", "pack that the traces were recorded on")
	fs.StringVar(&f.set, "tasks", "", "task set that the traces refer to (default: the one in the file's name)")
	fs.StringVar(&f.semantics, "semantics", "compat", "compat: as the reference; strict: without the known faults of its tools, to see what rests on them")
	fs.IntVar(&f.first, "first", 5, "differences of each file printed in full")
	fs.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "traces replayed side by side")
	fs.BoolVar(&f.machine, "json", false, "print one JSON object a file")
	c.RunE = func(c *cobra.Command, args []string) error { return a.replay(c.Context(), &f, args) }
	return c
}

func (a *app) replay(ctx context.Context, f *replayFlags, files []string) error {
	if f.pack == "" {
		return usage(errors.New("replay: --pack is missing"), "name the pack that the traces were recorded on")
	}
	if f.first < 0 || f.workers < 1 {
		return usage(fmt.Errorf("replay: --first %d, --workers %d", f.first, f.workers), "want at least 0 and at least 1")
	}
	p, err := loadPack(f.pack)
	if err != nil {
		return err
	}
	switch f.semantics {
	case "compat":
	case "strict":
		p.Domain = p.Domain.Strict()
	default:
		return usage(fmt.Errorf("replay: --semantics %q", f.semantics), "want compat or strict")
	}
	r := eval.PackReplay(p, f.set)
	r.Workers, r.Keep = f.workers, f.first
	found := false
	for _, path := range files {
		report, err := r.File(ctx, path)
		if err != nil {
			return usage(err, "%s", replayAdvice(err, f, p))
		}
		if err := printReplay(a.out, report, f.machine); err != nil {
			return err
		}
		if report.Traces > 0 && report.OtherStart == report.Traces {
			fmt.Fprintf(a.log, "%s: every trace begins with another database than that of pack %s; was it recorded there?\n", path, p.Domain.Pack)
		}
		found = found || report.Mismatches > 0
	}
	if found {
		return errFindings
	}
	return nil
}

// replayAdvice says what to do about traces that cannot be replayed.
func replayAdvice(err error, f *replayFlags, p *env.Pack) string {
	switch {
	case errors.Is(err, eval.ErrNoTask) && f.set == "":
		return fmt.Sprintf("are the traces of pack %s? --tasks names the task set that they refer to: %s", p.Domain.Pack, strings.Join(p.TaskSets(), ", "))
	case errors.Is(err, eval.ErrNoTask):
		return fmt.Sprintf("are the traces of pack %s and its task set %s?", p.Domain.Pack, f.set)
	case errors.Is(err, fs.ErrNotExist):
		return "give existing files"
	}
	if h := hint.Of(err); h != "" {
		return h
	}
	return "docs/traces.md describes what a line may hold"
}

func printReplay(out io.Writer, r *eval.FileReport, machine bool) error {
	if machine {
		return printLine(out, r)
	}
	drawn := ""
	if r.Drawn > 0 {
		drawn = fmt.Sprintf(", %d but for a key that is drawn at random there", r.Drawn)
	}
	_, err := fmt.Fprintf(out, "%s: %s, %s (%d compared by flag and hash alone%s), %s\n",
		r.File, plural(r.Traces, "trace"), plural(r.Calls, "call"), r.Inexact, drawn, plural(r.Mismatches, "mismatch"))
	for i := range r.First {
		if err == nil {
			_, err = fmt.Fprintln(out, r.First[i].String())
		}
	}
	if rest := r.Mismatches - len(r.First); err == nil && rest > 0 {
		_, err = fmt.Fprintf(out, "and %d more; --first N prints more of them\n", rest)
	}
	return err
}
