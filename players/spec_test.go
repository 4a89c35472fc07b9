package players_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"taste/contract"
	"taste/domain/airline"
	"taste/internal/hint"
	"taste/phrase"
	"taste/players"
	"taste/rules"
	"taste/sim"
	"taste/tau"
)

// deps are those of the built-in airline.
func deps(t *testing.T) players.Deps {
	t.Helper()
	d, err := airlineDeps()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var airlineDeps = sync.OnceValues(func() (players.Deps, error) {
	d, err := airline.Builtin(1)
	if err != nil {
		return players.Deps{}, err
	}
	c, err := contract.Load(airline.Contract())
	if err != nil {
		return players.Deps{}, err
	}
	b, err := phrase.Load(append([][]byte{phrase.Common}, airline.Phrases()...)...)
	return players.Deps{Domain: d, Contract: c, Book: b, Knowledge: "1"}, err
})

func TestReferenceAgentsByName(t *testing.T) {
	d := deps(t)
	for spec, name := range map[string]string{"careful": "careful", "oracle": "oracle", "noop": "noop", "hasty": "hasty", "flawed/" + rules.DecoyEntity: "first_match"} {
		a, err := players.ParseAgent(spec, nil, d)
		if err != nil {
			t.Fatal(err)
		}
		if a.Info().Implementation != name {
			t.Errorf("%s is recorded as %s", spec, a.Info().Implementation)
		}
		if _, err := a.New(context.Background(), &tau.Task{}, sim.AgentStart{}); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

func TestFingerprintsTellAgentsApart(t *testing.T) {
	d := deps(t)
	other := d
	other.Knowledge = "2"
	seen := map[string]string{}
	for what, a := range map[string]struct {
		spec string
		deps players.Deps
	}{"careful": {"careful", d}, "greedy": {"greedy", d}, "another contract": {"careful", other}} {
		agents, err := players.ParseAgent(a.spec, nil, a.deps)
		if err != nil {
			t.Fatal(err)
		}
		sum := agents.Info().Fingerprint
		if before, ok := seen[sum]; ok || len(sum) != 64 {
			t.Errorf("%s has the fingerprint %q, like %q", what, sum, before)
		}
		seen[sum] = what
	}
}

func TestUnknownSpecs(t *testing.T) {
	d := deps(t)
	bare := players.Deps{Domain: d.Domain}
	for spec, c := range map[string]struct {
		deps players.Deps
		args map[string]any
		want string
		hint string
	}{
		"karl":          {d, nil, `no agent is called "karl"`, "careful"},
		"openai/gpt-5":  {d, nil, "language model", "careful"},
		"flawed/nobody": {d, nil, `no technique "nobody"`, rules.DecoyEntity},
		"careful":       {bare, nil, "domain airline does not have", "--contract"},
		"greedy":        {d, map[string]any{"b": 1, "a": 2}, "a, b", ""},
	} {
		_, err := players.ParseAgent(spec, c.args, c.deps)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(hint.Of(err), c.hint) {
			t.Errorf("%s: %v (%s)", spec, err, hint.Of(err))
		}
	}
	if _, err := players.ParseUser("gandalf", nil, d); err == nil || !strings.Contains(hint.Of(err), "rules") {
		t.Errorf("an unknown user: %v", err)
	}
}

func TestRulesUserFitsWhatItCanRead(t *testing.T) {
	u, err := players.ParseUser("rules", nil, deps(t))
	if err != nil {
		t.Fatal(err)
	}
	seeds, err := airline.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	foreign := tau.Task{ID: "x", UserScenario: tau.UserScenario{Instructions: tau.Instructions{Plain: "Blue ideas sleep furiously."}}}
	if err := u.Fits(&foreign); !errors.Is(err, players.ErrUnfit) || !errors.Is(err, rules.ErrUnreadable) {
		t.Errorf("prose of others: %v", err)
	}
	for i := range seeds {
		if _, err := u.New(context.Background(), &seeds[i], sim.UserStart{Scenario: seeds[i].UserScenario}); (err == nil) != (u.Fits(&seeds[i]) == nil) {
			t.Errorf("task %s: fits %v, made with %v", seeds[i].ID, u.Fits(&seeds[i]), err)
		}
	}
}
