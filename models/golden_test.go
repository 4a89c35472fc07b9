package models_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taste/chat"
	"taste/contract"
	"taste/domain/airline"
	"taste/domain/retail"
	"taste/domain/telecom"
	"taste/env"
	"taste/internal/library"
	"taste/internal/shared"
	"taste/llm"
	"taste/models"
	"taste/prompts"
	"taste/sim"
	"taste/tau"
)

var update = flag.Bool("update", false, "rewrite golden files")

// world is a domain with a task to fill prompts with.
type world struct {
	domain *env.Domain
	task   *tau.Task
}

// builtinWorlds are the domains that the program carries, and the library.
func builtinWorlds(t *testing.T) map[string]world {
	t.Helper()
	out := map[string]world{}
	for name, make := range map[string]func() (*env.Domain, []tau.Task, error){
		"airline": func() (*env.Domain, []tau.Task, error) { return loaded(airline.Builtin, airline.Seeds) },
		"retail":  func() (*env.Domain, []tau.Task, error) { return loaded(retail.Builtin, retail.Seeds) },
		"library": func() (*env.Domain, []tau.Task, error) { return loaded(library.Builtin, library.Seeds) },
	} {
		d, tasks, err := make()
		if err != nil {
			t.Fatal(err)
		}
		out[name] = world{d, &tasks[0]}
	}
	return out
}

func loaded(domain func(uint64) (*env.Domain, error), seeds func() ([]tau.Task, error)) (*env.Domain, []tau.Task, error) {
	d, err := domain(1)
	if err != nil {
		return nil, nil, err
	}
	tasks, err := seeds()
	return d, tasks, err
}

var errSeen = errors.New("seen")

// question has a role put its first question about a world.
type question func(ctx context.Context, b models.Base, w world)

// questions are those that can be put about every world.
var questions = map[string]question{
	"judge": func(ctx context.Context, b models.Base, w world) {
		j, err := models.NewJudge(b)
		if err == nil {
			_, _ = j.Judge(ctx, sequence(w.task))
		}
	},
	"reviewer": func(ctx context.Context, b models.Base, w world) {
		r, err := models.NewReviewer(b)
		if err == nil {
			_, _ = r.Review(ctx, w.task)
		}
	},
	"verifier": func(ctx context.Context, b models.Base, w world) {
		v, err := models.NewVerifier(b, models.User(models.Base{Model: says(text("Hello."))}))
		if err == nil {
			_, _ = v.Verify(ctx, w.task, 1)
		}
	},
	"user": func(ctx context.Context, b models.Base, w world) {
		tools, err := w.domain.UserTools(nil)
		if err != nil {
			return
		}
		u, err := models.User(b)(ctx, sim.UserStart{Scenario: w.task.UserScenario, Guidelines: w.domain.UserGuidelines, Tools: tools, Seed: 1})
		if err == nil {
			_, _ = u.Next(ctx, []chat.Message{chat.Text(chat.Assistant, sim.Greeting)})
		}
	},
	"agent": func(ctx context.Context, b models.Base, w world) {
		a, err := models.Agent(b)(ctx, sim.AgentStart{Policy: w.domain.Policy, Tools: w.domain.Tools, Seed: 1})
		if err == nil {
			_, _ = a.Next(ctx, []chat.Message{chat.Text(chat.Assistant, sim.Greeting), chat.Text(chat.User, "Hello.")})
		}
	},
	"agent-alone": func(ctx context.Context, b models.Base, w world) {
		start := sim.AgentStart{Policy: w.domain.Policy, Tools: w.domain.Tools, Seed: 1, Ticket: "A customer waits.", Gold: w.task.EvaluationCriteria.Actions}
		a, err := models.Agent(b)(ctx, start)
		if err == nil {
			_, _ = a.Next(ctx, nil)
		}
	},
	"nl-judge": func(ctx context.Context, b models.Base, w world) {
		j, err := models.NewNLJudge(b)
		if err == nil {
			_, _ = j.Decide(ctx, []chat.Message{chat.Text(chat.Assistant, sim.Greeting), chat.Text(chat.User, "Hello.")}, []string{"The agent greets first."})
		}
	},
}

// asked returns the first question of a role about a world.
func asked(t *testing.T, role string, ask question, w world) string {
	t.Helper()
	m := fails(errSeen)
	ask(context.Background(), base(m, w.domain), w)
	if len(m.calls) != 1 {
		t.Fatalf("%s asked %d times", role, len(m.calls))
	}
	return spelt(&m.calls[0])
}

// spelt writes a request down for people.
func spelt(r *llm.Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.System)
	for _, m := range r.Messages {
		fmt.Fprintf(&b, "\n--- %s ---\n%s\n", m.Role, m.Text)
	}
	if r.Schema != nil {
		fmt.Fprintf(&b, "\n--- schema %s ---\n%s\n", r.Schema.Name, r.Schema.JSON)
	}
	if len(r.Tools) > 0 {
		fmt.Fprintf(&b, "\n--- tools ---\n")
	}
	for _, tool := range r.Tools {
		fmt.Fprintf(&b, "%s: %s\n", tool.Name, tool.Description)
	}
	return b.String()
}

func sequence(t *tau.Task) []string {
	var out []string
	for _, a := range t.EvaluationCriteria.Actions {
		out = append(out, a.Name)
	}
	return out
}

// Each prompt stands, filled in for each domain, in testdata/prompts.
func TestRenderings(t *testing.T) {
	for domain, w := range builtinWorlds(t) {
		for _, table := range []map[string]question{questions, writings} {
			for role, ask := range table {
				golden(t, filepath.Join("testdata", "prompts", domain, role+".md"), asked(t, role, ask, w))
			}
		}
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s: the prompt has changed; a change of words needs a new version, one of data -update", path)
	}
}

// So it stands for telecom's own world, with what authors and evolvers are told of
// customers with tools.
func TestRenderingsOfSetups(t *testing.T) {
	k := telecomKit(t)
	tasks, err := telecom.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []map[string]question{questions, stagings} {
		for role, ask := range table {
			got := asked(t, role, withContract(ask, k.Contract), world{k.Domain, &tasks[0]})
			golden(t, filepath.Join("testdata", "prompts", "telecom", role+".md"), got)
		}
	}
}

func withContract(ask question, c *contract.Contract) question {
	return func(ctx context.Context, b models.Base, w world) {
		b.Contract = c
		ask(ctx, b, w)
	}
}

// Of a pack, whose texts are not ours, the renderings are held by their sums.
func TestRenderingsOfTelecom(t *testing.T) {
	pack, err := env.LoadPack(filepath.Join(shared.Dir(t), "packs", "tau2-telecom"), env.Registry{"telecom": telecom.Native})
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := pack.Tasks("default")
	if err != nil {
		t.Fatal(err)
	}
	w := world{pack.Domain, &tasks[0]}
	var b strings.Builder
	for _, role := range slices.Sorted(maps.Keys(questions)) {
		text := asked(t, role, withContract(questions[role], telecomKit(t).Contract), w)
		fmt.Fprintf(&b, "%s %d bytes %x\n", role, len(text), sha256.Sum256([]byte(text)))
	}
	golden(t, filepath.Join("testdata", "prompts", "telecom.sums"), b.String())
}

// Every prompt is asked by one of the questions.
func TestAllPromptsAreRendered(t *testing.T) {
	w := builtinWorlds(t)["library"]
	seen := map[string]bool{}
	for _, table := range []map[string]question{questions, writings} {
		for role, ask := range table {
			name, _ := prompts.RoleOf(asked(t, role, ask, w))
			seen[name] = true
		}
	}
	for role := range stagings { // named as their prompts are
		seen[role] = true
	}
	for _, p := range prompts.Builtin().Newest() {
		if !seen[p.Name] {
			t.Errorf("%s is rendered nowhere", p.ID())
		}
	}
}
