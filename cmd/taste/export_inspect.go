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
with ` + "`taste view`" + `, else the recorded ones. PATH ends in .json, or is a folder, in
which the log gets a name that ` + "`inspect view`" + ` lists.`,
		Args: positional(1, 1, "a results file or folder"),
	}
	fl := c.Flags()
	fl.StringVar(&out, "out", "", "new file that ends in .json, or a folder")
	fl.BoolVar(&f.recorded, "recorded", false, "write recorded scores, make none anew")
	fl.StringArrayVar(&f.worlds.packs, "pack", nil, "pack that the simulations ran on")
	seedVar(fl, &f.worlds.seed, "world-seed", "seed of the built-in world, where no pack is of the domain")
	c.RunE = func(c *cobra.Command, args []string) error { return a.exportInspect(c.Context(), &f, args[0], out) }
	return c
}

func (a *app) exportInspect(ctx context.Context, f *viewFlags, path, out string) error {
	if out == "" {
		return usage(errors.New("export inspect: --out is missing"), "name a new file that ends in .json, or a folder")
	}
	all, err := openViews(path)
	if err == nil && (len(all) != 1 || all[0].results == nil || all[0].unfinished) {
		err = usage(fmt.Errorf("export inspect %s: not the results of one system", path), "give a results file or folder, or the directory of an evaluation's system")
	}
	if err != nil {
		return err
	}
	r := all[0].results
	info, err := os.Stat(out)
	switch {
	case err == nil && info.IsDir():
		out = filepath.Join(out, inspect.Name(r))
	case !strings.HasSuffix(out, ".json"):
		return usage(fmt.Errorf("export inspect: --out %s", out), "Inspect knows logs of this format by the end of their names: let it be .json, or name a folder that is there")
	}
	if _, err := os.Stat(out); err == nil {
		return fmt.Errorf("export inspect: %s: %w", out, fs.ErrExist)
	}
	scored, err := a.scoresOf(ctx, f, &all[0])
	if err != nil {
		return err
	}
	log, err := inspect.Log(r, scored)
	if err != nil {
		return usage(err, "every task has each trial once")
	}
	if err := writeNew(out, append(pyjson.Append(nil, log, pyjson.Style{Indent: "  "}), '\n')); err != nil {
		return writable(err)
	}
	_, err = fmt.Fprintln(a.out, out)
	return err
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
