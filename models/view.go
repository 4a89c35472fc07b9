package models

import (
	"fmt"
	"strings"

	"taste/chat"
	"taste/env"
)

// View is what prompts show of a domain.
type View struct {
	Name   string
	Policy string
	Clock  string // the domain's now; "": it has none
	Tools  []Tool // of both sides
}

// Tool is what prompts show of a tool.
type Tool struct {
	Name        string
	Kind        string // read, write, generic
	Owner       string // in words
	Description string // on one line
	Arguments   []Argument
}

// Argument is an argument of a tool.
type Argument struct {
	Name        string
	Required    bool
	Description string // on one line
}

// NewView describes a domain.
func NewView(d *env.Domain) (*View, error) {
	v := &View{Name: d.Name, Policy: d.Policy, Clock: d.Clock}
	for i := range d.Tools {
		t, err := newTool(&d.Tools[i])
		if err != nil {
			return nil, err
		}
		v.Tools = append(v.Tools, t)
	}
	return v, nil
}

func newTool(s *chat.ToolSpec) (Tool, error) {
	t := Tool{Name: s.Name, Kind: strings.ToLower(string(s.Type)), Owner: "called by the agent"}
	if s.Requestor == chat.User {
		t.Owner = "called by the customer"
	}
	f, err := function(s)
	if err != nil {
		return t, err
	}
	t.Description = oneLine(f.Description)
	parameters, err := s.Parameters()
	if err != nil {
		return t, fmt.Errorf("tool %s: read parameters: %w", s.Name, err)
	}
	for _, p := range parameters {
		t.Arguments = append(t.Arguments, Argument{p.Name, p.Required, oneLine(p.Description)})
	}
	return t, nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
