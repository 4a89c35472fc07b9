package players_test

import (
	"errors"
	"testing"

	"taste/contract"
	"taste/domain/telecom"
	"taste/phrase"
	"taste/players"
	"taste/rules"
)

// TestReferenceAgentsOnTickets: alone, they work on tickets in the phrase book's
// words, and on no others.
func TestReferenceAgentsOnTickets(t *testing.T) {
	domain, err := telecom.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	d := players.Deps{Domain: domain}
	if d.Contract, err = contract.Load(telecom.Contract()); err != nil {
		t.Fatal(err)
	}
	if d.Book, err = phrase.Load(append([][]byte{phrase.Common}, telecom.Phrases()...)...); err != nil {
		t.Fatal(err)
	}
	seeds, err := telecom.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	task := &seeds[0]
	task.Ticket = new("It is about the phone with the number 555-318-4471. The phone finds no network.")
	for agent, want := range map[string]float64{"solo/careful": 1, "solo/greedy": 1, "solo/noop": 0} {
		if _, reward := play(t, agent, "dummy", d, task); reward != want {
			t.Errorf("%s earns %v, want %v", agent, reward, want)
		}
	}
	task.Ticket = new("No bars on my phone!")
	agents, err := players.ParseAgent("solo/careful", nil, d)
	if err != nil {
		t.Fatal(err)
	}
	if err := agents.Fits(task); !errors.Is(err, players.ErrUnfit) || !errors.Is(err, rules.ErrUnreadable) {
		t.Errorf("a ticket in other words: %v", err)
	}
}
