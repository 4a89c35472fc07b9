package players_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"taste/contract"
	"taste/domain/telecom"
	"taste/llm"
	"taste/models"
	"taste/phrase"
	"taste/players"
	"taste/rules"
	"taste/sim"
	"taste/tau"
)

// ticketed is the telecom domain and a task of it, with a ticket.
func ticketed(t *testing.T) (players.Deps, *tau.Task) {
	t.Helper()
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
	return d, task
}

// TestReferenceAgentsOnTickets: alone, they work on tickets in the phrase book's
// words, and on no others.
func TestReferenceAgentsOnTickets(t *testing.T) {
	d, task := ticketed(t)
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

// TestModelsByRulesUnderEveryPolicy: a model that the rules play knows its domain by
// whichever of the policies the agent is told, with a user, whose number it asks for, and
// on a ticket.
func TestModelsByRulesUnderEveryPolicy(t *testing.T) {
	d, task := ticketed(t)
	f, err := models.RulesScript(models.Kit{Domain: d.Domain, Contract: d.Contract, Book: d.Book})
	if err != nil {
		t.Fatal(err)
	}
	d = withModel(d, func(ctx context.Context, r *llm.Request) (*llm.Response, error) {
		if !strings.Contains(r.System, "Role: user ") {
			return f(ctx, r)
		}
		said := []string{"My phone finds no network.", sim.Stop}[min(len(r.Messages)/2, 1)] // after a greeting, and an answer
		return &llm.Response{Message: llm.Message{Text: said}}, nil
	})
	first := d.Domain
	for _, policy := range []string{"", "workflow"} {
		if policy != "" {
			if d.Domain, err = first.WithPolicy(policy); err != nil {
				t.Fatal(err)
			}
		}
		if r, _ := play(t, "openai/a", "openai/b", d, task); r.Termination != sim.UserStop || len(r.Messages) != 4 || !strings.Contains(r.Messages[2].Body(), "?") {
			t.Errorf("policy %q with a user: %s, %+v, %v", policy, r.Termination, r.Messages, r.Err)
		}
		for _, agent := range []string{"solo/openai/a", "solo/gold/openai/a"} {
			if r, reward := play(t, agent, "dummy", d, task); r.Termination != sim.AgentStop || reward != 1 {
				t.Errorf("policy %q, %s: %s, reward %v, %v", policy, agent, r.Termination, reward, r.Err)
			}
		}
	}
	task.Ticket = new("No bars on my phone!")
	if r, reward := play(t, "solo/openai/a", "dummy", d, task); r.Termination != sim.AgentStop || reward != 0 {
		t.Errorf("a ticket in other words: %s, reward %v", r.Termination, reward)
	}
}
