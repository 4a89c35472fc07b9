package main

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taste/llm/connect"
	"taste/rules"
	"taste/run"
	"taste/synth"
)

// workFlags say where and how the work is done; they change no result.
type workFlags struct {
	out     string
	workers int
	machine bool
	given   func(flag string) bool
}

func (f *workFlags) add(fs *pflag.FlagSet) {
	fs.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "how much is done side by side; changes no result")
	fs.BoolVar(&f.machine, "json", false, "events and results for machines, one JSON object a line")
	f.given = fs.Changed
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
	cast     castFlags
	work     workFlags
	dry      bool
}

func (f *startFlags) add(fs *pflag.FlagSet) {
	f.source.add(fs)
	f.settings.add(fs)
	f.cast.add(fs)
	f.work.add(fs)
	fs.BoolVar(&f.dry, "dry-run", false, "say what calls of models will take and cost, without making one")
	fs.StringVar(&f.work.out, "out", "", "run directory (default: runs/PACK-SEED, runs/PACK-worldN-SEED for --world-seed N beside 1)")
}

// stages is a run that is under way.
type stages struct {
	run.Stages
	source *source
	cast   *cast
	line   *line
	made   *run.Makers // the roles of third and fourth stage, once they are needed
}

// order is what a run is to be made from.
type order struct {
	source   *source
	cast     *cast
	settings run.Settings
}

// order checks what flags say, and says what is wrong with a pack.
func (a *app) order(name string, f *startFlags) (*order, error) {
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
	c, err := f.cast.cast(nil)
	if err != nil {
		return nil, err
	}
	settings, err := f.settings.settings(src, c)
	return &order{src, c, settings}, err
}

// begin checks everything that can be checked before work starts, and opens the
// run directory.
func (a *app) begin(name string, f *startFlags) (*stages, error) {
	o, err := a.order(name, f)
	if err != nil {
		return nil, err
	}
	src, c, settings := o.source, o.cast, o.settings
	m, err := manifest(src, settings, c)
	if err != nil {
		return nil, err
	}
	if err := a.rehearsable(src, c, f.cast.replay); err != nil {
		return nil, err
	}
	path := f.work.out
	if path == "" {
		path = src.defaultOut(settings.Seed)
	}
	if err := outFolder("out", path); err != nil {
		return nil, err
	}
	if c.used() && f.cast.replay != "" { // before there is a directory
		calls, err := openCalls(f.cast.replay, path)
		if err != nil {
			return nil, err
		}
		if err := calls.Close(); err != nil {
			return nil, err
		}
	}
	dir, err := run.Create(path, m)
	if err != nil {
		return nil, writable(err)
	}
	return a.stages(dir, m, src, c, f.cast.replay, f.work)
}

// rehearsable makes every role once, for what cannot work to be refused before
// anything is written.
func (a *app) rehearsable(src *source, c *cast, replay string) error {
	prices, err := priceTable(c.config.Prices)
	if err != nil {
		return err
	}
	model := a.connector(c.config, connect.Deps{Prices: prices, Replay: replay != ""})
	if _, err := c.judge(src, model); err != nil {
		return err
	}
	_, err = c.makers(src, model)
	return err
}

func manifest(src *source, settings run.Settings, c *cast) (*run.Manifest, error) {
	d, err := src.describe()
	if err != nil {
		return nil, err
	}
	m := &run.Manifest{Format: run.Format, Program: version, Domain: d, Settings: settings, Cast: c.describe()}
	return m, m.SetCanary()
}

func (a *app) stages(dir *run.Dir, m *run.Manifest, src *source, c *cast, replay string, w workFlags) (*stages, error) {
	s, err := a.staged(dir, m, src, c, replay, w)
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return s, nil
}

// staged is stages without care for the directory.
func (a *app) staged(dir *run.Dir, m *run.Manifest, src *source, c *cast, replay string, w workFlags) (*stages, error) {
	l := &line{}
	if c.used() {
		saveMemory()
		var err error
		if l, err = a.connect(c.config, replay, dir.Path()); err != nil {
			return nil, err
		}
		if !w.given("workers") { // models are waited for, not computed
			w.workers = max(w.workers, talksAtOnce)
		}
	}
	s, err := over(dir, m, src, c, l)
	if err != nil {
		return nil, errors.Join(err, l.close())
	}
	s.Workers, s.Observer = w.workers, a.progress(w.machine)
	return s, nil
}

// over makes the stages of a run whose models are behind a line.
func over(dir *run.Dir, m *run.Manifest, src *source, c *cast, l *line) (*stages, error) {
	vocab, err := synth.Vocabulary(src.Domain.Tools)
	if err != nil {
		return nil, err
	}
	judge, err := c.judge(src, l.model)
	if err != nil {
		return nil, err
	}
	s := &stages{source: src, cast: c, line: l}
	s.Stages = run.Stages{
		Dir: dir, Manifest: m, Vocab: vocab, SeedTasks: src.SeedTasks,
		Judge: judge, License: src.License, HandOff: src.Contract.Protocol.Handoff, Gold: src.gold(), Causes: src.causes(),
	}
	return s, nil
}

// talksAtOnce is how many tasks are worked on side by side where models are asked:
// several for each call that may be in flight, so that none of these is idle while
// the last conversations end.
const talksAtOnce = 128

// makers are the roles of the third and fourth stage.
func (s *stages) makers() (run.Makers, error) {
	if s.made == nil {
		m, err := s.cast.makers(s.source, s.line.model)
		if err != nil {
			return m, err
		}
		s.made = &m
	}
	return *s.made, nil
}

// gold tells what of a sequence stands in gold; nil: all.
func (s *source) gold() func(tool string) bool {
	if len(s.Contract.Gold.Keep) == 0 {
		return nil
	}
	return s.Contract.InGold
}

// causes are the faults of the contract.
func (s *source) causes() []synth.Cause {
	var out []synth.Cause
	for _, f := range s.Contract.Faults {
		c := synth.Cause{Name: f.Name, Behind: func(gold []string) bool { return rules.CanBeBehind(s.Contract, f, gold) }}
		for _, r := range f.Repairs {
			c.Repairs = append(c.Repairs, r.Tool)
		}
		out = append(out, c)
	}
	return out
}

// continueFlags are those of commands over an existing run directory.
type continueFlags struct {
	source sourceFlags
	cast   castFlags
	work   workFlags
}

func (f *continueFlags) add(fs *pflag.FlagSet) {
	f.source.addFiles(fs)
	f.cast.add(fs)
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
	c, err := f.cast.cast(m.Cast)
	if err != nil {
		return nil, err
	}
	want, err := manifest(src, m.Settings, c)
	if err == nil {
		err = run.Equal(dir.Path(), m, want)
	}
	if err != nil {
		return nil, err
	}
	return a.staged(dir, m, src, c, f.cast.replay, f.work)
}

// close ends the display and lets go of the directory.
func (s *stages) close(err error) error {
	return errors.Join(err, s.line.close(), s.Dir.Close())
}

func (a *app) sampleCommand() *cobra.Command {
	var f startFlags
	c := &cobra.Command{Use: "sample DOMAIN", Short: "Stage 1: learn which tool sequences are plausible", Args: positional(1, 1, "a domain")}
	f.add(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		if f.dry {
			return a.dryMake(c.Context(), args[0], &f, false)
		}
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
