package players

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"taste/chat"
	"taste/phrase"
	"taste/rules"
	"taste/sim"
	"taste/tau"
)

// goldPrefix stands before a party that is told what is to be done.
const goldPrefix = "gold/"

// errNoGold is why a ground-truth agent does not fit a task.
var errNoGold = errors.New("it has no gold actions")

// hasGold holds a task to what ground-truth agents are for.
func hasGold(t *tau.Task) error {
	if len(actions(t)) == 0 {
		return errNoGold
	}
	return nil
}

func actions(t *tau.Task) []tau.Action {
	if t.EvaluationCriteria == nil {
		return nil
	}
	return t.EvaluationCriteria.Actions
}

// toldGold makes agents that are told the gold actions of their task, the
// user's among them.
func toldGold(inner *agents) *agents {
	out := *inner
	if out.info.Implementation = goldPrefix + inner.info.Implementation; inner.info.LLM != nil {
		out.info.Implementation = goldAgent
	}
	out.info.Fingerprint = fingerprint(goldPrefix, inner.info.Fingerprint)
	out.fits = both(hasGold, inner.fits)
	out.make = func(t *tau.Task) sim.NewAgent {
		made := inner.make(t)
		return func(ctx context.Context, s sim.AgentStart) (sim.Agent, error) {
			s.Gold = actions(t)
			return made(ctx, s)
		}
	}
	return &out
}

// withUser makes ground-truth agents that ask the user for her calls as a user
// played by rules understands it, where there is a phrase book.
func withUser(b *phrase.Book) func(*tau.Task) sim.NewAgent {
	if b == nil {
		return groundTruth(false)
	}
	return func(t *tau.Task) sim.NewAgent { return rules.Oracle(t, b) }
}

// groundTruth makes agents that go through the gold actions in order: their own
// they do, the user's they ask for, one at a time, or do as well where alone.
// Then they say what is to be communicated and end the conversation.
func groundTruth(alone bool) func(*tau.Task) sim.NewAgent {
	return func(t *tau.Task) sim.NewAgent {
		return func(context.Context, sim.AgentStart) (sim.Agent, error) {
			g := &gold{left: actions(t), alone: alone}
			if t.EvaluationCriteria != nil && !alone {
				g.info = t.EvaluationCriteria.CommunicateInfo
			}
			return g, nil
		}
	}
}

type gold struct {
	left  []tau.Action
	info  []string
	alone bool
	moves int
}

// Next implements sim.Agent.
func (g *gold) Next(context.Context, []chat.Message) (chat.Message, error) {
	if len(g.left) == 0 {
		lines := append(append([]string(nil), g.info...), sim.Stop)
		return chat.Text(chat.Assistant, strings.Join(lines, "\n")), nil
	}
	a := g.left[0]
	g.left = g.left[1:]
	g.moves++
	if a.Owner() == chat.User && !g.alone {
		return chat.Text(chat.Assistant, "Please do this now: "+rules.Spell(a.Name, a.Arguments)), nil
	}
	return chat.Calls(chat.Assistant, chat.ToolCall{ID: fmt.Sprintf("gold_%d", g.moves), Name: a.Name, Arguments: a.Arguments}), nil
}
