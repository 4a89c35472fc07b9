package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"taste/eval"
	"taste/llm"
	"taste/llm/cache"
	"taste/llm/connect"
	"taste/models"
	"taste/run"
)

// evalModels are the models of an evaluation. Their calls are kept in the run's
// folder, as soon as there is one.
type evalModels struct {
	app       *app
	config    *connect.Config
	prices    *llm.Prices
	store     *cache.Store // nil: none yet
	replay    bool
	connector *connect.Connector
	rehearsal *rehearsal // plays instead of models; nil: they play
	seats     []*seat
}

// seat is a model that can be bound anew, before its first call.
type seat struct {
	llm.Model
	spec, role string
}

// Options implements what players look for.
func (s *seat) Options() map[string]any {
	if o, ok := s.Model.(interface{ Options() map[string]any }); ok {
		return o.Options()
	}
	return nil
}

// readModels reads a file of models; without one there is an empty configuration.
func readModels(file string) (*connect.Config, error) {
	if file == "" {
		return &connect.Config{}, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, usage(err, "--models names a YAML file; docs/llm.md describes it")
	}
	c, err := connect.Read(data)
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", file, err), "docs/llm.md describes files of models")
	}
	return c, nil
}

// evalModels prepares the models of an evaluation and has the file of models fill in
// who plays.
func (a *app) evalModels(c *evalConfig) (*evalModels, error) {
	config, err := readModels(c.Models)
	if err != nil {
		return nil, err
	}
	if err := c.fillIn(config); err != nil {
		return nil, err
	}
	config.Budget.Dollars = tighter(config.Budget.Dollars, c.Budget.Dollars)
	config.Budget.Tokens = tighter(config.Budget.Tokens, c.Budget.Tokens)
	m := &evalModels{app: a, config: config, replay: c.Replay != ""}
	if m.prices, err = priceTable(config.Prices); err != nil {
		return nil, err
	}
	if m.replay {
		if m.store, err = cache.OpenReplay(callsFile(c.Replay)); err != nil {
			return nil, usage(err, "--replay names the directory of an evaluation with models, or its file of calls")
		}
	}
	m.connect()
	return m, nil
}

// tighter is the lower of two caps, of which 0 is none.
func tighter[T int64 | float64](a, b T) T {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// callsFile is where the calls of a run are kept.
func callsFile(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, run.CallsFile)
	}
	return path
}

func (m *evalModels) connect() {
	m.connector = connect.New(m.config, connect.Deps{
		Getenv: m.app.getenv, Now: m.app.now, Prices: m.prices, Store: m.store, Replay: m.replay, Notify: m.app.waits(),
	})
}

// model makes the model of a specification.
func (m *evalModels) model(spec, role string) (llm.Model, error) {
	connected := m.connector.Model
	if m.rehearsal != nil {
		connected = m.rehearsal.model
	}
	made, err := connected(spec, role)
	if err != nil {
		return nil, err
	}
	s := &seat{made, spec, role}
	m.seats = append(m.seats, s)
	return s, nil
}

// price says what a call of a model costs.
func (m *evalModels) price(model string, u llm.Usage) *float64 {
	p, ok := m.prices.Of(model)
	if !ok {
		return nil
	}
	dollars := p.Cost(u).Float()
	return &dollars
}

// judge makes the judge of assertions in words; nil: there is none.
func (m *evalModels) judge(spec string) (eval.Judge, error) {
	if spec == "none" {
		return nil, nil
	}
	made, err := m.model(spec, "nl_judge")
	if err != nil {
		return nil, err
	}
	return models.NewNLJudge(models.Base{Model: made})
}

// keep has calls kept in the run's folder, if there are any to come.
func (m *evalModels) keep(root string) (err error) {
	if m.replay || len(m.seats) == 0 {
		return nil
	}
	saveMemory()
	if m.store, err = cache.Open(filepath.Join(root, run.CallsFile)); err != nil {
		return err
	}
	m.connect()
	for _, s := range m.seats {
		if s.Model, err = m.connector.Model(s.spec, s.role); err != nil {
			return err
		}
	}
	return nil
}

func (m *evalModels) close() error {
	if m.store == nil {
		return nil
	}
	return m.store.Close()
}

// scoringJudge makes the judge of assertions that `taste score` asks; nil: it asks
// none. done ends its work.
func (a *app) scoringJudge(f *scoreFlags) (j eval.Judge, done func() error, err error) {
	done = func() error { return nil }
	if !f.asks() {
		return nil, done, nil
	}
	m, err := a.asking(f.models, f.calls)
	if err != nil {
		return nil, done, err
	}
	if j, err = m.judge(f.judge); err != nil {
		return nil, done, errors.Join(badParty(err), m.close())
	}
	return j, m.close, nil
}

// fillIn takes from a file of models who plays where nothing else says so.
func (c *evalConfig) fillIn(config *connect.Config) error {
	if agent := config.Player("agent"); len(c.Agents) == 0 && agent != "" {
		c.Agents = []partySpec{{Spec: agent}}
	}
	if len(c.Users) == 0 {
		c.Users = []partySpec{{Spec: cmp.Or(config.Player("user"), "rules")}}
	}
	c.Judge = cmp.Or(c.Judge, config.Player("nl_judge"), "none")
	return c.check()
}

// errNoAgent says that nobody is to be evaluated.
var errNoAgent = errors.New("eval: no agent")
