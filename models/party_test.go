package models_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/eval"
	"taste/llm"
	"taste/models"
	"taste/prompts"
	"taste/sim"
	"taste/tau"
)

// converse holds a conversation of two models about a task of the library.
func converse(t *testing.T, task *tau.Task, agent, user *fake) sim.Result {
	t.Helper()
	d := libraryDomain(t)
	r, err := sim.Run(context.Background(), setup(t, d, task, agent, user))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func setup(t *testing.T, d *env.Domain, task *tau.Task, agent, user *fake) sim.Setup {
	t.Helper()
	target, err := eval.NewTarget(d, task)
	if err != nil {
		t.Fatal(err)
	}
	price := func(u llm.Usage) *float64 { x := float64(u.Input) / 1000; return &x }
	a, err := models.Agent(models.Base{Model: agent, Price: price})(context.Background(), sim.AgentStart{Policy: d.Policy, Tools: d.Tools, Seed: 7, Conversation: "c1"})
	if err != nil {
		t.Fatal(err)
	}
	u, err := models.User(models.Base{Model: user})(context.Background(), sim.UserStart{Scenario: task.UserScenario, Guidelines: d.UserGuidelines, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	return sim.Setup{Env: target.Start(), Agent: a, User: u}
}

func TestConversation(t *testing.T) {
	task := seedTask(t)
	gold := goldCalls(t, task)
	thinking := calls(gold[0])
	thinking.Message.Thought = json.RawMessage(`{"signature":"abc"}`)
	agent := says(text("Who is it?"), thinking, text("Done."))
	user := says(text("Hello, I am here."), text("It is me."), text("Thanks ###STOP###"))
	r := converse(t, task, agent, user)
	if r.Termination != sim.UserStop || len(r.Messages) != 8 {
		t.Fatalf("%s after %d messages", r.Termination, len(r.Messages))
	}
	last := agent.calls[2]
	var seen []string
	for _, m := range last.Messages {
		seen = append(seen, m.Role)
	}
	if got := strings.Join(seen, " "); got != "assistant user assistant user assistant tool" {
		t.Errorf("the agent saw turns of %s", got)
	}
	if got := string(last.Messages[4].Thought); got != `{"signature":"abc"}` {
		t.Errorf("reasoning came back as %q", got)
	}
	if last.Messages[5].CallID != gold[0].ID || last.Messages[5].Text == "" {
		t.Errorf("the answer came as %+v", last.Messages[5])
	}
	if got := user.calls[1].Messages; len(got) != 3 || got[0].Role != chat.User || got[1].Role != chat.Assistant || got[2].Text != "Who is it?" {
		t.Errorf("the user saw %+v", got)
	}
	if name, _ := prompts.RoleOf(last.System); name != "agent" || !strings.Contains(last.System, "library") || len(last.Tools) == 0 || last.Schema != nil {
		t.Errorf("the agent is asked as %q with %d tools", name, len(last.Tools))
	}
	shown, err := json.Marshal(task.UserScenario.JSON())
	if err != nil {
		t.Fatal(err)
	}
	var raw json.RawMessage
	if err := prompts.Input(user.calls[0].System, &raw); err != nil || compacted(raw) != compacted(shown) {
		t.Errorf("the user is told %s, want %s (%v)", raw, shown, err)
	}
	if cost, _ := r.Messages[4].Raw("cost"); cost != 0.01 {
		t.Errorf("the call cost %v", cost)
	}
	if usage, _ := r.Messages[1].Raw("usage"); fmt.Sprint(usage) == "<nil>" {
		t.Error("the user's message has no usage")
	}
}

func compacted(data []byte) string {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err.Error()
	}
	out, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// Seeds tell trials apart, and the same seed asks the same.
func TestSeedsOfConversations(t *testing.T) {
	ask := func(seed uint64) *llm.Request {
		m := says(text("hm"))
		a, err := models.Agent(models.Base{Model: m})(context.Background(), sim.AgentStart{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Next(context.Background(), []chat.Message{chat.Text(chat.Assistant, sim.Greeting), chat.Text(chat.User, "hi")}); err != nil {
			t.Fatal(err)
		}
		return &m.calls[0]
	}
	one, same, other := ask(1), ask(1), ask(2)
	if one.Trial != same.Trial || *one.Seed != *same.Seed || one.Trial == other.Trial || *one.Seed == *other.Seed {
		t.Errorf("trials %d, %d and %d, seeds %d, %d and %d", one.Trial, same.Trial, other.Trial, *one.Seed, *same.Seed, *other.Seed)
	}
}

// Row 12 of the list of behaviours: a message without anything is asked for again,
// each time as another trial, or a kept answer would come back for ever.
func TestEmptyMessages(t *testing.T) {
	task := seedTask(t)
	agent := says(text(""), text(""), text("Hello."))
	r := converse(t, task, agent, says(text("Hi."), text("###STOP###")))
	if r.Termination != sim.UserStop {
		t.Fatalf("ended with %s, %v", r.Termination, r.Err)
	}
	trials := map[int]bool{}
	for _, c := range agent.calls {
		trials[c.Trial] = true
	}
	if len(trials) != 3 || len(agent.calls[2].Messages) != len(agent.calls[0].Messages) {
		t.Errorf("asked in trials %v by %d messages", trials, len(agent.calls[2].Messages))
	}
	if cost, _ := r.Messages[2].Raw("cost"); cost != 0.03 {
		t.Errorf("vain attempts count to %v", cost)
	}
	if r := converse(t, task, says(text("")), says(text("Hi."))); r.Termination != sim.AgentError {
		t.Errorf("a silent agent ends with %s", r.Termination)
	}
	if r := converse(t, task, says(text("Hm.")), says(text(""))); r.Termination != sim.UserError {
		t.Errorf("a silent user ends with %s", r.Termination)
	}
}

// As τ²-bench's orchestrator holds conversations an empty message is a fault of the
// machinery, which the kept answers would repeat for ever. A model's is its own failure.
func TestEmptyMessagesUnderCompat(t *testing.T) {
	task := seedTask(t)
	run := func(agent *fake) sim.Result {
		s := setup(t, libraryDomain(t), task, agent, says(text("Hi."), text("###STOP###")))
		s.Compat = true
		r, err := sim.Run(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := run(says(text(""), text(" "), text("Hello."))); r.Termination != sim.UserStop {
		t.Errorf("asked again, it ends with %s, %v", r.Termination, r.Err)
	}
	silent := says(text(""))
	if r := run(silent); r.Termination != sim.AgentError || len(silent.calls) != 3 {
		t.Errorf("a silent agent ends with %s after %d calls", r.Termination, len(silent.calls))
	}
}

// Row 13: parallel calls run all, in order, with their ids.
func TestParallelCalls(t *testing.T) {
	bad := llm.Call{ID: "x", Name: "no_such_tool", Arguments: json.RawMessage(`{}`)}
	good := goldCalls(t, seedTask(t))[0]
	good.ID = "" // as of providers that give none
	agent := says(calls(bad, good), text("Done."))
	r := converse(t, seedTask(t), agent, says(text("Hi."), text("###STOP###")))
	got := agent.calls[1].Messages
	answers := got[len(got)-2:]
	if !answers[0].Failed || answers[0].CallID != "x" || answers[1].Failed || answers[1].CallID != "call_1_1" || r.Errors != 1 {
		t.Errorf("answered %+v, %d errors", answers, r.Errors)
	}
	if own := got[len(got)-3]; len(own.Calls) != 2 || own.Calls[1].ID != "call_1_1" {
		t.Errorf("the agent's own message came back as %+v", own)
	}
}

func TestSpoiltArguments(t *testing.T) {
	spoilt := calls(llm.Call{ID: "a", Name: "get_member", Bad: "{oops"})
	agent := says(spoilt, spoilt, text("Hello."))
	if r := converse(t, seedTask(t), agent, says(text("Hi."), text("###STOP###"))); r.Termination != sim.UserStop || len(agent.calls) != 3 {
		t.Errorf("ended with %s after %d calls", r.Termination, len(agent.calls))
	}
	if r := converse(t, seedTask(t), says(spoilt), says(text("Hi."))); r.Termination != sim.AgentError || !strings.Contains(r.Err.Error(), "no JSON object") {
		t.Errorf("ended with %s, %v", r.Termination, r.Err)
	}
}

func TestWithheldAnswers(t *testing.T) {
	filtered := &llm.Response{Stop: llm.Filtered, Reason: "content_filter", Message: llm.Message{Role: chat.Assistant}}
	r := converse(t, seedTask(t), says(filtered), says(text("Hi.")))
	if r.Termination != sim.AgentError || !strings.Contains(r.Err.Error(), "content_filter") {
		t.Errorf("ended with %s, %v", r.Termination, r.Err)
	}
	declined := text("I cannot help with that.")
	declined.Stop = llm.Refusal
	if r := converse(t, seedTask(t), says(declined), says(text("Hi."), text("###STOP###"))); r.Termination != sim.UserStop {
		t.Errorf("a refusal in words ends with %s", r.Termination)
	}
}

// Row 24: what fails ends by its class. Only the party's own failures end a
// conversation; the rest are faults of the machinery.
func TestClassesOfFaults(t *testing.T) {
	for class, want := range map[llm.Class]struct {
		ends sim.Reason
		is   error
	}{
		llm.TooLong: {sim.TooLong, nil}, llm.Blocked: {sim.AgentError, nil},
		llm.Auth: {"", sim.ErrHopeless}, llm.OverBudget: {"", sim.ErrHopeless}, llm.Miss: {"", sim.ErrHopeless}, llm.Refused: {"", sim.ErrHopeless},
		llm.BadRequest: {"", nil}, llm.Overloaded: {"", nil}, llm.Malformed: {"", nil},
	} {
		d := libraryDomain(t)
		r, err := sim.Run(context.Background(), setup(t, d, seedTask(t), fails(&llm.Error{Class: class, Model: "fake/model"}), says(text("Hi."))))
		if r.Termination != want.ends || (err != nil) != (want.ends == "") || want.is != nil && !errors.Is(err, want.is) || want.is == nil && errors.Is(err, sim.ErrHopeless) {
			t.Errorf("%s: ended with %q, %v", class, r.Termination, err)
		}
	}
}

func TestToldGoldAndTicket(t *testing.T) {
	task := seedTask(t)
	d := libraryDomain(t)
	m := says(text("hm"))
	a, err := models.Agent(base(m, d))(context.Background(), sim.AgentStart{Policy: d.Policy, Gold: task.EvaluationCriteria.Actions})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Next(context.Background(), []chat.Message{chat.Text(chat.User, "hi")}); err != nil {
		t.Fatal(err)
	}
	if last := task.EvaluationCriteria.Actions[1]; !strings.Contains(m.calls[0].System, `"name":"`+last.Name+`"`) {
		t.Errorf("not told of %s: %s", last.Name, m.calls[0].System)
	}
	a, err = models.Agent(base(m, d))(context.Background(), sim.AgentStart{Policy: d.Policy, Ticket: "Renew the loan."})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Next(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if got := m.calls[1].Messages; len(got) != 1 || !strings.Contains(got[0].Text, "Renew the loan.") || strings.Contains(m.calls[1].System, "customer service agent.") {
		t.Errorf("works on %+v", got)
	}
}

func TestToolsWithoutSchema(t *testing.T) {
	tools := []chat.ToolSpec{{Name: "lend", Schema: json.RawMessage(`{}`)}}
	if _, err := models.Agent(base(says(text("")), nil))(context.Background(), sim.AgentStart{Tools: tools}); err == nil || !strings.Contains(err.Error(), "lend") {
		t.Errorf("got %v", err)
	}
}
