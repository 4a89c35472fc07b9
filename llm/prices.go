package llm

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

// Prices says what models cost.
type Prices struct {
	AsOf   string           `yaml:"as_of"`  // day on which the prices were read, 2006-01-02
	Models map[string]Price `yaml:"models"` // by name, e.g. "openai/gpt-x"
}

// Price is what a model costs, in dollars per million tokens.
type Price struct {
	Rates `yaml:",inline"`
	Long  *Long `yaml:"long"` // for calls with a long input; nil: the same
}

// Rates are dollars per million tokens.
type Rates struct {
	Input   float64  `yaml:"input"`
	Cached  *float64 `yaml:"cached"`  // see Usage; nil: as other input
	Written *float64 `yaml:"written"` // the same
	Output  float64  `yaml:"output"`
}

// Long is the price of a call, all its tokens, whose input exceeds so many tokens.
type Long struct {
	Over  int64 `yaml:"over"`
	Rates `yaml:",inline"`
}

//go:embed prices.yaml
var prices []byte

// DefaultPrices returns the table that comes with the program.
func DefaultPrices() *Prices {
	p, err := ReadPrices(prices, nil)
	if err != nil {
		panic(err) // a test reads the table
	}
	return p
}

// ReadPrices reads a table of prices. What it says of a model stands instead of
// what base says; base may be nil, and is left as it is.
func ReadPrices(data []byte, base *Prices) (*Prices, error) {
	p := &Prices{}
	if err := yaml.UnmarshalWithOptions(data, p, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("read prices: %w", err)
	}
	if _, err := time.Parse(time.DateOnly, p.AsOf); err != nil {
		return nil, fmt.Errorf("read prices: as_of is the day on which they were read, like 2026-11-30: got %q", p.AsOf)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Models)) {
		if err := p.Models[name].check(); err != nil {
			return nil, fmt.Errorf("read prices of %s: %w", name, err)
		}
	}
	if base != nil {
		own := p.Models
		p.Models = maps.Clone(base.Models)
		maps.Copy(p.Models, own)
	}
	return p, nil
}

func (p Price) check() error {
	rates := []Rates{p.Rates}
	if p.Long != nil {
		rates = append(rates, p.Long.Rates)
		if p.Long.Over <= 0 {
			return errors.New("long.over is a number of tokens above 0")
		}
	}
	for _, r := range rates {
		if min(r.Input, r.Output, r.or(r.Cached), r.or(r.Written)) < 0 {
			return errors.New("a price is below 0")
		}
	}
	return nil
}

// dated are the endings of names that pin a version of a model.
var dated = regexp.MustCompile(`-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$`)

// Of returns the price of a model by its name: as it stands, else without
// its date. Names of the Responses interface count as those of its provider.
func (p *Prices) Of(name string) (Price, bool) {
	if rest, ok := strings.CutPrefix(name, "openai-responses/"); ok {
		name = "openai/" + rest
	}
	if price, ok := p.Models[name]; ok {
		return price, true
	}
	price, ok := p.Models[dated.ReplaceAllString(name, "")]
	return price, ok
}

// Cost returns what one call costs.
func (p Price) Cost(u Usage) Money {
	r := p.Rates
	if p.Long != nil && u.Input > p.Long.Over {
		r = p.Long.Rates
	}
	return perToken(r.Input)*Money(u.Input-u.Cached-u.Written) + perToken(r.or(r.Cached))*Money(u.Cached) +
		perToken(r.or(r.Written))*Money(u.Written) + perToken(r.Output)*Money(u.Output)
}

// or is a rate of some of the input, that of other input where it has none.
func (r Rates) or(own *float64) float64 {
	if own == nil {
		return r.Input
	}
	return *own
}

// perToken is the price of a token where a million cost so many dollars.
func perToken(dollars float64) Money { return Dollars(dollars / 1e6) }
