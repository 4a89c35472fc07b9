package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"taste/chat"
	"taste/env"
	"taste/internal/gitdir"
	"taste/run"
)

// importFlags are those of `taste pack import`.
type importFlags struct {
	domain, out, name, tools, commit string
	tasks                            []string
	machine                          bool
}

func (a *app) packImportCommand() *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use: "import CHECKOUT --domain D --out DIR", Short: "Make a pack of a checkout of τ²-bench",
		Long: `Import takes the data of one domain out of a checkout of the repository of
τ²-bench: policy, databases, tasks, splits and instructions to users, byte for
byte, with licence and commit. How tools are described to models stands in code
there: give a file with --tools, or the program's own descriptions are taken.

The pack is checked as ` + "`taste pack check`" + ` does, and appears whole or not at all.

Exit codes: 0 done; 1 done, but something is wrong with references, gold or
splits; 2 bad input: no checkout, files missing or broken; 3 DIR is not empty.`,
		Args: positional(1, 1, "the folder of a checkout"),
	}
	fs := c.Flags()
	fs.StringVar(&f.domain, "domain", "", "domain to import")
	fs.StringVar(&f.out, "out", "", "folder to write, new or empty")
	fs.StringVar(&f.name, "name", "", "name of the pack (default tau2-DOMAIN)")
	fs.StringVar(&f.tools, "tools", "", "file of tool specifications, as packs have it (default: the program's own)")
	fs.StringVar(&f.commit, "commit", "", "commit that the files are of (default: that of the checkout's .git)")
	fs.StringSliceVar(&f.tasks, "tasks", nil, "further task set, as NAME=FILE; may be repeated")
	fs.BoolVar(&f.machine, "json", false, "print JSON lines")
	c.RunE = func(_ *cobra.Command, args []string) error { return a.packImport(args[0], &f) }
	return c
}

// imported is what machines read of an import.
type imported struct {
	Event  string `json:"event"`
	Pack   string `json:"pack"`
	Out    string `json:"out"`
	Domain string `json:"domain"`
	Commit string `json:"commit"`
	Tools  string `json:"tools"` // "built-in", or the file
	Tasks  int    `json:"tasks"`
	Wrong  int    `json:"wrong"`
}

func (a *app) packImport(checkout string, f *importFlags) error {
	im, err := f.plan(checkout)
	if err != nil {
		return err
	}
	var review *env.PackReview
	err = run.WriteFolder("import", f.out, func(dir string) error {
		if err := im.Write(dir); err != nil {
			return err
		}
		if review, err = env.CheckPack(dir, registry()); err != nil {
			return err
		}
		return a.sound(checkout, review, f.machine)
	})
	if err != nil {
		return inputFault(err)
	}
	if err := a.printImport(im, f, review); err != nil {
		return err
	}
	if wrong, _ := countFaults(review.Faults); wrong > 0 {
		return errFindings
	}
	return nil
}

// inputFault tells what is wrong with a checkout as bad input.
func inputFault(err error) error {
	if errors.Is(err, env.ErrCheckout) {
		return inputError{err}
	}
	return writable(err)
}

// plan reads flags and provenance.
func (f *importFlags) plan(checkout string) (*env.Import, error) {
	switch {
	case f.domain == "":
		return nil, usage(errors.New("pack import: --domain is missing"), "domains: %s", strings.Join(registry().Names(), ", "))
	case f.out == "":
		return nil, usage(errors.New("pack import: --out is missing"), "name a new or empty folder")
	}
	if err := outFolder("out", f.out); err != nil {
		return nil, err
	}
	t, err := findToolset(f.domain)
	if err != nil {
		return nil, err
	}
	im := &env.Import{Checkout: checkout, Domain: f.domain, Upstream: t.upstream, Native: t.native, Name: f.name, Tools: t.specs()}
	if err := im.Find(); err != nil {
		return nil, inputFault(err)
	}
	if im.Name == "" {
		im.Name = "tau2-" + f.domain
	}
	if f.tools != "" {
		if im.Tools, err = toolsFile(f.tools); err != nil {
			return nil, err
		}
	}
	if im.More, err = f.more(); err != nil {
		return nil, err
	}
	im.Origin, err = f.origin(checkout)
	return im, err
}

func toolsFile(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err == nil {
		var tools []chat.ToolSpec
		if err = json.Unmarshal(data, &tools); err != nil {
			err = fmt.Errorf("read %s: %w", path, err)
		}
	}
	return data, usage(err, "--tools wants a list of tool specifications; docs/pack.md describes them")
}

var plainSet = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// more reads the further task sets.
func (f *importFlags) more() ([]env.MoreTask, error) {
	var all []env.MoreTask
	for _, arg := range f.tasks {
		set, file, _ := strings.Cut(arg, "=")
		taken := set == "default" || slices.ContainsFunc(all, func(m env.MoreTask) bool { return m.Set == set })
		if !plainSet.MatchString(set) || file == "" || taken {
			return nil, usage(fmt.Errorf("pack import: --tasks %s", arg), "want NAME=FILE; default is the checkout's own set")
		}
		if _, err := os.Stat(file); err != nil {
			return nil, usage(err, "--tasks names existing files")
		}
		m := env.MoreTask{Set: set, File: file}
		if commit, err := gitdir.Head(filepath.Dir(file)); err == nil {
			m.Origin = env.Origin{Repository: gitdir.Repository(filepath.Dir(file)), Commit: commit}
		}
		all = append(all, m)
	}
	return all, nil
}

// upstreamRepository is where checkouts come from unless they say otherwise.
const upstreamRepository = "sierra-research/tau2-bench"

var hexCommit = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

func (f *importFlags) origin(checkout string) (env.Origin, error) {
	o := env.Origin{Repository: upstreamRepository, Commit: f.commit}
	if _, err := os.Stat(filepath.Join(checkout, ".git")); err == nil {
		if name := gitdir.Repository(checkout); name != "" {
			o.Repository = name
		}
		if o.Commit == "" {
			o.Commit, err = gitdir.Head(checkout)
		}
		if err != nil {
			return o, usage(err, "name the commit with --commit")
		}
	}
	if !hexCommit.MatchString(o.Commit) {
		return o, usage(fmt.Errorf("pack import: commit %q of %s", o.Commit, checkout), "a pack says which commit it is of: give the whole hash, 40 digits, with --commit")
	}
	return o, nil
}

// sound refuses a pack that cannot be used, and prints why.
func (a *app) sound(checkout string, r *env.PackReview, machine bool) error {
	unfit := 0
	for i := range r.Faults {
		if f := &r.Faults[i]; f.Grade == env.Wrong && f.Kind != env.AboutReference && f.Kind != env.AboutGold && f.Kind != env.AboutSplit {
			unfit++
		}
	}
	if unfit == 0 {
		return nil
	}
	if err := printReview(a.out, r, machine); err != nil {
		return err
	}
	return usage(fmt.Errorf("%s makes no pack that can be used: %s", checkout, plural(unfit, "fault")), "nothing was written; is the checkout of another version of τ²-bench?")
}

func (a *app) printImport(im *env.Import, f *importFlags, r *env.PackReview) error {
	wrong, _ := countFaults(r.Faults)
	tools := "built-in"
	if f.tools != "" {
		tools = f.tools
	}
	if len(r.Faults) > 0 {
		if err := printReview(a.out, r, f.machine); err != nil {
			return err
		}
	}
	if f.machine {
		return printLine(a.out, imported{"result", im.Name, f.out, im.Domain, im.Origin.Commit, tools, r.Tasks, wrong})
	}
	if f.tools == "" {
		tools = "the program's own; --tools FILE gives others"
	}
	_, err := fmt.Fprintf(a.out, "%s: %s in %s\nsource: %s at %s\ntool descriptions: %s\n", im.Name, plural(r.Tasks, "task"), f.out,
		im.Origin.Repository, im.Origin.Commit, tools)
	return err
}
