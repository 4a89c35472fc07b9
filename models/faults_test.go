package models_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"taste/chat"
	"taste/llm"
	"taste/llm/scripted"
	"taste/models"
	"taste/sim"
)

// turnsOf makes a script of answers and faults, in turn.
func turnsOf(all ...any) scripted.Func {
	n := 0
	return func(context.Context, *llm.Request) (*llm.Response, error) {
		x := all[min(n, len(all)-1)]
		n++
		switch x := x.(type) {
		case error:
			return nil, x
		case *llm.Response:
			return x, nil
		}
		return text(x.(string)), nil
	}
}

func stopped(s llm.Stop, words string) *llm.Response {
	r := text(words)
	r.Stop = s
	return r
}

// How each fault of the scripted server ends, where nothing stands between role
// and model. What waiting can cure is for the decorators to try again, and comes
// through as it is.
func TestFaults(t *testing.T) {
	fault := func(f scripted.Fault) error { return &f }
	for name, c := range map[string]struct {
		script  []any
		judge   string // verdict, or class of the error
		speaker string // how a conversation with such an agent ends, or class of the error
	}{
		"good":              {[]any{yes}, "plausible", "user_stop"},
		"fenced":            {[]any{"```json\n" + yes + "\n```"}, "plausible", "user_stop"},
		"wrong, then right": {[]any{"Yes.", yes}, "plausible", "user_stop"},
		"wrong":             {[]any{"Yes."}, "unusable", "user_stop"},
		"empty":             {[]any{""}, "unusable", "agent_error"},
		"empty, then right": {[]any{"", yes}, "plausible", "user_stop"},
		"refusal":           {[]any{stopped(llm.Refusal, "I would rather not.")}, "unusable", "user_stop"},
		"silent refusal":    {[]any{stopped(llm.Refusal, "")}, "unusable", "agent_error"},
		"filtered":          {[]any{stopped(llm.Filtered, "")}, "unusable", "agent_error"},
		"cut by length":     {[]any{stopped(llm.Length, yes[:40])}, "unusable", "user_stop"},
		"unknown stop":      {[]any{stopped(llm.Unknown, yes)}, "plausible", "user_stop"},
		"blocked":           {[]any{fault(scripted.Fault{Blocked: true})}, "unusable", "agent_error"},
		"overflow":          {[]any{fault(scripted.Fault{Overflow: true})}, "unusable", "context_window_exceeded"},
		"no key":            {[]any{fault(scripted.Fault{Status: 401})}, "auth", "auth"},
		"busy":              {[]any{fault(scripted.Fault{Status: 429})}, "rate_limited", "rate_limited"},
		"broken":            {[]any{fault(scripted.Fault{Status: 500})}, "overloaded", "overloaded"},
		"cut off":           {[]any{fault(scripted.Fault{Cut: true})}, "cut", "cut"},
		"reset":             {[]any{fault(scripted.Fault{Reset: true})}, "network", "network"},
		"unreadable":        {[]any{fault(scripted.Fault{Status: 200, Body: "<html>"})}, "unusable", "malformed"},
		"bad request":       {[]any{fault(scripted.Fault{Status: 400})}, "unusable", "bad_request"},
		"no such model":     {[]any{fault(scripted.Fault{Status: 404})}, "refused", "refused"},
	} {
		if got := judgedBy(t, turnsOf(c.script...)); got != c.judge {
			t.Errorf("%s: the judge ends with %s, want %s", name, got, c.judge)
		}
		if got := spokenBy(t, turnsOf(c.script...)); got != c.speaker {
			t.Errorf("%s: the agent ends with %s, want %s", name, got, c.speaker)
		}
	}
}

func judgedBy(t *testing.T, f scripted.Func) string {
	t.Helper()
	v, err := newJudge(t, scripted.Model("fake/model", f)).Judge(context.Background(), three)
	switch {
	case err != nil:
		return string(llm.ClassOf(err))
	case v.Raw != nil:
		return "unusable"
	case v.Plausible:
		return "plausible"
	}
	return "implausible"
}

// spokenBy ends a conversation of a user that says hello with such an agent.
func spokenBy(t *testing.T, f scripted.Func) string {
	t.Helper()
	d := libraryDomain(t)
	agent, err := models.Agent(models.Base{Model: scripted.Model("fake/model", f)})(context.Background(), sim.AgentStart{Policy: d.Policy, Tools: d.Tools})
	if err != nil {
		t.Fatal(err)
	}
	user := &greeter{}
	r, err := sim.Run(context.Background(), sim.Setup{Env: d.Environment(), Agent: agent, User: user})
	if err != nil {
		return string(llm.ClassOf(err))
	}
	return string(r.Termination)
}

// greeter says hello and then ends.
type greeter struct{ spoke bool }

func (g *greeter) Next(context.Context, []chat.Message) (chat.Message, error) {
	if g.spoke {
		return chat.Text(chat.User, sim.Stop), nil
	}
	g.spoke = true
	return chat.Text(chat.User, "Hello."), nil
}

// A hang ends with the time that is given.
func TestHang(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	started := make(chan struct{})
	m := scripted.Model("fake/model", func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
		close(started)
		return nil, &scripted.Fault{Hang: true}
	})
	go func() {
		<-started
		cancel()
	}()
	if _, err := newJudge(t, m).Judge(ctx, three); err == nil || !strings.Contains(fmt.Sprint(err), context.Canceled.Error()) {
		t.Errorf("got %v", err)
	}
}
