package env

import (
	"fmt"

	"taste/chat"
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

	UserGuidelines string // instructions to a simulated user

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
