package sim_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"taste/chat"
	"taste/domain/airline"
	"taste/env"
	"taste/sim"
)

// script is a party that plays prepared messages; the last one repeats.
type script struct {
	messages []chat.Message
	errs     map[int]error // by move
	at       int
	seen     [][]chat.Message
}

func (s *script) Next(_ context.Context, history []chat.Message) (chat.Message, error) {
	s.seen = append(s.seen, slices.Clone(history))
	n := min(s.at, len(s.messages)-1)
	s.at++
	if err := s.errs[s.at-1]; err != nil {
		return chat.Message{}, err
	}
	return s.messages[n], nil
}

func says(texts ...string) *script {
	s := &script{}
	for _, t := range texts {
		s.messages = append(s.messages, chat.Text("", t))
	}
	return s
}

func call(id, tool string, args map[string]any) chat.ToolCall {
	return chat.ToolCall{ID: id, Name: tool, Arguments: args}
}

var sum = map[string]any{"expression": "1 + 2"}

func environment(t *testing.T) *env.Environment {
	t.Helper()
	d, err := airline.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	return d.Environment()
}

func run(t *testing.T, s sim.Setup) sim.Result {
	t.Helper()
	if s.Env == nil {
		s.Env = environment(t)
	}
	r, err := sim.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines spells a record: who, and text, calls or answer.
func lines(messages []chat.Message) []string {
	var out []string
	for _, m := range messages {
		s := m.Role + ": " + m.Body()
		for _, c := range m.ToolCalls {
			s += "→" + c.ID
		}
		if m.Role == chat.Tool {
			s = fmt.Sprintf("%s for %s failed=%v", m.Role, m.ID, m.Error)
		}
		out = append(out, s)
	}
	return out
}

func TestAgentGreetsThenTheyAlternate(t *testing.T) {
	agent := &script{messages: []chat.Message{
		chat.Calls("", call("a", "calculate", sum)),
		chat.Text("", "it is three"),
	}}
	user := says("what is 1 + 2?", "thanks ###STOP###")
	r := run(t, sim.Setup{Agent: agent, User: user})
	want := []string{
		"assistant: " + sim.Greeting, "user: what is 1 + 2?", "assistant: →a", "tool for a failed=false",
		"assistant: it is three", "user: thanks ###STOP###",
	}
	if got := lines(r.Messages); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if r.Termination != sim.UserStop || r.Steps != 5 {
		t.Errorf("ended with %s after %d steps", r.Termination, r.Steps)
	}
	for i, m := range r.Messages {
		if m.TurnIdx == nil || *m.TurnIdx != i {
			t.Errorf("message %d has turn index %v", i, m.TurnIdx)
		}
	}
	if got := lines(user.seen[1]); !slices.Equal(got, slices.Delete(slices.Clone(want[:5]), 2, 4)) {
		t.Errorf("the user saw %q", got)
	}
	if got := lines(agent.seen[1]); !slices.Equal(got, want[:4]) {
		t.Errorf("the agent saw %q", got)
	}
}

func TestEndings(t *testing.T) {
	failing := chat.Calls("", call("x", "no_such_tool", nil))
	for name, c := range map[string]struct {
		setup sim.Setup
		want  sim.Reason
	}{
		"user stops":         {sim.Setup{Agent: says("hm"), User: says("bye ###STOP###")}, sim.UserStop},
		"user transferred":   {sim.Setup{Agent: says("hm"), User: says("###TRANSFER###")}, sim.UserStop},
		"user out of scope":  {sim.Setup{Agent: says("hm"), User: says("###OUT-OF-SCOPE###")}, sim.UserStop},
		"agent stops":        {sim.Setup{Agent: says(sim.Stop), User: says("hello")}, sim.AgentStop},
		"agent's transfer":   {sim.Setup{Agent: says(sim.Transfer), User: says("hello", "###STOP###")}, sim.UserStop},
		"steps":              {sim.Setup{Agent: says("a"), User: says("b"), Limits: sim.Limits{Steps: 7}}, sim.MaxSteps},
		"steps beat a stop":  {sim.Setup{Agent: says("a"), User: says("b ###STOP###"), Limits: sim.Limits{Steps: 1}}, sim.MaxSteps},
		"errors":             {sim.Setup{Agent: &script{messages: []chat.Message{failing}}, User: says("b")}, sim.TooManyErrors},
		"silent agent":       {sim.Setup{Agent: says(" "), User: says("b")}, sim.AgentError},
		"silent user":        {sim.Setup{Agent: says("a"), User: says("")}, sim.UserError},
		"agent gives up":     {sim.Setup{Agent: &script{errs: map[int]error{0: fmt.Errorf("lost: %w", sim.ErrGaveUp)}, messages: says("a").messages}, User: says("b")}, sim.AgentError},
		"an empty call list": {sim.Setup{Agent: &script{messages: []chat.Message{{ToolCalls: []chat.ToolCall{}}}}, User: says("b")}, sim.AgentError},
	} {
		if r := run(t, c.setup); r.Termination != c.want {
			t.Errorf("%s: ended with %s, want %s", name, r.Termination, c.want)
		}
	}
}

func TestErrorLimits(t *testing.T) {
	var messages []chat.Message
	for i := range 30 {
		tool := "no_such_tool"
		if i%3 == 2 {
			tool = "calculate"
		}
		messages = append(messages, chat.Calls("", call(fmt.Sprint(i), tool, sum)))
	}
	agent := func() *script { return &script{messages: messages} }
	if r := run(t, sim.Setup{Agent: agent(), User: says("b")}); r.Errors != 10 || len(r.Messages) != 2+2*14 {
		t.Errorf("in all: %d errors, %d messages", r.Errors, len(r.Messages))
	}
	row := sim.Limits{Errors: 100, ErrorsInRow: 2}
	if r := run(t, sim.Setup{Agent: agent(), User: says("b"), Limits: row}); r.Errors != 2 || r.Termination != sim.TooManyErrors {
		t.Errorf("in a row: %d errors, %s", r.Errors, r.Termination)
	}
}

func TestAskedAgainAfterNothing(t *testing.T) {
	agent := says("", "", "here I am")
	r := run(t, sim.Setup{Agent: agent, User: says("hello", "###STOP###")})
	if r.Termination != sim.UserStop || r.Messages[2].Body() != "here I am" {
		t.Errorf("%s: %q", r.Termination, lines(r.Messages))
	}
}

func TestParallelCallsAllRun(t *testing.T) {
	both := chat.Calls("", call("a", "no_such_tool", nil), call("b", "calculate", sum))
	both.Content = says("one moment").messages[0].Content
	agent := &script{messages: []chat.Message{both, chat.Text("", "done")}}
	r := run(t, sim.Setup{Agent: agent, User: says("hello", "###STOP###")})
	want := []string{"assistant: one moment→a→b", "tool for a failed=true", "tool for b failed=false", "assistant: done"}
	if got := lines(r.Messages)[2:6]; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestUsersOwnCalls(t *testing.T) {
	user := &script{messages: []chat.Message{chat.Calls("", call("u", "calculate", sum)), chat.Text("", "bye ###STOP###")}}
	agent := says("hm")
	r := run(t, sim.Setup{Agent: agent, User: user})
	if m := r.Messages[2]; m.Requestor != chat.User || !m.Error {
		t.Errorf("the user's call of an agent's tool was answered %+v", m)
	}
	if len(user.seen[1]) != 3 || len(agent.seen) != 0 {
		t.Errorf("the user saw %q, the agent moved %d times", lines(user.seen[1]), len(agent.seen))
	}
}

func TestHistoryGoesOn(t *testing.T) {
	answer := chat.Answer(&chat.ToolCall{ID: "h"}, "3.0", false)
	for name, c := range map[string]struct {
		history []chat.Message
		first   string
	}{
		"agent's text": {[]chat.Message{chat.Text(chat.Assistant, "hi")}, "user: from user ###STOP###"},
		"user's text":  {[]chat.Message{chat.Text(chat.User, "hi")}, "assistant: from agent"},
		"answer":       {[]chat.Message{chat.Calls(chat.Assistant, call("h", "calculate", sum)), answer}, "assistant: from agent"},
		"open call":    {[]chat.Message{chat.Calls(chat.Assistant, call("h", "calculate", sum))}, "tool for h failed=false"},
	} {
		r := run(t, sim.Setup{Agent: says("from agent"), User: says("from user ###STOP###"), History: c.history})
		if got := lines(r.Messages)[len(c.history)]; got != c.first {
			t.Errorf("%s: went on with %q", name, got)
		}
	}
}

func TestFaultsAreNoEndings(t *testing.T) {
	fault := errors.New("no connection")
	agent := says("a")
	agent.errs = map[int]error{0: fault}
	r, err := sim.Run(context.Background(), sim.Setup{Env: environment(t), Agent: agent, User: says("b")})
	if !errors.Is(err, fault) || r.Termination != "" || len(r.Messages) != 2 {
		t.Errorf("%v, ended with %q, %q", err, r.Termination, lines(r.Messages))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := sim.Run(ctx, sim.Setup{Env: environment(t), Agent: says("a"), User: says("b")}); !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancel: %v", err)
	}
}

func TestClockStampsMessages(t *testing.T) {
	n := 0
	r := run(t, sim.Setup{Agent: says("a"), User: says("###STOP###"), Clock: func() string { n++; return fmt.Sprint("t", n) }})
	if *r.Messages[0].Timestamp != "t1" || *r.Messages[1].Timestamp != "t2" {
		t.Errorf("stamped %v", r.Messages)
	}
}
