package env

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"taste/chat"
	"taste/internal/hint"
)

// Domain is a policy, tools and initial databases. It is immutable once made
// and safe for concurrent use.
type Domain struct {
	Name      string // e.g. "airline": names the native implementation too
	Pack      string // name of the pack it came from
	Semantics string // "tau2" or "tau1"
	Policy    string
	Tools     []chat.ToolSpec
	Clock     string // the fixed "now", 2006-01-02T15:04:05
	License   string
	Source    string // where the data comes from, in words

	// Policies are further policies of a pack, by name: "solo", "workflow",
	// "workflow_solo".
	Policies map[string]string
	Variant  string // name of the policy among them; "" for the pack's first

	UserGuidelines     string // instructions to a simulated user
	UserToolGuidelines string // the same for a user with tools

	solo    bool // see Solo
	initial State
	specs   map[string]*chat.ToolSpec
}

// NewDomain completes d with its implementation's state. initial must not be
// used by the caller afterwards.
func NewDomain(d Domain, initial State) (*Domain, error) {
	d.initial = initial
	d.specs = make(map[string]*chat.ToolSpec, len(d.Tools))
	for i := range d.Tools {
		t := &d.Tools[i]
		if d.specs[t.Name] != nil {
			return nil, fmt.Errorf("make domain %s: tool %s is specified twice", d.Name, t.Name)
		}
		d.specs[t.Name] = t
	}
	return &d, nil
}

// Tool returns the specification of a tool of either side, or nil.
func (d *Domain) Tool(name string) *chat.ToolSpec { return d.specs[name] }

// UserTools returns the specifications of the user's tools, or of those alone
// that are named (nil: all), as tasks restrict them. A name that no tool of the
// user has is an error.
func (d *Domain) UserTools(only []string) ([]chat.ToolSpec, error) {
	for _, name := range only {
		if t := d.Tool(name); t == nil || t.Requestor != chat.User {
			return nil, fmt.Errorf("restrict the user's tools: the user has no tool %q", name)
		}
	}
	var out []chat.ToolSpec
	for _, t := range d.Tools {
		if t.Requestor == chat.User && (only == nil || slices.Contains(only, t.Name)) {
			out = append(out, t)
		}
	}
	return out, nil
}

// WithPolicy returns the domain under another of its policies, by name.
func (d *Domain) WithPolicy(name string) (*Domain, error) {
	text, ok := d.Policies[name]
	if !ok {
		has := "it has none beside its first"
		if len(d.Policies) > 0 {
			has = "it has " + strings.Join(slices.Sorted(maps.Keys(d.Policies)), ", ")
		}
		return nil, hint.Add(fmt.Errorf("domain %s has no policy %q", d.Name, name), "%s", has)
	}
	other := *d
	other.Policy, other.Variant = text, name
	return &other, nil
}

// Has tells whether a text is one of the domain's policies.
func (d *Domain) Has(policy string) bool {
	for _, p := range d.Policies {
		if p == policy {
			return true
		}
	}
	return policy == d.Policy
}

// Solo returns the domain for an agent that works without a user, on a task's
// ticket: it calls the tools of both sides, and a user calls none. Gold is as
// ever. Its policy is another one: see WithPolicy.
func (d *Domain) Solo() *Domain {
	solo := *d
	solo.solo = true
	return &solo
}

// Strict returns the domain under strict semantics: tools without known faults
// of the reference's. It is d itself where none are known. Packs, recorded traces
// and exported tasks mean the other semantics, compat, which every domain has
// from the start; environments of the two compare.
func (d *Domain) Strict() *Domain {
	s, ok := d.initial.(Strict)
	if !ok {
		return d
	}
	initial, ok := s.Strict()
	if !ok {
		return d
	}
	strict := *d
	strict.initial = initial
	return &strict
}

// Environment returns a fresh environment in the domain's initial state.
func (d *Domain) Environment() *Environment {
	return &Environment{domain: d, start: d.initial, state: d.initial.Fork()}
}
