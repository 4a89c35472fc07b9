package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"taste/internal/hint"
	"taste/llm"
)

// Config is what a file of models says. Keys are not in it: they come from the
// environment.
type Config struct {
	LLM      string   `yaml:"llm"` // plays every role that is not given
	Judge    string   `yaml:"judge"`
	Judges   []string `yaml:"judges"` // a committee for reviews
	Author   string   `yaml:"author"`
	Reviewer string   `yaml:"reviewer"`
	Verifier string   `yaml:"verifier"`
	User     string   `yaml:"user"`
	Evolver  string   `yaml:"evolver"`
	Agent    string   `yaml:"agent"`
	NLJudge  string   `yaml:"nl_judge"`

	Options   Options             `yaml:"options"`
	Roles     map[string]Options  `yaml:"roles"`     // by role, over Options
	Providers map[string]Provider `yaml:"providers"` // by openai, azure, anthropic, google, or the address of a server

	Budget  Budget        `yaml:"budget"`
	Timeout time.Duration `yaml:"timeout"` // of one attempt at a call; 0: five minutes
	Retries *int          `yaml:"retries"` // after a call that failed for a while; nil: five
	Prices  string        `yaml:"prices"`  // a file
}

// Options are what a role asks of its model; what is not set is the provider's
// default.
type Options struct {
	Temperature *float64       `yaml:"temperature"`
	TopP        *float64       `yaml:"top_p"`
	MaxTokens   *int           `yaml:"max_tokens"`
	Effort      string         `yaml:"effort"`
	Extra       map[string]any `yaml:"extra"` // further fields of the provider's request body
}

// Provider is how a provider is reached.
type Provider struct {
	BaseURL           string            `yaml:"base_url"`
	Headers           map[string]string `yaml:"headers"` // $NAME stands for what the environment says
	KeyEnv            string            `yaml:"key_env"` // where the environment has the key
	Organization      string            `yaml:"organization"`
	Project           string            `yaml:"project"`
	APIVersion        string            `yaml:"api_version"`
	Schemas           *bool             `yaml:"schemas"` // whether it takes JSON schemas; else they are put in words
	Seeds             *bool             `yaml:"seeds"`   // whether it takes seeds; nil: yes
	RequestsPerMinute *int              `yaml:"requests_per_minute"`
	TokensPerMinute   *int              `yaml:"tokens_per_minute"`
	MaxInFlight       *int              `yaml:"max_in_flight"`
}

// Budget caps what all calls may take; 0 is no cap, and stands in no file.
type Budget struct {
	Dollars float64 `yaml:"dollars"`
	Tokens  int64   `yaml:"tokens"`
	Calls   int64   `yaml:"calls"`
}

// UnmarshalYAML holds a budget to CheckCaps.
func (b *Budget) UnmarshalYAML(read func(any) error) error {
	type plain Budget
	if err := read((*plain)(b)); err != nil {
		return err
	}
	return CheckCaps(read, "tokens", "calls")
}

// CheckCaps holds the caps of a file to CheckCap, those that count to whole numbers;
// read takes them from it.
func CheckCaps(read func(any) error, counts ...string) error {
	var caps map[string]*float64
	if err := read(&caps); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(caps)) {
		if v := caps[name]; v != nil {
			if err := CheckCap("budget: "+name, *v); err != nil {
				return err
			}
			if slices.Contains(counts, name) && *v != math.Trunc(*v) {
				return fmt.Errorf("budget: %s is %v: want a whole number", name, *v)
			}
		}
	}
	return nil
}

// CheckCap refuses a cap that is given and not above 0, or without end: whoever writes 0
// may mean that there is no cap, or that nothing may be spent.
func CheckCap(name string, v float64) error {
	if v > 0 && !math.IsInf(v, 1) { // NaN is not above 0
		return nil
	}
	return fmt.Errorf("%s is %v, and a cap is finite and above 0: leave it out for no cap; --replay and --dry-run spend nothing", name, v)
}

// mostDollars is more than anybody spends, and less than llm.Money can hold.
const mostDollars = 1e6

// Caps are the budget as package llm has it.
func (b Budget) Caps() llm.Caps {
	return llm.Caps{Dollars: llm.Dollars(min(b.Dollars, mostDollars)), Tokens: b.Tokens, Calls: b.Calls}
}

// RoleNames are the roles that models can play.
var RoleNames = []string{"judge", "author", "reviewer", "verifier", "user", "evolver", "agent", "nl_judge"}

// Read reads a configuration, in full or not at all.
func Read(data []byte) (*Config, error) {
	c := &Config{}
	dec := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict())
	if err := dec.Decode(c); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read models: %w", err)
	}
	if err := dec.Decode(&Config{}); !errors.Is(err, io.EOF) {
		return nil, errors.New("read models: the file has a second document; one holds everything")
	}
	if err := c.Check(); err != nil {
		return nil, fmt.Errorf("read models: %w", err)
	}
	return c, nil
}

// Player is who plays a role by the configuration; "": it does not say.
func (c *Config) Player(role string) string {
	own := map[string]string{
		"judge": c.Judge, "author": c.Author, "reviewer": c.Reviewer, "verifier": c.Verifier,
		"user": c.User, "evolver": c.Evolver, "agent": c.Agent, "nl_judge": c.NLJudge,
	}[role]
	if own != "" {
		return own
	}
	return c.LLM
}

// Check says what is wrong with a configuration.
func (c *Config) Check() error {
	for _, role := range slices.Sorted(maps.Keys(c.Roles)) {
		if !slices.Contains(RoleNames, role) {
			return fmt.Errorf("roles: %q is none of %s", role, strings.Join(RoleNames, ", "))
		}
		if err := c.Roles[role].check(); err != nil {
			return fmt.Errorf("roles: %s: %w", role, err)
		}
	}
	if err := c.Options.check(); err != nil {
		return fmt.Errorf("options: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Providers)) {
		if err := c.Providers[name].check(name); err != nil {
			return fmt.Errorf("providers: %s: %w", name, err)
		}
	}
	switch {
	case c.Timeout < 0:
		return errors.New("timeout is not negative")
	case c.Retries != nil && *c.Retries < 0:
		return errors.New("retries are not negative")
	}
	return nil
}

// efforts are the words of providers; not every model takes each.
var efforts = []string{"", "none", "minimal", "low", "medium", "high", "xhigh", "max"}

func (o Options) check() error {
	switch {
	case o.Temperature != nil && !(*o.Temperature >= 0 && *o.Temperature <= 2): // as NaN is not
		return errors.New("temperature is within 0 and 2")
	case o.TopP != nil && !(*o.TopP > 0 && *o.TopP <= 1):
		return errors.New("top_p is above 0, up to 1")
	case !slices.Contains(efforts, o.Effort):
		return fmt.Errorf("effort is one of %s", strings.Join(efforts[1:], ", "))
	}
	return checkLimit("max_tokens", o.MaxTokens)
}

// checkLimit refuses a limit that is given and under 1, for what CheckCap refuses caps.
func checkLimit(name string, n *int) error {
	if n == nil || *n >= 1 {
		return nil
	}
	return fmt.Errorf("%s is %d, and a limit is 1 at least: leave it out to set none", name, *n)
}

// limit is a limit as package llm has it, where 0 is none.
func limit(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// over lays options over others.
func (o Options) over(base Options) Options {
	if o.Temperature == nil {
		o.Temperature = base.Temperature
	}
	if o.TopP == nil {
		o.TopP = base.TopP
	}
	if o.MaxTokens == nil {
		o.MaxTokens = base.MaxTokens
	}
	if o.Effort == "" {
		o.Effort = base.Effort
	}
	extra := maps.Clone(base.Extra)
	if extra == nil {
		extra = map[string]any{}
	}
	maps.Copy(extra, o.Extra)
	o.Extra = extra
	return o
}

func (p Provider) check(name string) error {
	known := slices.Contains([]string{"openai", "azure", "anthropic", "google"}, name)
	if !known && !strings.HasPrefix(name, "http://") && !strings.HasPrefix(name, "https://") {
		return errors.New("want openai, azure, anthropic, google or the address of a server, as in the model's specification")
	}
	if !known && p.BaseURL != "" {
		return errors.New("the address is there already: leave out base_url")
	}
	if err := errors.Join(checkLimit("requests_per_minute", p.RequestsPerMinute), checkLimit("tokens_per_minute", p.TokensPerMinute), checkLimit("max_in_flight", p.MaxInFlight)); err != nil {
		return err
	}
	for _, header := range slices.Sorted(maps.Keys(p.Headers)) {
		if secret(header) && !strings.HasPrefix(p.Headers[header], "$") {
			return hint.Add(fmt.Errorf("headers: %s holds a key", header),
				"keys come from the environment: write $NAME, and set NAME there")
		}
	}
	return nil
}

// secret says whether a header looks like one with a key.
func secret(header string) bool {
	header = strings.ToLower(header)
	for _, word := range []string{"auth", "key", "token", "secret", "cookie"} {
		if strings.Contains(header, word) {
			return true
		}
	}
	return false
}
