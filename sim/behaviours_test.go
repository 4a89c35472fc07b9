package sim_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"taste/chat"
	"taste/domain/mock/mocktest"
	"taste/env"
	"taste/sim"
)

// Each test here holds one row of the list of behaviours that a trusted harness
// gets right, by its number there.

func TestRow05ErrorBudget(t *testing.T) {
	var messages []chat.Message
	for i := range 40 {
		tool := "no_such_tool"
		if i%4 == 3 {
			tool = "calculate"
		}
		messages = append(messages, chat.Calls("", call(fmt.Sprint(i), tool, sum)))
	}
	for name, c := range map[string]struct {
		limits sim.Limits
		errors int
		rounds int
	}{
		"ten in all":           {sim.Limits{}, 10, 13},
		"four in all":          {sim.Limits{Errors: 4}, 4, 5},
		"three in a row":       {sim.Limits{Errors: 100, ErrorsInRow: 3}, 3, 3},
		"four in a row: never": {sim.Limits{Errors: 28, ErrorsInRow: 4}, 28, 37},
	} {
		r := run(t, sim.Setup{Agent: &script{messages: messages}, User: says("b"), Limits: c.limits})
		if r.Errors != c.errors || len(r.Messages) != 2+2*c.rounds || r.Termination != sim.TooManyErrors {
			t.Errorf("%s: %d errors, %d messages, %s", name, r.Errors, len(r.Messages), r.Termination)
		}
	}
	// Errors of one message count each, and those of both sides together.
	three := chat.Calls("", call("a", "x", nil), call("b", "x", nil), call("c", "x", nil))
	r := run(t, sim.Setup{Agent: &script{messages: []chat.Message{three}}, User: &script{messages: []chat.Message{three, chat.Text("", "hm")}}, Limits: sim.Limits{Errors: 5}})
	if r.Errors != 6 || r.Termination != sim.TooManyErrors {
		t.Errorf("of both sides: %d errors, %s", r.Errors, r.Termination)
	}
}

func TestRow12EmptyMessage(t *testing.T) {
	nothing := &script{messages: []chat.Message{{ToolCalls: []chat.ToolCall{}}}}
	for name, c := range map[string]struct {
		setup sim.Setup
		asked func() int
		want  sim.Reason
	}{
		"agent":              {sim.Setup{Agent: nothing, User: says("b"), Limits: sim.Limits{Empty: 4}}, func() int { return nothing.at }, sim.AgentError},
		"agent, white space": {sim.Setup{Agent: says(" \n"), User: says("b")}, nil, sim.AgentError},
		"user":               {sim.Setup{Agent: says("a"), User: says("")}, nil, sim.UserError},
		"at last something":  {sim.Setup{Agent: says("", "", "here I am"), User: says("hello", "###STOP###")}, nil, sim.UserStop},
	} {
		r := run(t, c.setup)
		if r.Termination != c.want || (c.want != sim.UserStop) != errors.Is(r.Err, sim.ErrEmpty) {
			t.Errorf("%s: %s, %v", name, r.Termination, r.Err)
		}
		if c.asked != nil && c.asked() != 5 {
			t.Errorf("%s: asked %d times", name, c.asked())
		}
		for _, m := range r.Messages {
			if !m.HasText() {
				t.Errorf("%s: an empty message is in the record", name)
			}
		}
	}
	_, err := sim.Run(context.Background(), sim.Setup{Env: environment(t), Agent: says(""), User: says("b"), Compat: true})
	if !errors.Is(err, sim.ErrEmpty) {
		t.Errorf("compat: %v", err)
	}
}

func TestRow13ParallelCalls(t *testing.T) {
	both := chat.Calls("", call("a", "no_such_tool", nil), call("b", "calculate", sum))
	r := run(t, sim.Setup{Agent: &script{messages: []chat.Message{both, chat.Text("", "done")}}, User: says("hello", "###STOP###")})
	want := []string{"assistant: →a→b", "tool for a failed=true", "tool for b failed=false", "assistant: done"}
	if got := lines(r.Messages)[2:6]; !slices.Equal(got, want) || r.Messages[4].Body() != "3.0" {
		t.Errorf("got %q, answer %q", got, r.Messages[4].Body())
	}
	if r.Steps != 5 {
		t.Errorf("%d steps: all answers of a message are one", r.Steps)
	}
	none := chat.Text("", "no call")
	none.ToolCalls = []chat.ToolCall{}
	r = run(t, sim.Setup{Agent: &script{messages: []chat.Message{none}}, User: says("hello", "###STOP###")})
	if m := r.Messages[2]; m.ToolCalls != nil || r.Termination != sim.UserStop {
		t.Errorf("an empty list of calls: %+v, %s", m, r.Termination)
	}
}

func TestRow14TextAndCallTogether(t *testing.T) {
	both := chat.Calls("", call("a", "calculate", sum))
	both.Content = chat.Text("", "one moment").Content
	setup := func() (sim.Setup, *script) {
		user := says("hello", "###STOP###")
		return sim.Setup{Agent: &script{messages: []chat.Message{both, chat.Text("", "three")}}, User: user}, user
	}
	s, user := setup()
	r := run(t, s)
	if got := lines(r.Messages)[2:5]; !slices.Equal(got, []string{"assistant: one moment→a", "tool for a failed=false", "assistant: three"}) {
		t.Errorf("recorded as %q", got)
	}
	if got := lines(user.seen[1])[2:]; !slices.Equal(got, []string{"assistant: one moment", "assistant: three"}) {
		t.Errorf("the user heard %q", got)
	}
	s, user = setup()
	s.Compat = true
	if r := run(t, s); r.Messages[2].Body() != "one moment" || len(lines(user.seen[1])) != 3 {
		t.Errorf("compat: %q, the user heard %q", lines(r.Messages), lines(user.seen[1]))
	}
	s, _ = setup()
	s.Enforce = true
	if r := run(t, s); r.Termination != sim.AgentError || len(r.Messages) != 3 || r.Err == nil {
		t.Errorf("rejected: %s (%v), %q", r.Termination, r.Err, lines(r.Messages))
	}
	s, _ = setup()
	s.User, s.Enforce = &script{messages: []chat.Message{both}}, true
	if r := run(t, s); r.Termination != sim.UserError {
		t.Errorf("a user's: %s", r.Termination)
	}
}

// chores is an environment whose user has tools: a list of tasks, and a user
// with a notification to dismiss.
func chores(t *testing.T) *env.Environment {
	t.Helper()
	return mocktest.Chores(t, env.Domain{}).Environment()
}

var (
	dismiss = chat.Calls("", call("d", "dismiss_notification", map[string]any{"notification_id": "n1"}))
	check   = chat.Calls("", call("c", "check_notifications", nil))
	create  = chat.Calls("", call("t", "create_task", map[string]any{"user_id": "ann", "title": "Mop"}))
	bye     = chat.Text("", sim.Stop)
)

func TestRow15WrongOwner(t *testing.T) {
	e := chores(t)
	before := e.Clone()
	r := run(t, sim.Setup{Env: e, Agent: &script{messages: []chat.Message{dismiss, bye}}, User: &script{messages: []chat.Message{create, chat.Text("", "hm")}}})
	for _, m := range r.Messages {
		if m.Role == chat.Tool && (!m.Error || !strings.HasPrefix(m.Body(), "Error: ")) {
			t.Errorf("answered %+v", m)
		}
	}
	if d := before.Diff(e); len(d) > 0 || r.Errors != 2 {
		t.Errorf("%d errors, changed %q", r.Errors, d)
	}
	replayed := before.Clone()
	if err := replayed.Replay(r.Messages); err != nil || !replayed.Equal(before) {
		t.Errorf("replayed: %v, %q", err, before.Diff(replayed))
	}
	// Each of its owner's does what it says.
	r = run(t, sim.Setup{Env: e, Agent: &script{messages: []chat.Message{create, bye}}, User: &script{messages: []chat.Message{dismiss, chat.Text("", "hm")}}})
	if d := before.Diff(e); len(d) < 2 || r.Errors != 0 {
		t.Errorf("of their owners: %d errors, changed %q", r.Errors, d)
	}
}

// busy sets up a conversation in which both sides change something.
func busy(e *env.Environment) sim.Setup {
	return sim.Setup{
		Env: e, Agent: &script{messages: []chat.Message{create, create, bye}},
		User: &script{messages: []chat.Message{check, dismiss, check, chat.Text("", "hello")}},
	}
}

func TestRow26Isolation(t *testing.T) {
	first := chores(t)
	first.Freeze()
	outcome := func(e *env.Environment) string {
		r, err := sim.Run(context.Background(), busy(e))
		return fmt.Sprint(lines(r.Messages), r.Messages[2].Body(), r.Messages[6].Body(), e.Hash(), e.UserHash(), err)
	}
	want := outcome(first.Clone())
	got := make([]string, 64)
	var group sync.WaitGroup
	for i := range got {
		group.Go(func() { got[i] = outcome(first.Clone()) })
	}
	group.Wait()
	for i, g := range got {
		if g != want {
			t.Errorf("conversation %d came out as %s\nwant %s", i, g, want)
		}
	}
	if !strings.Contains(want, "unread") || !first.Equal(chores(t)) {
		t.Errorf("the start has changed: %s", want)
	}
}

func TestRow29UsersView(t *testing.T) {
	s := busy(chores(t))
	user := s.User.(*script)
	user.messages = append(user.messages, chat.Text("", "and then?"))
	s.Agent = &script{messages: []chat.Message{create, chat.Text("", "it is on the list"), bye}}
	r := run(t, s)
	seen := user.seen[len(user.seen)-1]
	want := []string{
		"assistant: " + sim.Greeting, "user: →c", "tool for c failed=false", "user: →d", "tool for d failed=false",
		"user: →c", "tool for c failed=false", "user: hello", "assistant: it is on the list",
	}
	if got := lines(seen); !slices.Equal(got, want) {
		t.Errorf("the user saw %q", got)
	}
	if seen[6].Body() == seen[2].Body() || seen[6].Requestor != chat.User {
		t.Errorf("the answers %q and %q", seen[2].Body(), seen[6].Body())
	}
	if r.Termination != sim.AgentStop {
		t.Errorf("ended with %s", r.Termination)
	}
}

func TestRow30Unfinished(t *testing.T) {
	// The limit is reached while a call waits: its answer still comes.
	for limit, messages := range map[int]int{2: 4, 3: 4, 4: 6} {
		r := run(t, sim.Setup{Env: chores(t), Agent: &script{messages: []chat.Message{create}}, User: says("hello"), Limits: sim.Limits{Steps: limit}})
		if last := r.Messages[len(r.Messages)-1]; r.Termination != sim.MaxSteps || last.Role != chat.Tool || len(r.Messages) != messages {
			t.Errorf("after %d steps: %s, %q", limit, r.Termination, lines(r.Messages))
		}
	}
	// A call of a message that breaks the rules never gets one.
	m := create
	m.Content = bye.Content
	e := chores(t)
	r := run(t, sim.Setup{Env: e, Agent: &script{messages: []chat.Message{m}}, User: says("hello"), Enforce: true})
	if r.Termination != sim.AgentError || r.Messages[len(r.Messages)-1].Role != chat.Assistant || !e.Equal(chores(t)) {
		t.Errorf("%s, %q", r.Termination, lines(r.Messages))
	}
}

// slow is a party that takes as long as it is given.
type slow struct{ *script }

func (s slow) Next(ctx context.Context, history []chat.Message) (chat.Message, error) {
	if len(s.seen) == 1 {
		<-ctx.Done()
		return chat.Message{}, ctx.Err()
	}
	return s.script.Next(ctx, history)
}

func TestRow24TimeoutFiresMidRequest(t *testing.T) {
	begin := time.Now()
	r := run(t, sim.Setup{Agent: slow{says("a", "b")}, User: says("hello"), Limits: sim.Limits{Time: 20 * time.Millisecond}})
	if r.Termination != sim.Timeout || len(r.Messages) != 4 || time.Since(begin) > 5*time.Second {
		t.Errorf("%s, %q", r.Termination, lines(r.Messages))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := sim.Run(ctx, sim.Setup{Env: environment(t), Agent: slow{says("a", "b")}, User: says("hello"), Limits: sim.Limits{Time: time.Hour}})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a deadline from outside is none of the conversation's: %v", err)
	}
}
