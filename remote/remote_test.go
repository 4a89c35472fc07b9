package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"taste/chat"
	"taste/internal/hint"
	"taste/remote"
	"taste/sim"
	"taste/tau"
)

// program is a remote party that answers by a function and writes down what it
// is asked.
type program struct {
	mu     sync.Mutex
	asked  []string // step and body
	answer func(step string, nth int, body map[string]any, w http.ResponseWriter)
}

func (p *program) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	var body map[string]any
	if err := json.Unmarshal(text, &body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	step := strings.TrimPrefix(r.URL.Path, "/")
	p.mu.Lock()
	p.asked = append(p.asked, step+" "+string(text))
	nth := len(p.asked)
	p.mu.Unlock()
	p.answer(step, nth, body, w)
}

// log returns what was asked so far.
func (p *program) log() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

// texts answers start with opening and then says one text after the other.
func texts(opening string, all ...string) func(string, int, map[string]any, http.ResponseWriter) {
	return func(step string, _ int, body map[string]any, w http.ResponseWriter) {
		if step != "next" {
			_, _ = io.WriteString(w, opening)
			return
		}
		_, _ = io.WriteString(w, all[int(body["turn"].(float64))])
	}
}

func serve(t *testing.T, answer func(string, int, map[string]any, http.ResponseWriter)) (*program, *remote.Client) {
	t.Helper()
	p := &program{answer: answer}
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	return p, &remote.Client{URL: s.URL, HTTP: s.Client(), Pause: time.Millisecond}
}

var toolSpec = chat.ToolSpec{Name: "f", Schema: json.RawMessage(`{"type": "function", "function": {"name": "f"}}`)}

func agent(t *testing.T, c *remote.Client) sim.Agent {
	t.Helper()
	a, err := c.Agent(context.Background(), "7", sim.AgentStart{Policy: "Be kind.", Tools: []chat.ToolSpec{toolSpec}, Seed: 1 << 63, Conversation: "x"})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestWhatIsAsked(t *testing.T) {
	greeting, question := chat.Text(chat.Assistant, "hi"), chat.Text(chat.User, "what?")
	called := chat.Calls(chat.Assistant, chat.ToolCall{ID: "c", Name: "f", Arguments: map[string]any{}})
	answer := chat.Answer(&called.ToolCalls[0], "3", false)
	for opening, want := range map[string][]string{
		`{}`: {
			`next {"conversation": "assistant-x", "turn": 0, "messages": [{"role": "assistant", "content": "hi", "tool_calls": null}, {"role": "user", "content": "what?", "tool_calls": null}]}`,
			`next {"conversation": "assistant-x", "turn": 1, "messages": [{"id": "c", "role": "tool", "content": "3", "requestor": "assistant", "error": false}]}`,
			`end {"conversation": "assistant-x", "reason": "user_stop", "messages": [{"role": "user", "content": "what?", "tool_calls": null}]}`,
		},
		`{"messages": "whole"}`: {
			`next {"conversation": "assistant-x", "turn": 0, "messages": [{"role": "assistant", "content": "hi", "tool_calls": null}, {"role": "user", "content": "what?", "tool_calls": null}]}`,
			`next {"conversation": "assistant-x", "turn": 1, "messages": [{"role": "assistant", "content": "hi", "tool_calls": null}, {"role": "user", "content": "what?", "tool_calls": null}, ` +
				`{"role": "assistant", "tool_calls": [{"name": "f", "arguments": {}, "id": "c"}]}, {"id": "c", "role": "tool", "content": "3", "requestor": "assistant", "error": false}]}`,
		},
	} {
		p, c := serve(t, texts(opening, `{"tool_calls": [{"name": "f", "arguments": {}, "id": "c"}]}`, `{"content": "three"}`))
		a := agent(t, c)
		history := []chat.Message{greeting, question}
		for _, more := range []chat.Message{answer, question} {
			m, err := a.Next(context.Background(), history)
			if err != nil {
				t.Fatal(err)
			}
			history = append(history, m, more)
		}
		a.(sim.Ender).End(context.Background(), sim.UserStop, history)
		begin := `start {"protocol": "taste/1", "side": "assistant", "conversation": "assistant-x", "task_id": "7", "seed": 9223372036854775808, "args": {}, ` +
			`"tools": [{"type": "function", "function": {"name": "f"}}], "policy": "Be kind."}`
		if p.log()[0] != begin {
			t.Errorf("began with %s", p.log()[0])
		}
		if got := p.log()[1:]; !slices.Equal(got[:len(want)], want) {
			t.Errorf("asked %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestUserIsToldItsScenario(t *testing.T) {
	p, c := serve(t, texts(`{}`, `{"content": "hello"}`))
	c.Session = "run1-"
	u, err := c.User(context.Background(), "7", sim.UserStart{Scenario: tau.UserScenario{Instructions: tau.Instructions{Plain: "Ask."}}, Guidelines: "Be brief.", Conversation: "x"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := u.Next(context.Background(), []chat.Message{chat.Text(chat.Assistant, "hi")})
	if err != nil || m.Role != chat.User || m.Body() != "hello" {
		t.Errorf("%+v, %v", m, err)
	}
	for _, part := range []string{`"side": "user"`, `"conversation": "run1-user-x"`, `"instructions": "Ask."`, `"guidelines": "Be brief."`} {
		if !strings.Contains(p.log()[0], part) {
			t.Errorf("began with %s, without %s", p.log()[0], part)
		}
	}
}

func TestMessagesOfManyForms(t *testing.T) {
	for form, want := range map[string]string{
		`{"content": "x", "cost": 0.5}`: `{"role": "assistant", "content": "x", "cost": 0.5}`,
		`{"role": "assistant", "content": null, "tool_calls": [{"name": "f", "arguments": {"b": 1, "a": 2.0}}, {"id": "k", "name": "g", "arguments": {}}]}`: `{"role": "assistant", "content": null, "tool_calls": [{"name": "f", "arguments": {"b": 1, "a": 2.0}, "id": "call_0_0"}, {"id": "k", "name": "g", "arguments": {}}]}`,
		`{"tool_calls": [{"id": "k", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1}"}}]}`:                                           `{"role": "assistant", "tool_calls": [{"name": "f", "id": "k", "arguments": {"a": 1}}]}`,
	} {
		_, c := serve(t, texts(`{}`, form))
		m, err := agent(t, c).Next(context.Background(), nil)
		if got, _ := m.MarshalJSON(); err != nil || string(got) != want {
			t.Errorf("%s is read as %s, %v", form, got, err)
		}
	}
}

// The program's own failures end its conversation and count.
func TestItsOwnFailures(t *testing.T) {
	for form, want := range map[string]string{
		`{"error": "no idea"}`:                                            "no idea",
		`{"error": {"code": 5}}`:                                          `{"code": 5}`,
		`{"role": "user", "content": "x"}`:                                `role: want "assistant"`,
		`{"content": 5}`:                                                  "content: want a string",
		`{"tool_calls": [{"name": "f", "arguments": []}]}`:                "tool_calls[0].arguments",
		`{"tool_calls": [{"function": {"arguments": "{}"}}]}`:             "tool_calls[0].function.name",
		`{"tool_calls": [{"function": {"name": "f", "arguments": "{"}}]}`: "tool_calls[0].function.arguments",
		`hello`: "no JSON object",
		`[]`:    "no JSON object",
	} {
		p, c := serve(t, texts(`{}`, form))
		_, err := agent(t, c).Next(context.Background(), nil)
		if !errors.Is(err, sim.ErrGaveUp) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", form, err, want)
		}
		if len(p.log()) != 2 {
			t.Errorf("%s: asked again: %q", form, p.log())
		}
	}
	_, c := serve(t, texts(`{"error": "not today"}`))
	if _, err := agent(t, c).Next(context.Background(), nil); !errors.Is(err, sim.ErrGaveUp) || !strings.Contains(err.Error(), "not today") {
		t.Errorf("at the start: %v", err)
	}
	_, c = serve(t, texts(`{}`, `{"error": "too many tokens", "too_long": true}`))
	if _, err := agent(t, c).Next(context.Background(), nil); !errors.Is(err, sim.ErrTooLong) {
		t.Errorf("too long: %v", err)
	}
}

// Faults of the machinery are asked again where that can help, with the same
// number of the turn.
func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		fault func(w http.ResponseWriter)
		asks  int
		is    error
	}{
		"an error of the server": {func(w http.ResponseWriter) { http.Error(w, "ouch", http.StatusInternalServerError) }, 5, nil},
		"a lost connection":      {hangUp, 5, nil},
		"half an answer": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "20")
			_, _ = io.WriteString(w, `{"cont`)
		}, 5, nil},
		"an unknown one": {func(w http.ResponseWriter) { http.Error(w, "who?", http.StatusNotFound) }, 1, nil},
		"no right":       {func(w http.ResponseWriter) { http.Error(w, "key?", http.StatusUnauthorized) }, 1, sim.ErrHopeless},
	} {
		p, client := serve(t, func(step string, _ int, _ map[string]any, w http.ResponseWriter) {
			if step == "start" {
				_, _ = io.WriteString(w, `{}`)
				return
			}
			c.fault(w)
		})
		_, err := agent(t, client).Next(context.Background(), nil)
		if err == nil || errors.Is(err, sim.ErrGaveUp) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v", name, err)
		}
		if asks := p.log()[1:]; len(asks) != c.asks || asks[0] != asks[len(asks)-1] {
			t.Errorf("%s: asked %q", name, asks)
		}
	}
}

// hangUp closes the connection without an answer.
func hangUp(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

func TestConnectionComesBack(t *testing.T) {
	p, c := serve(t, func(_ string, nth int, _ map[string]any, w http.ResponseWriter) {
		if nth%3 != 0 {
			hangUp(w)
			return
		}
		_, _ = io.WriteString(w, `{"content": "here"}`)
	})
	m, err := agent(t, c).Next(context.Background(), nil)
	if err != nil || m.Body() != "here" || len(p.log()) != 6 {
		t.Errorf("%q, %v, asked %d times", m.Body(), err, len(p.log()))
	}
}

func TestNobodyThere(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	c := &remote.Client{URL: s.URL, Attempts: 2, Pause: time.Millisecond}
	if _, err := c.Agent(context.Background(), "7", sim.AgentStart{}); !errors.Is(err, sim.ErrHopeless) {
		t.Errorf("another program: %v", err)
	}
	s.Close()
	_, err := c.Agent(context.Background(), "7", sim.AgentStart{})
	if err == nil || errors.Is(err, sim.ErrHopeless) || !strings.Contains(hint.Of(err), "running") {
		t.Errorf("no program: %v (%s)", err, hint.Of(err))
	}
	_, wrong := serve(t, texts(`{"messages": "some"}`))
	if _, err := wrong.Agent(context.Background(), "7", sim.AgentStart{}); !errors.Is(err, sim.ErrHopeless) {
		t.Errorf("another protocol: %v", err)
	}
}

// A busy program is left alone by all conversations for as long as it asks, and
// none of them begins anew or runs out of attempts.
func TestBusyProgramIsLeftAlone(t *testing.T) {
	busy := 0
	p, c := serve(t, func(step string, _ int, _ map[string]any, w http.ResponseWriter) {
		if busy++; step == "next" && busy < 12 {
			w.Header().Set("Retry-After", "0.005")
			http.Error(w, "busy", http.StatusTooManyRequests)
			return
		}
		_, _ = io.WriteString(w, `{"content": "here"}`)
	})
	c.Attempts = 2
	if m, err := agent(t, c).Next(context.Background(), nil); err != nil || m.Body() != "here" {
		t.Errorf("%q, %v", m.Body(), err)
	}
	if starts := strings.Count(strings.Join(p.log(), "\n"), "start"); starts != 1 {
		t.Errorf("began %d times", starts)
	}
}

func TestBusyProgramHoldsOthersUp(t *testing.T) {
	p, c := serve(t, func(step string, nth int, _ map[string]any, w http.ResponseWriter) {
		if nth == 3 {
			w.Header().Set("Retry-After", "3600")
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, `{}`)
	})
	one, other := agent(t, c), agent(t, c)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	for _, a := range []sim.Agent{one, other} {
		if _, err := a.Next(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
	}
	if len(p.log()) != 3 {
		t.Errorf("asked %q", p.log())
	}
}

func TestTimeEndsMidRequest(t *testing.T) {
	hang := make(chan struct{})
	p, c := serve(t, func(step string, _ int, _ map[string]any, w http.ResponseWriter) {
		if step == "next" {
			<-hang
		}
		_, _ = io.WriteString(w, `{}`)
	})
	t.Cleanup(func() { close(hang) }) // before the server is closed, which waits for it
	a := agent(t, c)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := a.Next(ctx, nil); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, sim.ErrGaveUp) {
		t.Errorf("the conversation's time: %v", err)
	}
	c.Patience, c.Attempts = 10*time.Millisecond, 2
	asked := len(p.log())
	if _, err := a.Next(context.Background(), nil); err == nil || len(p.log()) != asked+2 {
		t.Errorf("a request's time: %v, asked %d times", err, len(p.log())-asked)
	}
}

func ExampleClient() {
	c := remote.Client{URL: "http://localhost:1", Attempts: 1}
	_, err := c.Agent(context.Background(), "7", sim.AgentStart{})
	fmt.Println(hint.Of(err))
	// Output: is the program running? docs/remote-agent.md tells what it has to answer
}
