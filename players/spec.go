package players

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"taste/internal/hint"
	"taste/results"
	"taste/rules"
	"taste/sim"
	"taste/tau"
)

// flawedPrefix stands before a technique in the specification of the agent
// that lacks its skill.
const flawedPrefix = "flawed/"

// AgentSpecs lists what ParseAgent understands, for people.
func AgentSpecs() []string {
	return append(rules.AgentNames(), flawedPrefix+"TECHNIQUE")
}

// UserSpecs lists what ParseUser understands, for people.
func UserSpecs() []string { return []string{"rules"} }

// ParseAgent makes the agents that a specification stands for: one of
// AgentSpecs. args are further arguments of theirs, by name.
func ParseAgent(spec string, args map[string]any, d Deps) (Agents, error) {
	return referenceAgents(spec, args, d)
}

// ParseUser makes the users that a specification stands for: one of UserSpecs.
func ParseUser(spec string, args map[string]any, d Deps) (Users, error) {
	if spec == "rules" {
		return rulesUsers(args, d)
	}
	return nil, unknown("user", spec, UserSpecs())
}

// unknown refuses a specification.
func unknown(side, spec string, known []string) error {
	if strings.Contains(spec, "/") || strings.HasPrefix(spec, "llm_") {
		return hint.Add(fmt.Errorf("make %s: %q names a language model, and none can be called yet", side, spec),
			"there are %s", strings.Join(known, ", "))
	}
	return hint.Add(fmt.Errorf("make %s: no %s is called %q", side, side, spec), "there are %s", strings.Join(known, ", "))
}

// noArgs refuses arguments of a party that takes none.
func noArgs(side, spec string, args map[string]any) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("make %s: %s takes no arguments, but %s is given", side, spec, strings.Join(slices.Sorted(maps.Keys(args)), ", "))
}

// referenceAgents makes the agents that need no model.
func referenceAgents(spec string, args map[string]any, d Deps) (Agents, error) {
	name := spec
	if technique, ok := strings.CutPrefix(spec, flawedPrefix); ok {
		if name = rules.FlawedName(technique); name == "" {
			return nil, hint.Add(fmt.Errorf("make agent: there is no technique %q", technique), "there are %s", strings.Join(rules.Techniques(), ", "))
		}
	}
	if !slices.Contains(rules.AgentNames(), name) {
		return nil, unknown("agent", spec, AgentSpecs())
	}
	if err := noArgs("agent", spec, args); err != nil {
		return nil, err
	}
	if name == "oracle" {
		return &agents{info: named(name), make: rules.Oracle}, nil
	}
	if name != "noop" && (d.Contract == nil || d.Book == nil) {
		return nil, lacksRules("agent", spec, d)
	}
	made, err := rules.AgentByName(name, d.Contract, d.Book, nil)
	if err != nil {
		return nil, err
	}
	info := named(name)
	if name != "noop" {
		info.Fingerprint = fingerprint(name, d.Knowledge)
	}
	return &agents{info: info, make: func(*tau.Task) sim.NewAgent { return made }}, nil
}

// rulesUsers makes users that act on the phrase book's sentences.
func rulesUsers(args map[string]any, d Deps) (Users, error) {
	if err := noArgs("user", "rules", args); err != nil {
		return nil, err
	}
	if d.Book == nil {
		return nil, lacksRules("user", "rules", d)
	}
	info := named("rules")
	info.Fingerprint = fingerprint("rules", d.Knowledge)
	made := rules.Customer(d.Book)
	return &users{info: info, make: func(*tau.Task) sim.NewUser { return made }, fits: readable(made)}, nil
}

func lacksRules(side, spec string, d Deps) error {
	return hint.Add(fmt.Errorf("make %s: %s works from a contract and a phrase book, which domain %s does not have", side, spec, d.Domain.Name),
		"give them by --contract and --phrases, or choose another %s", side)
}

// named describes a party that its name says all about.
func named(name string) Info {
	return Info{Party: results.Party{Implementation: name}, Fingerprint: fingerprint(name)}
}

// fingerprint sums up what a party's conduct depends on.
func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
