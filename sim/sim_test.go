package sim_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
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
	d, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	return d.Environment()
}

var builtin = sync.OnceValues(func() (*env.Domain, error) { return airline.Builtin(1) })

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

func TestHistoriesThatCannotBe(t *testing.T) {
	calls := chat.Calls(chat.Assistant, call("h", "calculate", sum), call("i", "calculate", sum))
	answer := chat.Answer(&calls.ToolCalls[0], "3.0", false)
	users := answer
	users.Requestor = chat.User
	for fault, history := range map[string][]chat.Message{
		"message 0 answers no call":               {answer},
		"message 1 answers no call":               {chat.Text(chat.User, "hi"), answer},
		"message 1 answers the user":              {calls, users},
		"message 3 answers no call":               {calls, answer, answer, answer},
		"message 2 calls while 1 answers":         {calls, answer, calls},
		"message 2 answers no call":               {calls, chat.Text(chat.User, "hi"), answer},
		"message 0 has no text and no calls":      {chat.Text(chat.User, " ")},
		"message 1 is neither of agent or user":   {chat.Text(chat.User, "hi"), {Role: chat.System}},
		"message 0 is neither of agent or user n": {{Role: chat.Tool, ToolMessages: []chat.Message{answer}}},
	} {
		_, err := sim.Run(context.Background(), sim.Setup{Env: environment(t), Agent: says("a"), User: says("b"), History: history})
		if err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("want %s, got %v", fault, err)
		}
	}
	_, err := sim.Run(context.Background(), sim.Setup{Env: environment(t), Agent: says("a"), History: []chat.Message{chat.Text(chat.Assistant, "hi")}})
	if err == nil || !strings.Contains(err.Error(), "there is none") {
		t.Errorf("nobody to hear: %v", err)
	}
}

func TestHistoryThatHasEnded(t *testing.T) {
	for text, want := range map[string]sim.Reason{"user": sim.UserStop, "assistant": sim.AgentStop} {
		r := run(t, sim.Setup{Agent: says("a"), User: says("b"), History: []chat.Message{chat.Text(text, "bye "+sim.Stop)}})
		if r.Termination != want || len(r.Messages) != 1 || r.Steps != 0 {
			t.Errorf("%s: %s, %q", text, r.Termination, lines(r.Messages))
		}
	}
}

func TestAgentWithoutUser(t *testing.T) {
	solo := func() *env.Environment { return chores(t).Domain().Solo().Environment() }
	agent := &script{messages: []chat.Message{create, dismiss, bye}}
	r := run(t, sim.Setup{Env: solo(), Agent: agent})
	want := []string{"assistant: →t", "tool for t failed=false", "assistant: →d", "tool for d failed=false", "assistant: " + sim.Stop}
	if got := lines(r.Messages); !slices.Equal(got, want) || r.Termination != sim.AgentStop || r.Steps != 4 {
		t.Errorf("%s after %d steps: %q", r.Termination, r.Steps, got)
	}
	if len(agent.seen[0]) != 0 {
		t.Errorf("the agent began with %q", lines(agent.seen[0]))
	}
	for name, c := range map[string]struct {
		setup sim.Setup
		want  sim.Reason
	}{
		"talks at once": {sim.Setup{Agent: says("hello?")}, sim.AgentError},
		"talks later":   {sim.Setup{Agent: &script{messages: []chat.Message{create, chat.Text("", "done")}}}, sim.AgentError},
		"stops at once": {sim.Setup{Agent: says(sim.Stop)}, sim.AgentStop},
		"says nothing":  {sim.Setup{Agent: says("")}, sim.AgentError},
		"compat":        {sim.Setup{Agent: says(""), Compat: true}, sim.AgentError},
		"goes on":       {sim.Setup{Agent: &script{messages: []chat.Message{create}}, Limits: sim.Limits{Steps: 6}}, sim.MaxSteps},
		"has a history": {sim.Setup{Agent: says(sim.Stop), History: []chat.Message{chat.Calls(chat.Assistant, create.ToolCalls...)}}, sim.AgentStop},
	} {
		c.setup.Env = solo()
		if r := run(t, c.setup); r.Termination != c.want {
			t.Errorf("%s: %s, %q", name, r.Termination, lines(r.Messages))
		}
	}
}

// guest is a party that is told about the end.
type guest struct {
	*script
	told []string
}

func (g *guest) End(ctx context.Context, reason sim.Reason, history []chat.Message) {
	g.told = append(g.told, fmt.Sprint(reason, len(history), ctx.Err()))
}

func TestPartiesAreToldTheEnd(t *testing.T) {
	agent, user := &guest{script: says("a")}, &guest{script: says("hello", "bye ###STOP###")}
	run(t, sim.Setup{Agent: agent, User: user})
	if want := []string{"user_stop4 <nil>"}; !slices.Equal(agent.told, want) || !slices.Equal(user.told, want) {
		t.Errorf("told %q and %q", agent.told, user.told)
	}
	broken := &guest{script: says("a")}
	broken.errs = map[int]error{0: errors.New("no connection")}
	if _, err := sim.Run(context.Background(), sim.Setup{Env: environment(t), Agent: broken, User: says("b")}); err == nil || !slices.Equal(broken.told, []string{"2 <nil>"}) {
		t.Errorf("after a fault: %v, told %q", err, broken.told)
	}
}

func TestTooLong(t *testing.T) {
	agent := says("a")
	agent.errs = map[int]error{0: fmt.Errorf("refused: %w", sim.ErrTooLong)}
	if r := run(t, sim.Setup{Agent: agent, User: says("b")}); r.Termination != sim.TooLong || !errors.Is(r.Err, sim.ErrGaveUp) {
		t.Errorf("%s, %v", r.Termination, r.Err)
	}
}
