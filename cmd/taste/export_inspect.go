package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"taste/inspect"
	"taste/pyjson"
	"taste/results"
)

func (a *app) exportInspectCommand() *cobra.Command {
	var f viewFlags
	var out string
	c := &cobra.Command{
		Use: "inspect RESULTS --out PATH", Short: "Write results as an evaluation log of Inspect",
		Long: `Inspect writes results as a log that Inspect (inspect_ai) reads: a sample a
simulation, trials as epochs, with messages, calls, scores and their evidence.
docs/view.md says what becomes of what.

Scores are those of today in both modes where there is a world to make them on, as
with ` + "`taste view`" + `, else the recorded ones. PATH ends in .json, or is a folder, new or
not, in which the log gets a name that ` + "`inspect view`" + ` lists.`,
		Args: positional(1, 1, "a results file or folder"),
	}
	fl := c.Flags()
	fl.StringVar(&out, "out", "", "new file that ends in .json, or a folder")
	f.addScores(fl)
	c.RunE = func(c *cobra.Command, args []string) error { return a.exportInspect(c.Context(), &f, args[0], out) }
	return c
}

func (a *app) exportInspect(ctx context.Context, f *viewFlags, path, out string) error {
	if out == "" {
		return usage(errors.New("export inspect: --out is missing"), "name a new file that ends in .json, or a folder")
	}
	v, err := openResults(path)
	if err != nil {
		return err
	}
	r := v.results
	if out, err = logFile(out, r); err != nil {
		return err
	}
	scored, err := a.scoresOf(ctx, f, v)
	if err != nil {
		return err
	}
	log, err := inspect.Log(r, scored)
	if err != nil {
		return usage(err, "every task has each trial once")
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return writable(fmt.Errorf("export inspect: %w", err))
	}
	if err := writeNew(out, append(pyjson.Append(nil, log, pyjson.Style{Indent: "  "}), '\n')); err != nil {
		return writable(err)
	}
	_, err = fmt.Fprintln(a.out, out)
	return err
}

// logFile is the file that --out stands for: itself, or one in the folder. What
// is not there is a folder if its name has no ending.
func logFile(out string, r *results.Results) (string, error) {
	info, err := os.Stat(out)
	switch {
	case err == nil && info.IsDir(), err != nil && filepath.Ext(out) == "":
		out = filepath.Join(out, inspect.Name(r))
	case !strings.HasSuffix(out, ".json"):
		return "", usage(fmt.Errorf("export inspect: --out %s", out), "Inspect knows logs of this format by the end of their names: let it be .json, or name a folder")
	}
	if _, err := os.Stat(out); err == nil {
		return "", fmt.Errorf("export inspect: %s: %w", out, fs.ErrExist)
	}
	return out, nil
}

// writeNew writes a file that was not there.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("export: %w", err), os.Remove(path))
	}
	return nil
}
