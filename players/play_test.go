package players_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"taste/chat"
	"taste/domain/mock/mocktest"
	"taste/env"
	"taste/eval"
	"taste/person"
	"taste/players"
	"taste/sim"
	"taste/tau"
)

// chores is a domain with tools on both sides and a policy for agents without
// a user.
func chores(t *testing.T) *env.Domain {
	t.Helper()
	return mocktest.Chores(t, env.Domain{
		Policy: "Be kind.", Policies: map[string]string{"solo": "Be quick."}, UserGuidelines: "Be brief.",
		Tools: []chat.ToolSpec{
			{Name: "create_task", Requestor: chat.Assistant, Type: chat.Write, MutatesState: true},
			{Name: "dismiss_notification", Requestor: chat.User, Type: chat.Write, MutatesState: true},
		},
	})
}

// chore is a task with a call of each side.
func chore(t *testing.T) *tau.Task {
	t.Helper()
	tasks, err := tau.ParseTasks("t", []byte(`[{"id": "t", "ticket": "Sweeping is done, mopping is next.", "user_scenario": {"instructions": "x"}, "evaluation_criteria": {
		"actions": [
			{"action_id": "0", "requestor": "user", "name": "dismiss_notification", "arguments": {"notification_id": "n1"}},
			{"action_id": "1", "name": "create_task", "arguments": {"user_id": "ann", "title": "Mop"}}],
		"communicate_info": ["Mop"], "reward_basis": ["DB", "COMMUNICATE"]}}]`))
	if err != nil {
		t.Fatal(err)
	}
	return &tasks[0]
}

// play holds a conversation about a task and scores it.
func play(t *testing.T, agent, user string, d players.Deps, task *tau.Task) (sim.Result, float64) {
	t.Helper()
	agents, err := players.ParseAgent(agent, nil, d)
	if err != nil {
		t.Fatal(err)
	}
	users, err := players.ParseUser(user, nil, d)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(players.Pair(agents, users), agents.Fits(task), users.Fits(task)); err != nil {
		t.Fatal(err)
	}
	alone := agents.Info().Solo
	if alone {
		d.Domain = players.Solo(d.Domain)
	}
	target, err := eval.NewTarget(d.Domain, task)
	if err != nil {
		t.Fatal(err)
	}
	setup := sim.Setup{Env: target.Start()}
	ctx := context.Background()
	if setup.Agent, err = agents.New(ctx, task, sim.AgentStart{Policy: d.Domain.Policy, Tools: d.Domain.Tools, Conversation: task.ID}); err != nil {
		t.Fatal(err)
	}
	if !alone {
		tools, err := d.Domain.UserTools(task.UserTools)
		if err != nil {
			t.Fatal(err)
		}
		if setup.User, err = users.New(ctx, task, sim.UserStart{Scenario: task.UserScenario, Tools: tools, Conversation: task.ID}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := sim.Run(ctx, setup)
	if err != nil {
		t.Fatal(err)
	}
	score := eval.NewScorer(d.Domain, task).Score(
		&eval.Conversation{Termination: string(r.Termination), Messages: r.Messages, Solo: alone}, eval.Options{Final: setup.Env})
	reward, ok := score.CompatReward()
	if !ok {
		t.Fatalf("task %s is not scored: %s", task.ID, score.Reason)
	}
	return r, reward
}

func terminal(lines ...string) *person.Terminal {
	return person.NewTerminal(strings.NewReader(strings.Join(lines, "\n")+"\n"), io.Discard)
}

func TestGoldAgentLeadsTheUser(t *testing.T) {
	task := chore(t)
	d := players.Deps{Domain: chores(t), Terminal: terminal("Something is on my screen.", `/call dismiss_notification {"notification_id": "n1"}`, "It is gone.")}
	r, reward := play(t, "gold", "human", d, task)
	if want := `Please do this now: dismiss_notification(notification_id="n1")`; r.Messages[2].Body() != want {
		t.Errorf("the agent says %q, want %q", r.Messages[2].Body(), want)
	}
	if r.Termination != sim.AgentStop || reward != 1 {
		t.Errorf("%s, reward %v", r.Termination, reward)
	}
	task.EvaluationCriteria.Actions = nil
	agents, err := players.ParseAgent("gold", nil, d)
	if err != nil {
		t.Fatal(err)
	}
	if err := agents.Fits(task); !errors.Is(err, players.ErrUnfit) {
		t.Errorf("a task without gold: %v", err)
	}
}

func TestAgentsWithoutUser(t *testing.T) {
	task := chore(t)
	task.EvaluationCriteria.CommunicateInfo = nil
	for agent, d := range map[string]players.Deps{
		"solo/gold":   {},
		"solo/oracle": {},
		"solo/human":  {Terminal: terminal(`/call dismiss_notification {"notification_id": "n1"} &`, `/call create_task {"user_id": "ann", "title": "Mop"}`, "/call done")},
	} {
		d.Domain = chores(t)
		r, reward := play(t, agent, "dummy", d, task)
		if r.Termination != sim.AgentStop || reward != 1 || r.Errors != 0 {
			t.Errorf("%s: %s, reward %v, %d errors", agent, r.Termination, reward, r.Errors)
		}
		if last := r.Messages[len(r.Messages)-1]; last.Body() != sim.Stop || last.ToolCalls != nil {
			t.Errorf("%s ends with %+v", agent, last)
		}
	}
}

// TestSoloPolicy: agents alone get the form for them of the policy that the domain
// is under, if it has one.
func TestSoloPolicy(t *testing.T) {
	d := chores(t)
	d.Policies = map[string]string{"solo": "Be quick.", "workflow": "Step by step.", "workflow_solo": "Step by step, alone.", "terse": "Be brief."}
	for variant, want := range map[string]string{"": "Be quick.", "workflow": "Step by step, alone.", "solo": "Be quick.", "terse": "Be brief."} {
		under := d
		if variant != "" {
			var err error
			if under, err = d.WithPolicy(variant); err != nil {
				t.Fatal(err)
			}
		}
		if got := players.Solo(under).Policy; got != want {
			t.Errorf("under %q: %q, want %q", variant, got, want)
		}
	}
}

func TestTicketsAreNeeded(t *testing.T) {
	d := players.Deps{Domain: chores(t), Terminal: terminal()}
	agents, err := players.ParseAgent("solo/human", nil, d)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*tau.Task){
		"no ticket": func(t *tau.Task) { t.Ticket = nil },
		"no gold":   func(t *tau.Task) { t.EvaluationCriteria = nil },
		"words": func(t *tau.Task) {
			t.InitialState = &tau.InitialState{MessageHistory: []chat.Message{chat.Text(chat.User, "hi")}}
		},
	} {
		task := chore(t)
		if err := agents.Fits(task); err != nil {
			t.Fatal(err)
		}
		change(task)
		if err := agents.Fits(task); !errors.Is(err, players.ErrUnfit) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestSoloAgentsAreGivenEverything(t *testing.T) {
	var out strings.Builder
	d := players.Deps{Domain: chores(t), Terminal: person.NewTerminal(strings.NewReader("/tools\n/policy\n/stop\n"), &out)}
	play(t, "solo/human", "dummy", d, chore(t))
	for _, want := range []string{"Sweeping is done", "create_task", "dismiss_notification", "done", "Be quick."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing: %s", want, out.String())
		}
	}
}

func TestToldGold(t *testing.T) {
	var out strings.Builder
	d := players.Deps{Domain: chores(t), Terminal: person.NewTerminal(strings.NewReader("hello\n/gold\n/stop\n"), &out)}
	play(t, "gold/human", "human", d, chore(t))
	if !strings.Contains(out.String(), `1. user: dismiss_notification {"notification_id": "n1"}`) {
		t.Errorf("shown %s", out.String())
	}
}

func TestPairs(t *testing.T) {
	d := players.Deps{Domain: chores(t), Terminal: terminal()}
	for pair, fits := range map[[2]string]bool{
		{"gold", "human"}: true, {"solo/gold", "dummy"}: true, {"solo/gold", "human"}: false, {"gold", "dummy"}: false,
	} {
		agents, err := players.ParseAgent(pair[0], nil, d)
		if err != nil {
			t.Fatal(err)
		}
		users, err := players.ParseUser(pair[1], nil, d)
		if err != nil {
			t.Fatal(err)
		}
		if err := players.Pair(agents, users); (err == nil) != fits {
			t.Errorf("%v: %v", pair, err)
		}
	}
}

func TestInfo(t *testing.T) {
	d := players.Deps{Domain: chores(t), Terminal: terminal()}
	agent, err := players.ParseAgent("solo/http://me:secret@localhost:1/x", map[string]any{"temperature": 0.5}, d)
	if err != nil {
		t.Fatal(err)
	}
	i := agent.Info()
	if i.Implementation != "llm_agent_solo" || i.Name() != "http://localhost:1/x" || !i.Solo || i.LLMArgs.Len() != 1 {
		t.Errorf("%+v", i)
	}
	other, err := players.ParseAgent("solo/http://me:other@localhost:1/x", map[string]any{"temperature": 0.6}, d)
	if err != nil {
		t.Fatal(err)
	}
	if other.Info().Fingerprint == i.Fingerprint {
		t.Error("another temperature is another agent")
	}
	user, err := players.ParseUser("human", nil, d)
	if err != nil {
		t.Fatal(err)
	}
	if u := user.Info(); u.Implementation != "human" || !u.Serial || u.Guidelines == nil || *u.Guidelines != "Be brief." {
		t.Errorf("%+v", u)
	}
	for _, spec := range players.AgentSpecs() {
		spec = strings.NewReplacer("http://…", "http://localhost", "TECHNIQUE", "decoy_entity", "AGENT", "noop").Replace(spec)
		if _, err := players.ParseAgent(spec, nil, withModel(with(t, d), nil)); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
	}
	for _, spec := range []string{"solo/flawed/decoy_entity", "gold/careful", "http://", "solo/solo/noop"} {
		if _, err := players.ParseAgent(spec, nil, with(t, d)); err == nil {
			t.Errorf("%s stands for something", spec)
		}
	}
	for _, spec := range []string{"gold", "human", "solo/oracle"} {
		if _, err := players.ParseAgent(spec, map[string]any{"a": 1}, d); err == nil {
			t.Errorf("%s takes arguments", spec)
		}
	}
}

// with adds a terminal to what the airline's parties are made from.
func with(t *testing.T, d players.Deps) players.Deps {
	t.Helper()
	all := deps(t)
	all.Terminal = d.Terminal
	return all
}
