package rules

import (
	"context"

	"taste/contract"
	"taste/phrase"
	"taste/sim"
	"taste/tau"
)

// Hinted makes agents as a verifier's are: that know the given calls, in any
// order and with some arguments left out, as hints.
func Hinted(c *contract.Contract, b *phrase.Book, calls []tau.Action) sim.NewAgent {
	return func(_ context.Context, s sim.AgentStart) (sim.Agent, error) {
		h := &hints{behind: map[*matter]*hint{}}
		for i := range calls {
			h.calls = append(h.calls, &hint{name: calls[i].Name, args: calls[i].Arguments})
		}
		return newDesk(c, b, s.Seed, &decoded{}, h), nil
	}
}
