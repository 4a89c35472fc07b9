package scripted

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/goccy/go-yaml"

	"taste/llm"
)

// Script answers by rules, of which the first that fits and is not used up
// counts. It counts what it has answered: read it anew to begin anew.
type Script struct {
	Rules []*Rule `yaml:"rules"`

	mu    sync.Mutex
	asked map[string]int // how often, by the digest of a request
}

// Rule says what to answer when. It has an Answer or a Fault.
type Rule struct {
	Name   string        `yaml:"name"`  // for logs; else its number
	When   When          `yaml:"when"`  // empty: always
	Times  int           `yaml:"times"` // how often it is used at most; 0: any number of times
	Delay  time.Duration `yaml:"delay"` // before anything is answered
	Answer *Answer       `yaml:"answer"`
	Fault  *Fault        `yaml:"fault"`

	fitted int // requests that fit, its Nth apart
	used   int
}

// ErrNoRule says that a script has nothing to answer.
var ErrNoRule = errors.New("no rule of the script fits the request")

// Read reads a script, in full or not at all.
func Read(data []byte) (*Script, error) {
	s := &Script{asked: map[string]int{}}
	if err := yaml.UnmarshalWithOptions(data, s, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("read script: %w", err)
	}
	if len(s.Rules) == 0 {
		return nil, errors.New("read script: it has no rules")
	}
	for i, r := range s.Rules {
		if r == nil {
			return nil, fmt.Errorf("read script: rule %d is empty", i+1)
		}
		if r.Name == "" {
			r.Name = fmt.Sprintf("rule %d", i+1)
		}
		if err := r.prepare(); err != nil {
			return nil, fmt.Errorf("read script: %s: %w", r.Name, err)
		}
	}
	return s, nil
}

// prepare checks a rule and makes it ready.
func (r *Rule) prepare() error {
	switch {
	case (r.Answer == nil) == (r.Fault == nil):
		return errors.New("a rule has either an answer or a fault")
	case r.Times < 0 || r.Delay < 0:
		return errors.New("times and delay are not negative")
	}
	if err := r.When.prepare(); err != nil {
		return fmt.Errorf("when: %w", err)
	}
	if r.Fault != nil {
		return r.Fault.check()
	}
	return r.Answer.prepare()
}

// Answer is the script as a Func.
func (s *Script) Answer(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	v := look(r)
	rule := s.choose(v)
	if rule == nil {
		return nil, ErrNoRule
	}
	if name, ok := ctx.Value(ruleKey{}).(*string); ok {
		*name = rule.Name
	}
	if err := pause(ctx, rule.Delay); err != nil {
		return nil, err
	}
	if rule.Fault != nil {
		return nil, rule.Fault
	}
	return rule.Answer.render(v)
}

// First answers by f, and by rest what no rule of f's script fits.
func First(f, rest Func) Func {
	return func(ctx context.Context, r *llm.Request) (*llm.Response, error) {
		res, err := f(ctx, r)
		if errors.Is(err, ErrNoRule) {
			return rest(ctx, r)
		}
		return res, err
	}
}

// ruleKey finds, in a context, where the name of the rule used is to be written.
type ruleKey struct{}

// choose takes the first rule that fits, and counts.
func (s *Script) choose(v *view) *Rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[digest(v.request)]++
	v.asked = s.asked[digest(v.request)]
	for _, r := range s.Rules {
		if !r.When.fits(v) || r.Times > 0 && r.used >= r.Times {
			continue
		}
		r.fitted++
		if r.When.Nth > 0 && r.fitted != r.When.Nth {
			continue
		}
		r.used++
		return r
	}
	return nil
}

// pause waits for d or the end of ctx, which is an error.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-timer.Done()
	return ctx.Err()
}
