package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"

	"taste/internal/ui"
	"taste/llm"
	"taste/llm/connect"
	"taste/models"
	"taste/run"
)

// making is a generation that is rehearsed, in run directories that are thrown
// away.
type making struct {
	*rehearsal
	*order
	app   *app
	whole *llm.Bill // what the run will take
}

// dryMake says what the models of a generation will take, or of its first stage alone.
func (a *app) dryMake(ctx context.Context, name string, f *startFlags, all bool) error {
	if err := noReplay(f.cast.replay); err != nil {
		return err
	}
	o, err := a.order(name, f)
	if err != nil {
		return err
	}
	prices, err := priceTable(o.cast.config.Prices)
	if err != nil {
		return err
	}
	book, err := o.source.book()
	if err != nil {
		return err
	}
	r, err := newRehearsal(prices, models.Kit{Domain: o.source.Domain, Contract: o.source.Contract, Book: book})
	if err != nil {
		return err
	}
	a.announce()
	m := &making{r, o, a, llm.NewBill(prices)}
	if err := m.judged(ctx, all); err != nil {
		return err
	}
	if all {
		if err := m.written(ctx); err != nil {
			return err
		}
	}
	return a.printEstimate(m.whole, f.work.machine)
}

// over does work over a run directory of its own.
func (m *making) over(c *cast, settings run.Settings, work func(*stages) error) error {
	dir, err := os.MkdirTemp("", "taste-dry-run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // nothing depends on it
	f, err := manifest(m.source, settings, c)
	if err != nil {
		return err
	}
	d, err := run.Create(dir, f)
	if err != nil {
		return err
	}
	s, err := over(d, f, m.source, c, &line{model: m.model})
	if err != nil {
		return errors.Join(err, d.Close())
	}
	s.Workers, s.Observer = talksAtOnce, ui.New(ui.Silent, nil, m.app.now)
	return s.close(work(s))
}

// judged plays what the judge is asked, in full: that does not depend on tasks.
func (m *making) judged(ctx context.Context, all bool) error {
	if m.cast.players["judge"].Model == "" {
		return nil
	}
	return m.over(m.cast, m.settings, func(s *stages) error {
		_, err := s.Sample(ctx)
		if err == nil && all {
			_, err = s.Select(ctx)
		}
		m.whole.Scale(m.meter.Take(), 1, 1)
		return err
	})
}

// written plays how some tasks are made, of sequences that rules judge.
func (m *making) written(ctx context.Context) error {
	c := *m.cast
	c.players = maps.Clone(c.players)
	c.players["judge"] = connect.Player{Rules: true}
	if !c.used() {
		return nil
	}
	few := m.settings
	few.Tasks = min(few.Tasks, rehearsed)
	few.Sample.Attempts, few.Sample.Probe = min(few.Sample.Attempts, 300), 0
	few.Select.Pool = min(few.Select.Pool, 200)
	return m.over(&c, few, func(s *stages) error {
		made, err := m.app.rehearseTasks(ctx, s)
		if errors.Is(err, run.ErrTooFew) {
			return usage(fmt.Errorf("%w: %w", errNotRehearsed, err), "a larger --pool or more --tries may give something to rehearse")
		}
		m.whole.Scale(m.meter.Take(), int64(m.settings.Tasks), int64(max(made, 1)))
		return err
	})
}

// rehearseTasks does all stages and returns how many tasks there are.
func (a *app) rehearseTasks(ctx context.Context, s *stages) (int, error) {
	if _, err := s.Sample(ctx); err != nil {
		return 0, err
	}
	if _, err := s.Select(ctx); err != nil {
		return 0, err
	}
	made, err := a.instantiate(ctx, s)
	if err != nil {
		return 0, err
	}
	makers, err := s.makers()
	if err == nil {
		_, err = s.Evolve(ctx, makers)
	}
	return made, err
}
