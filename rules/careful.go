package rules

import (
	"context"
	"slices"

	"taste/contract"
	"taste/phrase"
	"taste/sim"
)

// Careful makes careful agents: they check every policy rule of the contract
// on what they have read themselves, ask what the customer has not said,
// restate before they change anything, and refuse or hand off where a rule
// says so. They know the contract, the phrase book, their own calls' answers
// and the messages.
func Careful(c *contract.Contract, b *phrase.Book) sim.NewAgent {
	texts := &decoded{}
	return func(_ context.Context, s sim.AgentStart) (sim.Agent, error) {
		return newDesk(c, b, s.Seed, texts, careful{}), nil
	}
}

// careful is the judgement of a careful agent.
type careful struct{}

func (careful) did(*matter, map[string]any) {}

func (careful) passesOn() bool { return false }

func (careful) looksFor(*matter, *contract.Defect) bool { return true }

func (careful) supposes(*matter, string) bool { return false }

func (careful) repairs(string, map[string]any) bool { return true }

func (careful) weigh(d *desk, m *matter) weighing {
	return judged(d, m, rulesOf(d.contract, m.wish.Does), nil)
}

// judged works out a matter and holds its call to rules: see held.
func judged(d *desk, m *matter, rules []*contract.PolicyRule, over func(*contract.PolicyRule) (bool, error)) weighing {
	if m.wish.Does == "" {
		return answerOf(m)
	}
	if err := m.arguments(); err != nil {
		return obstacle(err)
	}
	return held(d, m, m.args, rules, over)
}

// held holds a matter's call to rules in their order. A rule that fails is
// passed over where over, if given, says so.
func held(d *desk, m *matter, args map[string]any, rules []*contract.PolicyRule, over func(*contract.PolicyRule) (bool, error)) weighing {
	m.scope.Args = args
	for ; m.passed < len(rules); m.passed++ {
		rule := rules[m.passed]
		ok, err := m.scope.Holds(rule.Require)
		if err == nil && !ok && over != nil {
			ok, err = over(rule)
		}
		switch {
		case err != nil:
			return obstacle(err)
		case !ok && rule.Otherwise == "handoff":
			return d.handOff(m)
		case !ok:
			return weighing{why: clause(rule.Why)}
		}
	}
	return weighing{args: args}
}

// rulesOf lists the policy rules of a tool in their order.
func rulesOf(c *contract.Contract, tool string) []*contract.PolicyRule {
	var out []*contract.PolicyRule
	for i := range c.Policy {
		if slices.Contains(c.Policy[i].Tools, tool) {
			out = append(out, &c.Policy[i])
		}
	}
	return out
}

// answerOf works out the answer to a question.
func answerOf(m *matter) weighing {
	v, err := m.scope.Eval(m.wish.Tells)
	if err != nil {
		return obstacle(err)
	}
	s, ok := v.(string)
	if !ok || s == "" {
		return weighing{why: impossible}
	}
	return weighing{tells: s}
}

// handOff prepares the call of the hand-off tool: its free arguments tell the
// colleague what the customer wants.
func (d *desk) handOff(m *matter) weighing {
	args := map[string]any{}
	for _, name := range sortedKeys(d.contract.Tools[d.contract.Protocol.Handoff].Args) {
		text, err := d.book.Render(m.said, phrase.Agent, d.draw)
		if err != nil {
			text = m.wish.Name
		}
		args[name] = text
	}
	return weighing{handoff: true, args: args}
}
