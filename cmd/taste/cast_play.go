package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"taste/gates"
	"taste/internal/hint"
	"taste/llm"
	"taste/llm/cache"
	"taste/llm/connect"
	"taste/models"
	"taste/role"
	"taste/rules"
	"taste/run"
	"taste/sim"
)

// modelOf makes the model of a specification for a role.
type modelOf func(spec, role string) (llm.Model, error)

// base is what a role played by a model is made from.
func (c *cast) base(src *source, spec, role string, model modelOf) (models.Base, error) {
	m, err := model(spec, role)
	if err != nil {
		return models.Base{}, unreached(role, err)
	}
	return models.Base{Model: m, Domain: src.Domain, Contract: src.Contract}, nil
}

// judge makes the judge of sequences.
func (c *cast) judge(src *source, model modelOf) (role.Judge, error) {
	p := c.players["judge"]
	if p.Model == "" {
		return rules.NewJudge(src.Contract), nil
	}
	b, err := c.base(src, p.Model, "judge", model)
	if err != nil {
		return nil, err
	}
	j, err := models.NewJudge(b)
	if err != nil || !p.Rules {
		return j, err
	}
	return rules.NewScreen(src.Contract, j, c.audit), nil
}

// makers are the other roles: those of rules, and in the place of some models.
func (c *cast) makers(src *source, model modelOf) (run.Makers, error) {
	m, err := src.makers()
	if err != nil {
		return m, err
	}
	for _, replace := range []func(*run.Makers, *source, modelOf) error{c.author, c.reviewer, c.verifier, c.evolver, c.gate} {
		if err := replace(&m, src, model); err != nil {
			return m, err
		}
	}
	return m, nil
}

func (c *cast) author(m *run.Makers, src *source, model modelOf) error {
	spec := c.players["author"].Model
	if spec == "" {
		return nil
	}
	b, err := c.base(src, spec, "author", model)
	if err != nil {
		return err
	}
	a, err := models.NewAuthor(b)
	if err != nil {
		return err
	}
	m.Author = a
	return nil
}

func (c *cast) evolver(m *run.Makers, src *source, model modelOf) error {
	spec := c.players["evolver"].Model
	if spec == "" {
		return nil
	}
	b, err := c.base(src, spec, "evolver", model)
	if err != nil {
		return err
	}
	e, err := models.NewEvolver(b)
	m.Evolver = e
	return err
}

func (c *cast) reviewer(m *run.Makers, src *source, model modelOf) error {
	if len(c.config.Judges) == 0 {
		r, err := c.reviewerOf(c.players["reviewer"].Model, m.Reviewer, src, model)
		m.Reviewer = r
		return err
	}
	var panel models.Panel
	for _, name := range c.config.Judges {
		spec := name
		if name == run.Rules {
			spec = ""
		}
		r, err := c.reviewerOf(spec, m.Reviewer, src, model)
		if err != nil {
			return err
		}
		panel = append(panel, models.PanelMember{Name: name, Reviewer: r})
	}
	m.Reviewer = panel
	return nil
}

// reviewerOf is the reviewer of a model, or the one of rules without a model.
func (c *cast) reviewerOf(spec string, byRules role.Reviewer, src *source, model modelOf) (role.Reviewer, error) {
	if spec == "" {
		return byRules, nil
	}
	b, err := c.base(src, spec, "reviewer", model)
	if err != nil {
		return nil, err
	}
	return models.NewReviewer(b)
}

func (c *cast) verifier(m *run.Makers, src *source, model modelOf) error {
	spec := c.players["verifier"].Model
	if spec == "" {
		return nil
	}
	b, err := c.base(src, spec, "verifier", model)
	if err != nil {
		return err
	}
	user, err := c.user(src, model)
	if err != nil {
		return err
	}
	m.Verifier, err = models.NewVerifier(b, user)
	return err
}

func (c *cast) user(src *source, model modelOf) (sim.NewUser, error) {
	spec := c.players["user"].Model
	if spec == "" {
		book, err := src.book()
		return rules.Customer(book), err
	}
	b, err := c.base(src, spec, "user", model)
	return models.User(b), err
}

// gate is another one for tasks in words that the phrase book need not know.
func (c *cast) gate(m *run.Makers, src *source, _ modelOf) error {
	if !c.writes() {
		return nil
	}
	book, err := src.book()
	if err != nil {
		return err
	}
	g, err := gates.New(src.Domain, src.Contract, book).Foreign()
	m.Gate = g
	return err
}

// line is how the models of a command are reached, with what is kept of their
// calls.
type line struct {
	model  modelOf
	store  *cache.Store // nil: no model plays
	prices *llm.Prices
}

// connect makes the line of a run directory: models behind the calls that it
// keeps, or with --replay these calls, or those of another run, alone.
func (a *app) connect(c *connect.Config, replay, dir string) (*line, error) {
	prices, err := priceTable(c.Prices)
	if err != nil {
		return nil, err
	}
	out := &line{prices: prices}
	if out.store, err = openCalls(replay, dir); err != nil {
		return nil, err
	}
	reach := a.connector(c, connect.Deps{Prices: prices, Store: out.store, Replay: replay != ""})
	out.model = func(spec, role string) (llm.Model, error) { return &waiting{spec: spec, role: role, reach: reach}, nil }
	return out, nil
}

// waiting is a model that is reached at the first call: what of a run is done
// already needs no key.
type waiting struct {
	spec, role string
	reach      modelOf
	once       sync.Once
	model      llm.Model
	err        error
}

// Name is the specification, as models are called.
func (w *waiting) Name() string { return w.spec }

func (w *waiting) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	w.once.Do(func() { w.model, w.err = w.reach(w.spec, w.role) })
	if w.err != nil {
		return nil, unreached(w.role, w.err)
	}
	return w.model.Call(ctx, r)
}

// unreached is the error of a model that cannot be had.
func unreached(role string, err error) error {
	return advised(fmt.Errorf("%s: %w", role, err), "docs/llm.md says how models are named and where their keys are")
}

// advised marks an error as bad input. What advice it has it keeps.
func advised(err error, otherwise string) error {
	if hint.Of(err) != "" {
		return inputError{err}
	}
	return usage(err, "%s", otherwise)
}

// connector makes models.
func (a *app) connector(c *connect.Config, d connect.Deps) modelOf {
	d.Getenv, d.Now, d.Notify = a.getenv, a.now, a.waits()
	return connect.New(c, d).Model
}

func openCalls(replay, dir string) (*cache.Store, error) {
	switch {
	case replay == "":
		return cache.Open(filepath.Join(dir, run.CallsFile))
	case replay != ownCalls:
		dir = replay
	}
	s, err := cache.OpenReplay(callsFile(dir))
	if errors.Is(err, os.ErrNotExist) {
		return nil, usage(fmt.Errorf("replay: %w", err), "--replay=RUN names the run directory, or the file, with the calls")
	}
	return s, err
}

func (l *line) close() error {
	if l == nil || l.store == nil {
		return nil
	}
	return l.store.Close()
}
