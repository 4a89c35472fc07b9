package models

import (
	"context"
	"fmt"

	"taste/chat"
	"taste/pyjson"
	"taste/sim"
	"taste/tau"
)

// agentData is what the agents' prompt is filled with.
type agentData struct {
	Policy string
	Ticket string    // what an agent without a user works on; "": there is a user
	Gold   []callDoc // what is to be done, of an agent that is told
}

// callDoc is a call as prompts show it.
type callDoc struct {
	By        string         `json:"by"` // agent or customer
	Name      string         `json:"name"`
	Arguments *pyjson.Object `json:"arguments"`
}

// Sides in the words of prompts.
const (
	byAgent    = "agent"
	byCustomer = "customer"
)

// side names the owner of a message or call in the words of prompts.
func side(owner string) string {
	if owner == chat.User {
		return byCustomer
	}
	return byAgent
}

func docOf(a *tau.Action) callDoc { return callDoc{side(a.Owner()), a.Name, a.Args()} }

// Agent makes agents: with a user, on a ticket, or told what is to be done, as the
// start of the conversation says.
func Agent(b Base) sim.NewAgent {
	return func(_ context.Context, s sim.AgentStart) (sim.Agent, error) {
		data := agentData{Policy: s.Policy, Ticket: s.Ticket}
		for i := range s.Gold {
			data.Gold = append(data.Gold, docOf(&s.Gold[i]))
		}
		p, err := b.begin("agent", chat.Assistant, data, s.Tools, s.Seed, s.Conversation)
		if err != nil {
			return nil, fmt.Errorf("make agent: %w", err)
		}
		return p, nil
	}
}
