package connect_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taste/chat"
	"taste/llm"
	"taste/llm/anthropic"
	"taste/llm/gemini"
	"taste/llm/openai"
	"taste/llm/scripted"
)

// key is planted wherever a key is, and has to show nowhere.
const key = "sk-planted-0123456789"

// wire is an adapter with the wire format that it speaks.
type wire struct {
	name  string
	model func(t *testing.T, address string) llm.Model
}

var wires = []wire{
	{"chat", func(_ *testing.T, address string) llm.Model {
		return openai.Chat("openai/m", openai.Options{BaseURL: address + "/v1", Key: key})
	}},
	{"responses", func(_ *testing.T, address string) llm.Model {
		return openai.Responses("openai-responses/m", openai.Options{BaseURL: address + "/v1/", Key: key})
	}},
	{"messages", func(_ *testing.T, address string) llm.Model {
		return anthropic.Model("anthropic/m", anthropic.Options{BaseURL: address, Key: key})
	}},
	{"gemini", func(t *testing.T, address string) llm.Model {
		m, err := gemini.Model("google/m", gemini.Options{BaseURL: address, Key: key})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}},
}

// each runs a test over every wire format, against a server that answers by f.
func each(t *testing.T, f scripted.Func, test func(t *testing.T, wire string, m llm.Model, s *server)) {
	t.Helper()
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			s := serve(t, f)
			test(t, w.name, w.model(t, s.URL), s)
		})
	}
}

// server is a scripted server that remembers what it was asked.
type server struct {
	*httptest.Server
	mu   sync.Mutex
	seen []*scripted.Entry
}

func serve(t *testing.T, f scripted.Func) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(&scripted.Server{Func: f, Log: func(e *scripted.Entry) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.seen = append(s.seen, e)
	}})
	t.Cleanup(s.Close)
	return s
}

// asked returns the requests so far.
func (s *server) asked() []*scripted.Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*scripted.Entry(nil), s.seen...)
}

func script(t *testing.T, text string) scripted.Func {
	t.Helper()
	s, err := scripted.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Answer
}

func user(text string) llm.Message { return llm.Message{Role: chat.User, Text: text} }

func ask(text string) *llm.Request {
	return &llm.Request{Model: "m", Messages: []llm.Message{user(text)}}
}

func TestAnswersAreRead(t *testing.T) {
	f := script(t, `
rules:
  - answer: {text: "Héllo <b>", usage: {input: 100, cached: 60, written: 30, output: 50, reasoning: 20}}
`)
	each(t, f, func(t *testing.T, wire string, m llm.Model, _ *server) {
		res, err := m.Call(t.Context(), ask("x"))
		if err != nil {
			t.Fatal(err)
		}
		want := llm.Usage{Input: 100, Cached: 60, Written: 30, Output: 50, Reasoning: 20, Calls: 1}
		if wire == "gemini" { // which does not say
			want.Written = 0
		}
		if res.Message.Text != "Héllo <b>" || res.Message.Role != chat.Assistant || res.Stop != llm.End || res.Usage != want || res.Model != "m" || res.ID == "" {
			t.Errorf("got %+v", res)
		}
	})
}

// What a model is asked arrives in full, whatever the wire format.
func TestRequestsArrive(t *testing.T) {
	temperature, seed := 0.5, int64(7)
	r := &llm.Request{
		Model: "m", System: "Be brief.", MaxTokens: 300, Temperature: &temperature, Seed: &seed, Effort: "low",
		Messages: []llm.Message{
			user("Hi"), user("Where is my order?"),
			{Role: chat.Assistant, Text: "Let me see.", Calls: []llm.Call{
				{ID: "a1", Name: "get_order", Arguments: json.RawMessage(`{"id":"Ä7","b":25.0,"a":9007199254740993}`)},
				{ID: "a2", Name: "get_user", Arguments: json.RawMessage(`{}`)},
			}},
			{Role: chat.Tool, CallID: "a1", Text: "shipped"},
			{Role: chat.Tool, CallID: "a2", Text: "no such user", Failed: true},
			{Role: chat.Assistant, Text: "It is on its way."},
			user("Thanks"),
		},
		Tools: []llm.Tool{
			{Name: "get_order", Description: "Looks up an order.", Parameters: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"number"}},"required":["z"]}`)},
			{Name: "get_user", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)},
		},
		Extra: map[string]any{"custom": map[string]any{"x": 1}}, Trial: 4, Label: llm.Label{Role: "agent"},
	}
	each(t, script(t, `rules: [{answer: {text: "You are welcome."}}]`), func(t *testing.T, wire string, m llm.Model, s *server) {
		before, _ := json.Marshal(r)
		if _, err := m.Call(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if after, _ := json.Marshal(r); string(after) != string(before) {
			t.Error("the request was changed")
		}
		e := s.asked()[0]
		if !strings.Contains(string(e.Body), `"custom":{"x":1}`) {
			t.Errorf("extra fields: %s", e.Body)
		}
		if diff := cmp.Diff(expected(wire, r), e.Ask); diff != "" {
			t.Errorf("want -, got +:\n%s", diff)
		}
	})
}

// expected is a request as far as a wire format can say it.
func expected(wire string, r *llm.Request) *llm.Request {
	out := *r
	out.Trial, out.Label, out.Extra = 0, llm.Label{}, nil
	out.Messages = append([]llm.Message(nil), r.Messages...)
	switch wire {
	case "chat", "responses":
		for i := range out.Messages {
			out.Messages[i].Failed = false // only the text tells
		}
	case "messages", "gemini": // what follows one another from the user is one message
		out.Messages[0].Text += out.Messages[1].Text
		out.Messages = append(out.Messages[:1:1], out.Messages[2:]...)
	}
	if wire == "responses" || wire == "messages" {
		out.Seed = nil
	}
	return &out
}

// Conversations that the assistant begins are opened for providers that want it.
func TestTheAssistantMayBegin(t *testing.T) {
	each(t, script(t, "rules: [{answer: {text: ok}}]"), func(t *testing.T, wire string, m llm.Model, s *server) {
		r := &llm.Request{Model: "m", Messages: []llm.Message{{Role: chat.Assistant, Text: "Hi! How can I help?"}, user("My order.")}}
		if _, err := m.Call(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		got := s.asked()[0].Ask.Messages
		if opened := got[0].Role == chat.User; opened != (wire == "messages" || wire == "gemini") {
			t.Errorf("got %+v", got)
		}
		if diff := cmp.Diff(r.Messages, got[len(got)-2:]); diff != "" {
			t.Error(diff)
		}
	})
}

func TestParallelCalls(t *testing.T) {
	f := script(t, `
rules:
  - when: {turns: 0}
    answer: {text: "I look.", calls: [{name: b, arguments: {x: 1}}, {name: a}, {name: b, arguments: {x: 2}}]}
  - answer: {text: done}
`)
	each(t, f, func(t *testing.T, wire string, m llm.Model, s *server) {
		r := ask("go")
		r.Tools = []llm.Tool{{Name: "a"}, {Name: "b"}}
		res, err := m.Call(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		ids := map[string]bool{}
		r.Messages = append(r.Messages, res.Message)
		for _, c := range res.Message.Calls {
			got = append(got, c.Name+string(c.Arguments))
			ids[c.ID] = true
			r.Messages = append(r.Messages, llm.Message{Role: chat.Tool, CallID: c.ID, Text: "ok"})
		}
		if strings.Join(got, " ") != `b{"x":1} a{} b{"x":2}` || len(ids) != 3 || res.Stop != llm.ToolCalls || res.Message.Text != "I look." {
			t.Fatalf("got %+v", res)
		}
		if res, err = m.Call(t.Context(), r); err != nil || res.Message.Text != "done" {
			t.Fatal(res, err)
		}
		back := s.asked()[1].Ask.Messages[1]
		if diff := cmp.Diff(r.Messages[1].Calls, back.Calls); diff != "" {
			t.Error(diff)
		}
	})
}

// Answers that are no good answers, but answers: why they ended is said in one
// vocabulary.
func TestStops(t *testing.T) {
	for _, c := range []struct {
		name, answer string
		want         llm.Stop
		but          map[string]llm.Stop // by wire format
		text         string
	}{
		{"empty", `{text: ""}`, llm.End, nil, ""},
		{"length", `{text: "half a", stop: length}`, llm.Length, nil, "half a"},
		{"refusal", `{text: "I cannot.", stop: refusal}`, llm.Refusal, map[string]llm.Stop{"gemini": llm.Filtered}, "I cannot."},
		{"filter", `{text: "", stop: filtered}`, llm.Filtered, map[string]llm.Stop{"messages": llm.Refusal}, ""},
		{"paused", `{text: "wait", stop: paused}`, llm.Unknown, map[string]llm.Stop{"messages": llm.Paused}, "wait"},
		{"unknown", `{text: "x", reason: overheated}`, llm.Unknown, nil, "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, script(t, "rules: [{answer: "+c.answer+"}]"), func(t *testing.T, wire string, m llm.Model, _ *server) {
				res, err := m.Call(t.Context(), ask("x"))
				if err != nil {
					t.Fatal(err)
				}
				want := c.want
				if other, ok := c.but[wire]; ok {
					want = other
				}
				if res.Stop != want || res.Message.Text != c.text || res.Reason == "" {
					t.Errorf("got stop %s, reason %q, text %q", res.Stop, res.Reason, res.Message.Text)
				}
				if c.name == "unknown" && res.Reason != "overheated" {
					t.Errorf("reason %q", res.Reason)
				}
			})
		})
	}
}

// Arguments that are no JSON object come as they are, and go back as an object.
func TestMalformedArguments(t *testing.T) {
	f := script(t, `
rules:
  - when: {turns: 0}
    answer: {calls: [{name: a, raw: '{"x": '}, {name: a, raw: "[1]"}]}
  - answer: {text: sorry}
`)
	each(t, f, func(t *testing.T, wire string, m llm.Model, s *server) {
		r := ask("go")
		r.Tools = []llm.Tool{{Name: "a"}}
		res, err := m.Call(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if wire == "gemini" { // which withholds such calls
			if res.Stop != llm.Unknown || res.Reason != "MALFORMED_FUNCTION_CALL" || len(res.Message.Calls) != 0 {
				t.Errorf("got %+v", res)
			}
			return
		}
		calls := res.Message.Calls
		if len(calls) != 2 || calls[0].Arguments != nil || !strings.Contains(calls[0].Bad, `"x`) && !strings.Contains(calls[0].Bad, `x\"`) || calls[1].Bad == "" {
			t.Fatalf("got %+v", calls)
		}
		r.Messages = append(r.Messages, res.Message,
			llm.Message{Role: chat.Tool, CallID: calls[0].ID, Text: "no JSON"}, llm.Message{Role: chat.Tool, CallID: calls[1].ID, Text: "no JSON"})
		if res, err = m.Call(t.Context(), r); err != nil || res.Message.Text != "sorry" {
			t.Fatal(res, err)
		}
		back := s.asked()[1].Ask.Messages[1].Calls
		var shown struct{ Unreadable string }
		if json.Unmarshal(back[0].Arguments, &shown) != nil || shown.Unreadable != calls[0].Bad {
			t.Errorf("handed back %+v", back)
		}
	})
}

// Reasoning and its signatures go back as they came, also when the conversation
// was kept as JSON meanwhile.
func TestThoughtsAreHandedBack(t *testing.T) {
	f := script(t, `
rules:
  - when: {turns: 0}
    answer: {text: "I look.", thought: "hm < hm & \"so\"", calls: [{name: a, arguments: {n: 2.50, "ä": "<"}}]}
  - when: {turns: 1}
    answer: {text: "Anything else?", thought: "second"}
  - answer: {text: done}
`)
	each(t, f, func(t *testing.T, wire string, m llm.Model, s *server) {
		r := ask("go")
		r.Tools = []llm.Tool{{Name: "a"}}
		for turn := range 2 {
			res, err := m.Call(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Message.Thought) == 0 || strings.Contains(res.Message.Text, "hm") {
				t.Fatalf("turn %d: got %+v", turn, res.Message)
			}
			kept, err := json.Marshal(res.Message)
			if err != nil {
				t.Fatal(err)
			}
			var message llm.Message
			if err := json.Unmarshal(kept, &message); err != nil {
				t.Fatal(err)
			}
			r.Messages = append(r.Messages, message)
			for _, c := range message.Calls {
				r.Messages = append(r.Messages, llm.Message{Role: chat.Tool, CallID: c.ID, Text: "ok"})
			}
		}
		r.Messages = append(r.Messages, user("No."))
		if res, err := m.Call(t.Context(), r); err != nil || res.Message.Text != "done" {
			t.Fatal(res, err)
		}
		last := s.asked()[2].Ask.Messages
		first, second := string(last[1].Thought), string(last[3].Thought)
		for _, want := range map[string][2]string{ // the signature is the thought in base 64
			"chat":      {`"hm < hm & \"so\""`, `"second"`},
			"responses": {"aG0gPCBobSAmICJzbyI=", "c2Vjb25k"},
			"messages":  {"aG0gPCBobSAmICJzbyI=", "c2Vjb25k"},
			"gemini":    {"aG0gPCBobSAmICJzbyI=", "c2Vjb25k"},
		}[wire] {
			if !strings.Contains(unescaped(first), want) && !strings.Contains(unescaped(second), want) {
				t.Errorf("want %s in %s or %s", want, first, second)
			}
		}
		if got := string(last[1].Calls[0].Arguments); !strings.Contains(got, "ä") && !strings.Contains(got, "\\u00e4") {
			t.Errorf("arguments %s", got)
		}
	})
}

func unescaped(s string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(s)
}

// What another provider thought is passed over.
func TestThoughtsOfOthersArePassedOver(t *testing.T) {
	var thoughts []json.RawMessage
	f := script(t, `
rules:
  - when: {turns: 0}
    answer: {text: "Hello.", thought: "hm"}
  - answer: {text: ok}
`)
	each(t, f, func(t *testing.T, wire string, m llm.Model, _ *server) {
		res, err := m.Call(t.Context(), ask("x"))
		if err != nil {
			t.Fatal(err)
		}
		thoughts = append(thoughts, res.Message.Thought)
	})
	each(t, f, func(t *testing.T, wire string, m llm.Model, s *server) {
		for _, thought := range thoughts {
			r := ask("x")
			r.Messages = append(r.Messages, llm.Message{Role: chat.Assistant, Text: "Hello.", Thought: thought}, user("y"))
			if _, err := m.Call(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		for i, e := range s.asked() {
			a := e.Ask.Messages[1]
			own := wires[i].name == wire
			if a.Text != "Hello." || (len(a.Thought) > 0) != own {
				t.Errorf("thought of %s: came as %+v", wires[i].name, a)
			}
		}
	})
}

// Answers that say nothing of the conversation to a provider are left out, and
// empty texts do not break it.
func TestEmptyMessages(t *testing.T) {
	each(t, script(t, "rules: [{answer: {text: ok}}]"), func(t *testing.T, wire string, m llm.Model, s *server) {
		r := ask("x")
		r.Messages = append(r.Messages, llm.Message{Role: chat.Assistant}, user(" "),
			llm.Message{Role: chat.Assistant, Calls: []llm.Call{{ID: "1", Name: "a", Arguments: json.RawMessage("{}")}}},
			llm.Message{Role: chat.Tool, CallID: "1"})
		if _, err := m.Call(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		messages := s.asked()[0].Ask.Messages
		if n := len(messages); messages[n-1].Role != chat.Tool || messages[n-2].Calls[0].Name != "a" {
			t.Errorf("got %+v", messages)
		}
		if strings.Contains(string(s.asked()[0].Body), `"text":""`) && wire == "messages" {
			t.Errorf("Anthropic takes no empty texts: %s", s.asked()[0].Body)
		}
	})
}

// Every failure has its class, is told of once, and is not tried again below us.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault string
		want  llm.Class
		after time.Duration
	}{
		{"{status: 429, retry_after: 7s}", llm.RateLimited, 7 * time.Second},
		{"{status: 429, retry_after: 1500ms}", llm.RateLimited, 1500 * time.Millisecond},
		{"{status: 429}", llm.RateLimited, 0},
		{"{status: 429, code: insufficient_quota, message: You exceeded your current quota}", llm.Auth, 0},
		{"{status: 500}", llm.Overloaded, 0},
		{"{status: 503, retry_after: 2s}", llm.Overloaded, 2 * time.Second},
		{"{status: 529, message: Overloaded}", llm.Overloaded, 0},
		{"{status: 502, body: '<html><h1>Bad gateway</h1>'}", llm.Overloaded, 0},
		{"{status: 408}", llm.Overloaded, 0},
		{"{status: 401, message: Incorrect API key}", llm.Auth, 0},
		{"{status: 403, message: not yours}", llm.Auth, 0},
		{"{status: 400, message: Your credit balance is too low}", llm.Auth, 0},
		{"{status: 404, message: no such model}", llm.Refused, 0},
		{"{status: 404, body: '<html>'}", llm.Refused, 0},
		{"{status: 405}", llm.Refused, 0},
		{"{status: 400, message: m-9 is not a valid model ID}", llm.Refused, 0},
		{"{status: 400, message: unknown field}", llm.BadRequest, 0},
		{"{status: 422, body: '{\"detail\": [{\"msg\": \"too many tools\"}]}'}", llm.BadRequest, 0},
		{"{status: 413, body: too large}", llm.TooLong, 0},
		{"{overflow: true}", llm.TooLong, 0},
		{"{blocked: true}", llm.Blocked, 0},
		{"{cut: true}", llm.Cut, 0},
		{"{reset: true}", llm.Network, 0},
		{"{status: 200, body: '<html>'}", llm.Malformed, 0},
		{`{status: 200, body: '{"id": "x", '}`, llm.Cut, 0},
		{`{status: 200, body: '{}'}`, llm.Malformed, 0},
		{`{status: 200, body: '{"error": {"code": 429, "message": "slow down"}}'}`, llm.RateLimited, 0},
		{`{status: 200, body: '{"error": {"code": "server_error", "message": "oh"}}'}`, llm.Overloaded, 0},
	} {
		t.Run(c.fault, func(t *testing.T) {
			each(t, script(t, "rules: [{fault: "+c.fault+"}]"), func(t *testing.T, wire string, m llm.Model, s *server) {
				_, err := m.Call(t.Context(), ask("x"))
				e, ok := errors.AsType[*llm.Error](err)
				if !ok || e.Class != c.want || e.RetryAfter != c.after || e.Model != m.Name() || e.Error() == "" {
					t.Fatalf("got %#v", err)
				}
				if n := len(s.asked()); n != 1 {
					t.Errorf("%d requests", n)
				}
			})
		})
	}
}

func TestNobodyAnswers(t *testing.T) {
	for _, w := range wires {
		s := httptest.NewServer(http.NotFoundHandler())
		s.Close()
		_, err := w.model(t, s.URL).Call(t.Context(), ask("x"))
		if llm.ClassOf(err) != llm.Network || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", w.name, err)
		}
	}
}

// Timeouts fire mid-request, and the caller's own end is no failure of the model.
func TestHangs(t *testing.T) {
	slow := func(w http.ResponseWriter, r *http.Request) { // half an answer, then nothing
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id": `)
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	body := httptest.NewServer(http.HandlerFunc(slow))
	defer body.Close()
	each(t, script(t, "rules: [{fault: {hang: true}}]"), func(t *testing.T, wire string, m llm.Model, s *server) {
		var stuck llm.Model
		for _, w := range wires {
			if w.name == wire {
				stuck = w.model(t, body.URL)
			}
		}
		for _, m := range []llm.Model{m, stuck} {
			start := time.Now()
			_, err := llm.Timeout(m, 50*time.Millisecond).Call(t.Context(), ask("x"))
			if llm.ClassOf(err) != llm.TimedOut || time.Since(start) > 5*time.Second {
				t.Errorf("after %s: %v", time.Since(start), err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			_, err = llm.Timeout(m, time.Minute).Call(ctx, ask("x"))
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) || llm.ClassOf(err) != "" {
				t.Errorf("got %v", err)
			}
		}
	})
}

// No error shows a key, whatever the provider says.
func TestKeysShowNowhere(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		for name, v := range r.Header {
			fmt.Fprint(w, name, v)
		}
	}
	s := httptest.NewServer(http.HandlerFunc(echo))
	defer s.Close()
	for _, w := range wires {
		m := w.model(t, s.URL)
		if _, err := m.Call(t.Context(), ask("x")); !strings.Contains(err.Error(), key) {
			t.Fatalf("%s: the test has lost its point: %v", w.name, err)
		}
		_, err := llm.Redact(m, key).Call(t.Context(), ask("x"))
		for e := err; e != nil; e = errors.Unwrap(e) {
			if strings.Contains(fmt.Sprintf("%v %+v %#v", e, e, e), key) {
				t.Errorf("%s: %v", w.name, e)
			}
		}
		if llm.ClassOf(err) != llm.Auth {
			t.Errorf("%s: %v", w.name, err)
		}
	}
}

// Keys go where each provider looks for them, and nowhere else.
func TestKeysGoIntoTheirHeaders(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "of-the-environment")
	t.Setenv("ANTHROPIC_API_KEY", "of-the-environment")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "of-the-environment")
	t.Setenv("GOOGLE_API_KEY", "of-the-environment")
	t.Setenv("OPENAI_BASE_URL", "http://nowhere.invalid")
	t.Setenv("ANTHROPIC_BASE_URL", "http://nowhere.invalid")
	t.Setenv("GOOGLE_GEMINI_BASE_URL", "http://nowhere.invalid")
	headers := map[string]http.Header{}
	inner := &scripted.Server{Func: script(t, "rules: [{answer: {text: ok}}]")}
	for _, w := range wires {
		s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			headers[w.name] = r.Header.Clone()
			inner.ServeHTTP(out, r)
		}))
		if _, err := w.model(t, s.URL).Call(t.Context(), ask("x")); err != nil {
			t.Error(w.name, err)
		}
		s.Close()
	}
	for name, header := range map[string]string{"chat": "Authorization", "responses": "Authorization", "messages": "X-Api-Key", "gemini": "X-Goog-Api-Key"} {
		for h, v := range headers[name] {
			has := strings.Contains(strings.Join(v, " "), key)
			if has != (h == header) || strings.Contains(strings.Join(v, " "), "of-the-environment") {
				t.Errorf("%s: header %s: %s", name, h, v)
			}
		}
		if headers[name].Get(header) == "" {
			t.Errorf("%s has no %s", name, header)
		}
	}
}

const verdict = `{"type":"object","properties":{"why":{"type":"string","minLength":1},"ok":{"type":"boolean"}},"required":["why","ok"],"additionalProperties":false}`

type judgement struct {
	Why string `json:"why"`
	OK  bool   `json:"ok"`
}

// Schemas arrive with the order of their members, less what the provider does not
// take.
func TestSchemas(t *testing.T) {
	const fitted = `{"type":"object","properties":{"why":{"type":"string"},"ok":{"type":"boolean"}},"required":["why","ok"],"additionalProperties":false}`
	each(t, script(t, "rules: [{answer: {json: {why: so, ok: true}}}]"), func(t *testing.T, wire string, m llm.Model, s *server) {
		r := ask("Judge.")
		r.Schema = &llm.Schema{Name: "verdict", JSON: json.RawMessage(verdict)}
		v, _, err := llm.Ask[judgement](t.Context(), m, *r, 1, nil)
		if err != nil || !v.OK || v.Why != "so" {
			t.Fatal(v, err)
		}
		got := s.asked()[0].Ask
		if got.Schema == nil || compact(got.Schema.JSON) != fitted || strings.Contains(got.System, "schema") {
			t.Errorf("got %s, system %q", got.Schema.JSON, got.System)
		}
		// An object of any keys can be said to Gemini alone.
		r.Schema.JSON = json.RawMessage(`{"type":"object","additionalProperties":{"type":"object","properties":{"why":{"type":"string"}}}}`)
		if _, _, err := llm.Ask[map[string]any](t.Context(), m, *r, 1, func(*map[string]any) error { return nil }); err == nil {
			t.Error("the answer does not fit")
		}
		got = s.asked()[1].Ask
		inText := strings.Contains(got.System, "additionalProperties")
		if inText == (got.Schema != nil) || inText != (wire == "messages") {
			t.Errorf("schema %v, system %q", got.Schema, got.System)
		}
	})
}

func compact(text []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return err.Error()
	}
	return b.String()
}

// Wrong JSON and fenced JSON are repaired in conversation, over every format.
func TestRepairs(t *testing.T) {
	f := script(t, `
rules:
  - when: {turns: 0}
    answer: {text: '{"why": "cut o', thought: hm}
  - when: {turns: 1, last: no JSON}
    answer: {json: {why: "", ok: true}}
  - answer: {json: {why: because, ok: true}, fenced: true}
`)
	each(t, f, func(t *testing.T, wire string, m llm.Model, s *server) {
		r := ask("Judge.")
		r.Schema = &llm.Schema{Name: "verdict", JSON: json.RawMessage(verdict)}
		v, x, err := llm.Ask[judgement](t.Context(), m, *r, 3, nil)
		if err != nil || v.Why != "because" || len(x.Answers) != 3 {
			t.Fatal(v, x, err)
		}
	})
}
