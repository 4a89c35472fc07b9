package players_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/internal/hint"
	"taste/internal/library"
	"taste/llm"
	"taste/llm/scripted"
	"taste/players"
	"taste/pyjson"
	"taste/sim"
	"taste/tau"
)

// withModel has the specifications of models stand for one that answers by f.
func withModel(d players.Deps, f scripted.Func) players.Deps {
	d.Model = func(spec, _ string) (llm.Model, error) { return optioned{scripted.Model(spec, f)}, nil }
	return d
}

// optioned is a model whose requests say more than the prompt.
type optioned struct{ llm.Model }

func (optioned) Options() map[string]any { return map[string]any{"temperature": 0.5, "top_p": 0.9} }

// booked is the library with its first task, played by models that do gold.
func booked(t *testing.T) (players.Deps, *tau.Task) {
	t.Helper()
	d, err := library.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := library.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	return players.Deps{Domain: d}, &tasks[0]
}

// goldModel makes the gold calls one by one as agent and hears of it as user.
func goldModel(task *tau.Task) scripted.Func {
	return func(_ context.Context, r *llm.Request) (*llm.Response, error) {
		m := llm.Message{Text: "Please go on."}
		if strings.Contains(r.System, "Role: user ") && len(r.Messages) > 1 {
			m.Text = sim.Stop
		}
		if strings.Contains(r.System, "Role: agent ") {
			m.Text = "It is done."
			done := 0
			for _, turn := range r.Messages {
				done += len(turn.Calls)
			}
			switch all := task.EvaluationCriteria.Actions; {
			case done < len(all):
				args := pyjson.Append(nil, all[done].Args(), pyjson.UTF8)
				m = llm.Message{Calls: []llm.Call{{ID: fmt.Sprint(done), Name: all[done].Name, Arguments: args}}}
			case !strings.Contains(r.System, "customer service agent"):
				m = llm.Message{Calls: []llm.Call{{ID: "done", Name: "done", Arguments: json.RawMessage(`{}`)}}}
			}
		}
		return &llm.Response{Message: m}, nil
	}
}

func TestModelsPlay(t *testing.T) {
	d, task := booked(t)
	task.Ticket = new("Renew the loan.")
	for pair, want := range map[[2]string]sim.Reason{
		{"openai/a", "anthropic/b"}:          sim.UserStop,
		{"gold/openai/a", "http://h/v1#m"}:   sim.UserStop,
		{"solo/openai/a", "dummy"}:           sim.AgentStop,
		{"solo/gold/http://h/v1#m", "dummy"}: sim.AgentStop,
	} {
		r, reward := play(t, pair[0], pair[1], withModel(d, goldModel(task)), task)
		if r.Termination != want || reward != 1 {
			t.Errorf("%s: %s, reward %v, %v", pair, r.Termination, reward, r.Err)
		}
	}
}

func TestModelsInRecords(t *testing.T) {
	d, task := booked(t)
	d = withModel(d, goldModel(task))
	for spec, want := range map[string]string{
		"openai/a": "llm_agent openai/a", "gold/openai/a": "llm_agent_gt openai/a", "solo/openai/a": "llm_agent_solo openai/a",
		"solo/gold/openai/a": "llm_agent_solo gold/openai/a",
	} {
		a, err := players.ParseAgent(spec, map[string]any{"temperature": 0.25}, d)
		if err != nil {
			t.Fatal(err)
		}
		i := a.Info()
		if got := i.Implementation + " " + *i.LLM; got != want || pyjson.Dumps(i.LLMArgs) != `{"temperature": 0.25, "top_p": 0.9}` {
			t.Errorf("%s is recorded as %s with %s", spec, got, pyjson.Dumps(i.LLMArgs))
		}
	}
	u, err := players.ParseUser("openai/a", nil, d)
	if err != nil {
		t.Fatal(err)
	}
	if i := u.Info(); i.Implementation != "user_simulator" || i.Name() != "openai/a" || i.Guidelines == nil {
		t.Errorf("the user is recorded as %+v", i)
	}
	seen := map[string]string{}
	for what, make := range map[string]func() (players.Agents, error){
		"a":         func() (players.Agents, error) { return players.ParseAgent("openai/a", nil, d) },
		"b":         func() (players.Agents, error) { return players.ParseAgent("openai/b", nil, d) },
		"arguments": func() (players.Agents, error) { return players.ParseAgent("openai/a", map[string]any{"top_p": 0.5}, d) },
		"gold":      func() (players.Agents, error) { return players.ParseAgent("gold/openai/a", nil, d) },
	} {
		a, err := make()
		if err != nil {
			t.Fatal(err)
		}
		if before, ok := seen[a.Info().Fingerprint]; ok {
			t.Errorf("%s is like %s", what, before)
		}
		seen[a.Info().Fingerprint] = what
	}
}

func TestArgumentsOfModels(t *testing.T) {
	d, task := booked(t)
	var got *llm.Request
	d = withModel(d, func(_ context.Context, r *llm.Request) (*llm.Response, error) {
		got = r
		return &llm.Response{Message: llm.Message{Text: "Hello."}}, nil
	})
	args := map[string]any{"temperature": int64(1), "top_p": 0.5, "max_tokens": uint64(100), "reasoning_effort": "low", "verbosity": "high"}
	a, err := players.ParseAgent("openai/a", args, d)
	if err != nil {
		t.Fatal(err)
	}
	agent, err := a.New(context.Background(), task, sim.AgentStart{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agent.Next(context.Background(), []chat.Message{chat.Text(chat.User, "hi")}); err != nil {
		t.Fatal(err)
	}
	if *got.Temperature != 1 || *got.TopP != .5 || got.MaxTokens != 100 || got.Effort != "low" || got.Extra["verbosity"] != "high" {
		t.Errorf("sent %+v", got)
	}
	for name, v := range map[string]any{"temperature": "hot", "max_tokens": 1.5, "seed": 1, "effort": 2} {
		if _, err := players.ParseAgent("openai/a", map[string]any{name: v}, d); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s = %v: %v", name, v, err)
		}
	}
}

func TestWithoutModels(t *testing.T) {
	d := players.Deps{Domain: &env.Domain{}}
	if _, err := players.ParseUser("openai/a", nil, d); err == nil || !strings.Contains(hint.Of(err), "rules") || strings.Contains(hint.Of(err), "MODEL") {
		t.Errorf("got %v (%s)", err, hint.Of(err))
	}
}

func TestPricesOfMessages(t *testing.T) {
	d, task := booked(t)
	d = withModel(d, goldModel(task))
	d.Price = func(model string, u llm.Usage) *float64 {
		if model != "openai/a" {
			return nil
		}
		x := float64(u.Calls)
		return &x
	}
	r, _ := play(t, "openai/a", "openai/b", d, task)
	for i := range r.Messages {
		m := &r.Messages[i]
		cost, priced := m.Raw("cost")
		if want := m.Role == chat.Assistant && i > 0; priced != want || want && cost != 1.0 {
			t.Errorf("message %d of %s costs %v", i, m.Role, cost)
		}
	}
}
