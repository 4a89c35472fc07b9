package connect

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"regexp"
	"sync"
	"time"

	"taste/internal/hint"
	"taste/llm"
	"taste/llm/cache"
)

// Deps is what a connector is given by the process.
type Deps struct {
	Getenv    func(string) string
	Now       llm.Clock
	Prices    *llm.Prices
	Store     *cache.Store                                           // keeps calls; nil: none
	Replay    bool                                                   // only kept calls are answered: nothing is reached, and no key is needed
	Notify    func(model string, err *llm.Error, wait time.Duration) // told of calls that are tried again; may be nil
	Transport http.RoundTripper                                      // nil: one that keeps many connections
}

// Connector makes models that share limits, a budget and a store. It is safe
// for concurrent use.
type Connector struct {
	config *Config
	deps   Deps
	budget *llm.Budget

	mu       sync.Mutex
	models   map[string]llm.Model    // by name, all but a role's options around them
	limiters map[string]*llm.Limiter // by address and key
}

// patience is how long an attempt at a call may take where the configuration
// does not say.
const patience = 5 * time.Minute

// New makes a connector. What the store holds counts as spent.
func New(c *Config, d Deps) *Connector {
	out := &Connector{
		config: c, deps: d, budget: llm.NewBudget(c.Budget.Caps(), d.Prices),
		models: map[string]llm.Model{}, limiters: map[string]*llm.Limiter{},
	}
	if d.Store != nil {
		for call := range d.Store.All() {
			out.budget.Charge(call.Model, call.Usage)
		}
	}
	return out
}

// Model makes the model of a specification for a role, whose options fill in
// what a request leaves open, the model's name first. What cannot work is refused
// here: nothing is sent yet.
func (c *Connector) Model(spec, role string) (llm.Model, error) {
	s, err := Parse(spec)
	if err != nil {
		return nil, err
	}
	m, err := c.shared(s)
	if err != nil {
		return nil, err
	}
	p := c.config.Providers[s.settings()]
	return &filled{llm.Refusals(m), s.Model, c.config.Roles[role].over(c.config.Options), p.Seeds != nil && !*p.Seeds}, nil
}

// shared is the model that all roles of a specification share.
func (c *Connector) shared(s Spec) (llm.Model, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := s.Name()
	if m, ok := c.models[name]; ok {
		return m, nil
	}
	m, err := c.decorate(s)
	if err != nil {
		return nil, err
	}
	c.models[name] = m
	return m, nil
}

// decorate wraps the adapter: cache → budget → retry → limiter → timeout → redact.
func (c *Connector) decorate(s Spec) (llm.Model, error) {
	if c.deps.Replay {
		return c.deps.Store.Replay(s.Name()), nil
	}
	r, err := c.look(s)
	if err != nil {
		return nil, err
	}
	m, err := r.model(c.deps.Transport)
	if err != nil {
		return nil, err
	}
	m = llm.Redact(m, r.secrets...)
	m = llm.Timeout(m, cmp.Or(c.config.Timeout, patience))
	m = c.limiter(r).Limit(m)
	m = llm.Retry(m, c.retries(s.Name()))
	if m, err = c.budget.Cap(m); err != nil {
		return nil, err
	}
	if c.deps.Store != nil {
		m = c.deps.Store.Model(m)
	}
	return m, nil
}

func (c *Connector) retries(name string) llm.Retries {
	out := llm.Retries{}
	if c.config.Retries != nil {
		out.Tries = *c.config.Retries + 1
	}
	if c.deps.Notify != nil {
		out.Notify = func(err *llm.Error, wait time.Duration) { c.deps.Notify(name, err, wait) }
	}
	return out
}

// limiter is shared by all models of an address and key.
func (c *Connector) limiter(r *reached) *llm.Limiter {
	id := r.BaseURL + "\n" + r.key
	l := c.limiters[id]
	if l == nil {
		l = llm.NewLimiter(llm.Limits{
			RequestsPerMinute: limit(r.RequestsPerMinute), TokensPerMinute: limit(r.TokensPerMinute), MaxInFlight: limit(r.MaxInFlight),
		}, c.deps.Now)
		c.limiters[id] = l
	}
	return l
}

// filled is a model that fills in what requests leave open. It stands outside the
// cache: all that it fills in is part of a call's key.
type filled struct {
	llm.Model
	model   string
	options Options
	noSeeds bool
}

func (m *filled) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	out, o := *r, m.options
	out.Model = m.model
	out.MaxTokens = cmp.Or(out.MaxTokens, limit(o.MaxTokens))
	out.Effort = cmp.Or(out.Effort, o.Effort)
	if out.Temperature == nil {
		out.Temperature = o.Temperature
	}
	if out.TopP == nil {
		out.TopP = o.TopP
	}
	if m.noSeeds {
		out.Seed = nil
	}
	if len(o.Extra) > 0 {
		out.Extra = maps.Clone(o.Extra)
		maps.Copy(out.Extra, r.Extra)
	}
	res, err := m.Model.Call(ctx, &out)
	return res, advised(err, out.Schema != nil)
}

// aboutSchemas are words of providers that refuse schemas.
var aboutSchemas = regexp.MustCompile(`(?i)schema|structured output|response_?format|output_?format|output_config`)

// advised puts advice beside an error that settings can mend.
func advised(err error, schema bool) error {
	e, ok := errors.AsType[*llm.Error](err)
	refused := ok && e.Class == llm.Refused
	switch {
	case (refused || ok && e.Class == llm.BadRequest) && schema && aboutSchemas.MatchString(e.Error()):
		return hint.Add(err, "if the model takes no JSON schemas, say `schemas: false` of its provider in the file of models (docs/llm.md)")
	case refused && hint.Of(err) == "":
		return hint.Add(err, "the provider knows no such model, or is not at this address: docs/llm.md says how both are given")
	}
	return err
}
