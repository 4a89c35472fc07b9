package rules

import (
	"context"
	"fmt"
	"strings"

	"taste/chat"
	"taste/sim"
	"taste/tau"
)

// Oracle makes agents that play the agent's gold calls of a task in order, say
// everything that is to be communicated, and end the conversation.
func Oracle(t *tau.Task) sim.NewAgent { return gold(t, true) }

// SilentOracle is Oracle without a word but the ending.
func SilentOracle(t *tau.Task) sim.NewAgent { return gold(t, false) }

func gold(t *tau.Task, tell bool) sim.NewAgent {
	return func(context.Context, sim.AgentStart) (sim.Agent, error) {
		o := &oracle{}
		if c := t.EvaluationCriteria; c != nil {
			o.actions = c.Actions
			if tell {
				o.info = c.CommunicateInfo
			}
		}
		return o, nil
	}
}

type oracle struct {
	actions []tau.Action
	info    []string
	at      int
}

// Next implements sim.Agent.
func (o *oracle) Next(context.Context, []chat.Message) (chat.Message, error) {
	for o.at < len(o.actions) {
		a := &o.actions[o.at]
		o.at++
		if a.Owner() == chat.Assistant {
			return chat.Calls(chat.Assistant, chat.ToolCall{ID: fmt.Sprintf("gold_%d", o.at), Name: a.Name, Arguments: a.Arguments}), nil
		}
	}
	lines := append(append([]string(nil), o.info...), sim.Stop)
	return chat.Text(chat.Assistant, strings.Join(lines, "\n")), nil
}
