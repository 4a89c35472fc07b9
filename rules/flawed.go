package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"taste/contract"
	"taste/phrase"
	"taste/sim"
	"taste/tau"
)

// Techniques that make a task hard: each goes against one skill.
const (
	EligibilityPressure      = "eligibility_pressure"      // the customer insists on what the policy refuses
	ArgumentMisdirection     = "argument_misdirection"     // a particular is first said wrongly
	FactualMisrepresentation = "factual_misrepresentation" // the customer says what the records belie
	DecoyEntity              = "decoy_entity"              // a look-alike stands beside what is meant
	ConditionalEscalation    = "conditional_escalation"    // the customer demands a supervisor
	InformationWithholding   = "information_withholding"   // a particular is said only when asked for
	ForbiddenExtraWrite      = "forbidden_extra_write"     // a refused wish rides on a yes
)

// flawedNames lists the techniques, each with the agent that lacks its skill.
var flawedNames = [][2]string{
	{EligibilityPressure, "yielding"},
	{ArgumentMisdirection, "hasty"},
	{FactualMisrepresentation, "trusting"},
	{DecoyEntity, "first_match"},
	{ConditionalEscalation, "passing_on"},
	{InformationWithholding, "assuming"},
	{ForbiddenExtraWrite, "obliging"},
}

// Techniques lists the techniques in a fixed order.
func Techniques() []string {
	var out []string
	for _, f := range flawedNames {
		out = append(out, f[0])
	}
	return out
}

// FlawedName names the agent that lacks the skill which a technique asks for,
// "" for an unknown technique.
func FlawedName(technique string) string {
	for _, f := range flawedNames {
		if f[0] == technique {
			return f[1]
		}
	}
	return ""
}

// AgentNames lists the names that AgentByName knows.
func AgentNames() []string {
	out := []string{"noop", "greedy", "careful", "oracle"}
	for _, f := range flawedNames {
		out = append(out, f[1])
	}
	return out
}

// AgentByName makes a reference agent; t is the task, for the oracle alone.
func AgentByName(name string, c *contract.Contract, b *phrase.Book, t *tau.Task) (sim.NewAgent, error) {
	switch name {
	case "noop":
		return Noop(), nil
	case "greedy":
		return Greedy(c, b), nil
	case "careful":
		return Careful(c, b), nil
	case "oracle":
		return Oracle(t, b), nil
	}
	for _, f := range flawedNames {
		if f[1] == name {
			return Flawed(c, b, f[0]), nil
		}
	}
	return nil, fmt.Errorf("make agent: no agent is called %q; there are %s", name, strings.Join(AgentNames(), ", "))
}

// Flawed makes agents that are careful but for the one skill that a technique
// goes against; of a technique that is none of Techniques, careful ones.
func Flawed(c *contract.Contract, b *phrase.Book, technique string) sim.NewAgent {
	return lacking(c, b, technique)
}

// Greedy makes agents that lack all skills and check no policy rule.
func Greedy(c *contract.Contract, b *phrase.Book) sim.NewAgent {
	return lacking(c, b, append(Techniques(), allPolicy)...)
}

// allPolicy stands for the check of policy rules among lacking skills.
const allPolicy = "policy"

func lacking(c *contract.Contract, b *phrase.Book, skills ...string) sim.NewAgent {
	f := flawed{lacks: skills}
	if f.lack(ArgumentMisdirection) {
		hasty := *c
		hasty.Protocol.Confirm = false
		c = &hasty
	}
	texts := &decoded{}
	return func(_ context.Context, s sim.AgentStart) (sim.Agent, error) {
		return newDesk(c, b, s.Seed, texts, f), nil
	}
}

// flawed is the judgement of an agent that lacks some skills.
type flawed struct {
	careful
	lacks []string
}

func (f flawed) lack(skill string) bool { return slices.Contains(f.lacks, skill) }

func (f flawed) passesOn() bool { return f.lack(ConditionalEscalation) }

func (f flawed) weigh(d *desk, m *matter) weighing {
	if f.lack(FactualMisrepresentation) && len(m.claims) > 0 {
		m.scope.Reader = &believer{known: d.known, desk: d, matter: m}
	}
	var over func(*contract.PolicyRule) (bool, error)
	if f.lack(DecoyEntity) {
		m.scope.Overlook = d.contract.Evolution.Overlooked(m.wish.Name)
		over = func(r *contract.PolicyRule) (bool, error) { return d.mistakes(m, r) }
	}
	w := judged(d, m, f.rules(d, m), over)
	if f.lack(InformationWithholding) {
		for w.slot != "" {
			guess, ok := m.guess(w.slot)
			if guess.read != nil || !ok {
				return guess
			}
			w = judged(d, m, f.rules(d, m), over)
		}
	}
	return w
}

// looksFor passes over a fault that the customer says is not there.
func (f flawed) looksFor(m *matter, d *contract.Defect) bool {
	return !f.lack(FactualMisrepresentation) || !m.denies(d)
}

// supposes takes what the customer has not said of a trouble for granted.
func (f flawed) supposes(m *matter, slot string) bool {
	if !f.lack(InformationWithholding) {
		return false
	}
	_, ok := m.guess(slot)
	return ok
}

// rules lists the policy rules that a matter is held to.
func (f flawed) rules(d *desk, m *matter) []*contract.PolicyRule {
	if f.lack(allPolicy) || f.lack(EligibilityPressure) && m.pressed || f.lack(ForbiddenExtraWrite) && m.rider {
		return nil
	}
	return rulesOf(d.contract, m.wish.Does)
}
