package models

import (
	"context"
	"fmt"

	"taste/chat"
	"taste/pyjson"
	"taste/sim"
)

// userData is what the users' prompt is filled with.
type userData struct {
	Guidelines string         // of the domain; "": it has none
	Scenario   *pyjson.Object // as tasks have it
	Tools      bool           // the user has some
}

// User makes simulated users.
func User(b Base) sim.NewUser {
	return func(_ context.Context, s sim.UserStart) (sim.User, error) {
		data := userData{Guidelines: s.Guidelines, Scenario: s.Scenario.JSON(), Tools: len(s.Tools) > 0}
		p, err := b.begin("user", chat.User, data, s.Tools, s.Seed, s.Conversation)
		if err != nil {
			return nil, fmt.Errorf("make user: %w", err)
		}
		return p, nil
	}
}
