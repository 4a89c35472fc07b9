package person_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"taste/chat"
	"taste/person"
	"taste/sim"
	"taste/tau"
)

var tools = []chat.ToolSpec{
	{Name: "look", Schema: json.RawMessage(`{"function": {"name": "look", "description": "Looks.", "parameters": {"properties": {"at": {}, "how": {}}, "required": ["at"]}}}`)},
	{Name: "wait", Schema: json.RawMessage(`{"function": {"name": "wait", "parameters": {"properties": {}}}}`)},
}

// sit makes a person who types lines, and returns what is shown to it.
func sit(lines ...string) (*person.Terminal, *strings.Builder) {
	shown := &strings.Builder{}
	return person.NewTerminal(strings.NewReader(strings.Join(lines, "\n")+"\n"), shown), shown
}

func agent(t *testing.T, term *person.Terminal, s sim.AgentStart) sim.Agent {
	t.Helper()
	s.Tools = tools
	a, err := term.Agent(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestWhatIsTyped(t *testing.T) {
	for typed, want := range map[string]string{
		"hello there":                        `{"role": "assistant", "content": "hello there", "tool_calls": null}`,
		"\nfirst\\\nsecond\\\n third":        `{"role": "assistant", "content": "first\nsecond\n third", "tool_calls": null}`,
		"//etc is a folder":                  `{"role": "assistant", "content": "/etc is a folder", "tool_calls": null}`,
		"/stop":                              `{"role": "assistant", "content": "###STOP###", "tool_calls": null}`,
		`/call look {"how": 1.0, "at": "é"}`: `{"role": "assistant", "content": null, "tool_calls": [{"id": "call_0_0", "name": "look", "arguments": {"how": 1.0, "at": "é"}}]}`,
		"/call wait":                         `{"role": "assistant", "content": null, "tool_calls": [{"id": "call_0_0", "name": "wait", "arguments": {}}]}`,
		`/call wait &` + "\n" + `/call look {"at": 1}`: `{"role": "assistant", "content": null, "tool_calls": [{"id": "call_0_0", "name": "wait", "arguments": {}}, {"id": "call_0_1", "name": "look", "arguments": {"at": 1}}]}`,
		"/call wait &\none moment":                     `{"role": "assistant", "content": "one moment", "tool_calls": [{"id": "call_0_0", "name": "wait", "arguments": {}}]}`,
	} {
		term, _ := sit(typed)
		m, err := agent(t, term, sim.AgentStart{}).Next(context.Background(), nil)
		if got, _ := m.MarshalJSON(); err != nil || string(got) != want {
			t.Errorf("%q is %s, %v\nwant %s", typed, got, err, want)
		}
	}
}

// What is looked up or typed wrongly is answered, and is no message.
func TestWhatIsAnsweredAtOnce(t *testing.T) {
	for typed, want := range map[string]string{
		"/help":              "/call NAME {…}",
		"/policy":            "Be kind.",
		"/gold":              `1. assistant: look {"at": "x"}`,
		"/tools":             "look at [how]\nwait \n",
		"/tool look":         `"description": "Looks."`,
		"/tool fly":          `you have no tool "fly"`,
		"/call fly":          `you have no tool "fly"`,
		"/call look {at: 1}": "the arguments of look are no JSON object",
		"/transfer":          "there is no command /transfer",
		"/ticket":            "there is no command /ticket",
		"/call look [1]":     "the arguments of look are no JSON object",
	} {
		term, shown := sit(typed, "hello")
		s := sim.AgentStart{Policy: "Be kind.", Gold: []tau.Action{{Name: "look", Arguments: map[string]any{"at": "x"}}}}
		m, err := agent(t, term, s).Next(context.Background(), nil)
		if err != nil || m.Body() != "hello" || !strings.Contains(shown.String(), want) {
			t.Errorf("%q: %q, %v, shown %s", typed, m.Body(), err, shown)
		}
	}
}

func TestWhatIsShown(t *testing.T) {
	term, shown := sit(`/call look {"at": 1}`, "bye")
	a := agent(t, term, sim.AgentStart{Ticket: "No signal."})
	history := []chat.Message{chat.Text(chat.Assistant, "hi"), chat.Text(chat.User, "what?")}
	m, err := a.Next(context.Background(), history)
	if err != nil {
		t.Fatal(err)
	}
	history = append(history, m, chat.Answer(&m.ToolCalls[0], "nothing", true))
	if _, err = a.Next(context.Background(), history); err != nil {
		t.Fatal(err)
	}
	a.(sim.Ender).End(context.Background(), sim.UserStop, append(history, chat.Text(chat.Assistant, "bye"), chat.Text(chat.User, "ciao")))
	want := "-- you are the agent; /help says what you can do\nNo signal.\nagent: hi\nuser: what?\nagent> [look failed] nothing\nagent> user: ciao\n-- the conversation has ended (user_stop)\n"
	if shown.String() != want {
		t.Errorf("shown %s\nwant %s", shown, want)
	}
}

func TestUser(t *testing.T) {
	term, shown := sit("/scenario", "/guidelines", "hello", "/out-of-scope")
	u, err := term.User(context.Background(), sim.UserStart{Scenario: tau.UserScenario{Instructions: tau.Instructions{Plain: "Ask."}}, Guidelines: "Be brief."})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"hello", sim.OutOfScope} {
		if m, err := u.Next(context.Background(), nil); err != nil || m.Body() != want || m.Role != chat.User {
			t.Errorf("%+v, %v, want %s", m, err, want)
		}
	}
	if s := shown.String(); strings.Count(s, `"instructions": "Ask."`) != 2 || !strings.Contains(s, "Be brief.") || strings.Contains(s, "/call") {
		t.Errorf("shown %s", s)
	}
}

func TestTerminalThatIsClosed(t *testing.T) {
	term, _ := sit()
	_, err := agent(t, term, sim.AgentStart{}).Next(context.Background(), nil)
	if err == nil || errors.Is(err, sim.ErrGaveUp) {
		t.Errorf("%v", err)
	}
}

// The time of a conversation ends while nothing is typed, and what is typed then
// is for the next.
func TestTimeEndsWhileNothingIsTyped(t *testing.T) {
	in, type_ := io.Pipe()
	var shown strings.Builder
	term := person.NewTerminal(in, &shown)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if _, err := agent(t, term, sim.AgentStart{}).Next(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	var typing sync.WaitGroup
	typing.Go(func() { _, _ = io.WriteString(type_, "hello\n") })
	if m, err := agent(t, term, sim.AgentStart{}).Next(context.Background(), nil); err != nil || m.Body() != "hello" {
		t.Errorf("%q, %v", m.Body(), err)
	}
	typing.Wait()
	_ = type_.Close()
}

func TestAgentAndUserAtOneTerminal(t *testing.T) {
	term, shown := sit("what is up?", "nothing", "/stop")
	u, err := term.User(context.Background(), sim.UserStart{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := sim.Run(context.Background(), sim.Setup{Agent: agent(t, term, sim.AgentStart{}), User: u})
	if err != nil || r.Termination != sim.UserStop || len(r.Messages) != 4 {
		t.Errorf("%+v, %v, shown %s", r, err, shown)
	}
}
