package rules

import (
	"context"

	"taste/chat"
	"taste/sim"
)

// Noop makes agents that end the conversation at once.
func Noop() sim.NewAgent {
	return func(context.Context, sim.AgentStart) (sim.Agent, error) { return noop{}, nil }
}

type noop struct{}

// Next implements sim.Agent.
func (noop) Next(context.Context, []chat.Message) (chat.Message, error) {
	return chat.Text(chat.Assistant, sim.Stop), nil
}
