package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taste/rules"
	"taste/run"
	"taste/synth"
)

// workFlags say where and how the work is done; they change no result.
type workFlags struct {
	out     string
	workers int
	machine bool
}

func (f *workFlags) add(fs *pflag.FlagSet) {
	fs.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "how much is done side by side; changes no result")
	fs.BoolVar(&f.machine, "json", false, "events and results for machines, one JSON object a line")
}

func (f *workFlags) check() error {
	if f.workers < 1 || f.workers > 1024 {
		return usage(fmt.Errorf("--workers %d: want 1 to 1024", f.workers), "leave it out to use all cores")
	}
	return nil
}

// startFlags are those of commands that may begin a run directory.
type startFlags struct {
	source   sourceFlags
	settings settingFlags
	work     workFlags
}

func (f *startFlags) add(fs *pflag.FlagSet) {
	f.source.add(fs)
	f.settings.add(fs)
	f.work.add(fs)
	fs.StringVar(&f.work.out, "out", "", "run directory (default: runs/PACK-SEED, runs/PACK-worldN-SEED for --world-seed N beside 1)")
}

// stages is a run that is under way.
type stages struct {
	run.Stages
	source *source
}

// begin checks everything that can be checked before work starts, and opens the
// run directory.
func (a *app) begin(name string, f *startFlags) (*stages, error) {
	if err := f.work.check(); err != nil {
		return nil, err
	}
	src, err := f.source.load(name)
	if err != nil {
		return nil, err
	}
	if err := a.notePack(f.source.pack); err != nil {
		return nil, err
	}
	settings, err := f.settings.settings(src)
	if err != nil {
		return nil, err
	}
	m, err := manifest(src, settings)
	if err != nil {
		return nil, err
	}
	if _, err := src.makers(); err != nil {
		return nil, err
	}
	path := f.work.out
	if path == "" {
		path = src.defaultOut(settings.Seed)
	}
	if err := outFolder("out", path); err != nil {
		return nil, err
	}
	dir, err := run.Create(path, m)
	if err != nil {
		return nil, writable(err)
	}
	return a.stages(dir, m, src, f.work)
}

func manifest(src *source, settings run.Settings) (*run.Manifest, error) {
	d, err := src.describe()
	if err != nil {
		return nil, err
	}
	m := &run.Manifest{Format: run.Format, Program: version, Domain: d, Settings: settings}
	return m, m.SetCanary()
}

func (a *app) stages(dir *run.Dir, m *run.Manifest, src *source, w workFlags) (*stages, error) {
	vocab, err := synth.Vocabulary(src.Domain.Tools)
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return &stages{source: src, Stages: run.Stages{
		Dir: dir, Manifest: m, Vocab: vocab, SeedTasks: src.SeedTasks,
		Judge: rules.NewJudge(src.Contract), License: src.License, HandOff: src.Contract.Protocol.Handoff, Gold: src.gold(), Workers: w.workers, Observer: a.progress(w.machine),
	}}, nil
}

// gold tells what of a sequence stands in gold; nil: all.
func (s *source) gold() func(tool string) bool {
	if len(s.Contract.Gold.Keep) == 0 {
		return nil
	}
	return s.Contract.InGold
}

// continueFlags are those of commands over an existing run directory.
type continueFlags struct {
	source sourceFlags
	work   workFlags
}

func (f *continueFlags) add(fs *pflag.FlagSet) {
	f.source.addFiles(fs)
	f.work.add(fs)
}

// resume opens a run directory and the domain that it was made from.
func (a *app) resume(path string, f *continueFlags) (*stages, error) {
	if err := f.work.check(); err != nil {
		return nil, err
	}
	dir, m, err := run.Open(path)
	if err != nil {
		return nil, err
	}
	s, err := a.reload(dir, m, f)
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return s, nil
}

func (a *app) reload(dir *run.Dir, m *run.Manifest, f *continueFlags) (*stages, error) {
	if m.Domain.WorldSeed == nil && f.source.pack == "" {
		return nil, usage(fmt.Errorf("continue %s: it was made from pack %s", dir.Path(), m.Domain.Pack), "give its folder with --pack")
	}
	if m.Domain.WorldSeed != nil {
		f.source.worldSeed = *m.Domain.WorldSeed
	} else {
		f.source.seedTasks = m.Domain.SeedTasks
	}
	src, err := f.source.load(m.Domain.Name)
	if err != nil {
		return nil, err
	}
	want, err := manifest(src, m.Settings)
	if err == nil {
		err = run.Equal(dir.Path(), m, want)
	}
	if err != nil {
		return nil, err
	}
	return a.stages(dir, m, src, f.work)
}

// close ends the display and lets go of the directory.
func (s *stages) close(err error) error {
	return errors.Join(err, s.Dir.Close())
}

func (a *app) sampleCommand() *cobra.Command {
	var f startFlags
	c := &cobra.Command{Use: "sample DOMAIN", Short: "Stage 1: learn which tool sequences are plausible", Args: positional(1, 1, "a domain")}
	f.add(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		s, err := a.begin(args[0], &f)
		if err != nil {
			return err
		}
		_, err = s.Sample(c.Context())
		return s.close(err)
	}
	return c
}

func (a *app) selectCommand() *cobra.Command {
	var f continueFlags
	c := &cobra.Command{Use: "select RUN", Short: "Stage 2: choose a broad set of sequences", Args: positional(1, 1, "a run directory")}
	f.add(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		s, err := a.resume(args[0], &f)
		if err != nil {
			return err
		}
		_, err = s.Select(c.Context())
		return s.close(err)
	}
	return c
}
