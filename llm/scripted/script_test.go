package scripted_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"taste/chat"
	"taste/llm"
	"taste/llm/scripted"
)

func read(t *testing.T, text string) *scripted.Script {
	t.Helper()
	s, err := scripted.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask makes a request with one message.
func ask(role, model, text string) *llm.Request {
	r := &llm.Request{Model: model, Messages: []llm.Message{{Role: chat.User, Text: text}}}
	if role != "" {
		r.System = "Role: " + role + " (v1)\n\nBe brief."
	}
	return r
}

// said is what the script answers, or its error's text.
func said(s *scripted.Script, r *llm.Request) string {
	res, err := scripted.Model("mock/m", s.Answer).Call(context.Background(), r)
	if err != nil {
		return err.Error()
	}
	return res.Message.Text
}

func TestTheFirstRuleThatFitsAnswers(t *testing.T) {
	s := read(t, `
rules:
  - when: {role: judge, contains: bad}
    answer: {text: implausible}
  - when: {role: author-*}
    answer: {text: a story}
  - when: {model: "org/*", matches: "(?i)hello"}
    answer: {text: hi}
  - times: 1
    answer: {text: once}
  - when: {nth: 2}
    answer: {text: second of the rest}
  - answer: {text: else}
`)
	for _, c := range []struct{ role, model, text, want string }{
		{"judge", "m", "a bad one", "implausible"},
		{"author-scenario", "m", "go", "a story"},
		{"", "org/x", "HELLO", "hi"},
		{"judge", "m", "a good one", "once"},
		{"", "m", "x", "else"},
		{"", "m", "y", "second of the rest"},
		{"", "m", "z", "else"},
	} {
		if got := said(s, ask(c.role, c.model, c.text)); got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}

func TestConditionsOnTheConversation(t *testing.T) {
	s := read(t, `
rules:
  - when: {turns: 0, tool: get_order, from: user}
    answer: {calls: [{name: get_order, arguments: {id: "{{find \"order (\\\\w+)\" .User}}"}}]}
  - when: {after: get_order, last: shipped}
    answer: {text: "It is on its way, says: {{.Last}}"}
`)
	m := scripted.Model("mock/m", s.Answer)
	r := ask("", "m", "Where is order A7?")
	r.Tools = []llm.Tool{{Name: "get_order"}}
	res, err := m.Call(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	call := res.Message.Calls[0]
	if res.Stop != llm.ToolCalls || string(call.Arguments) != `{"id":"A7"}` || call.ID == "" {
		t.Fatalf("got %+v", res)
	}
	r.Messages = append(r.Messages, res.Message, llm.Message{Role: chat.Tool, CallID: call.ID, Text: "shipped"})
	if got := said(s, r); got != "It is on its way, says: shipped" {
		t.Error(got)
	}
}

func TestAnswersAreComputedFromThePromptsInput(t *testing.T) {
	s := read(t, `
rules:
  - answer: {text: "{{json .Input.tools}} {{len .Input.tools}} {{if contains .System \"brief\"}}short{{end}}"}
`)
	if got := said(s, ask("judge", "m", `Look: <input>{"tools": ["b", 1.50]}</input>`)); got != `["b",1.50] 2 short` {
		t.Error(got)
	}
}

func TestJSONIsFilledAndFenced(t *testing.T) {
	s := read(t, `
rules:
  - answer: {json: {ok: true, who: "{{.Role}}", n: [1, 2.5]}, fenced: true}
`)
	if got := said(s, ask("judge", "m", "x")); got != "Here it is:\n```json\n{\"n\":[1,2.5],\"ok\":true,\"who\":\"judge\"}\n```" {
		t.Error(got)
	}
}

func TestARequestMayFareBetterWhenRepeated(t *testing.T) {
	s := read(t, "rules: [{when: {asked: 1}, fault: {status: 500}}, {when: {contains: x}, answer: {text: ok}}]")
	f := scripted.First(s.Answer, func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Message: llm.Message{Text: "the rest"}}, nil
	})
	m := scripted.Model("mock/m", f)
	for i, c := range []struct{ text, want string }{{"x", ""}, {"y", ""}, {"x", "ok"}, {"y", "the rest"}, {"x", "ok"}} {
		res, err := m.Call(t.Context(), ask("", "m", c.text))
		if c.want == "" && llm.ClassOf(err) != llm.Overloaded || c.want != "" && (err != nil || res.Message.Text != c.want) {
			t.Errorf("%d: got %+v, %v, want %q", i, res, err, c.want)
		}
	}
}

func TestAShareOfRequestsIsTheSameInEachRun(t *testing.T) {
	const text = `
rules:
  - when: {share: 0.2}
    answer: {text: yes}
  - when: {share: 0.2, seed: other}
    answer: {text: other}
  - answer: {text: no}
`
	count := map[string]int{}
	a, b := read(t, text), read(t, text)
	for i := range 2000 {
		r := ask("", "m", strings.Repeat("x", i))
		got := said(a, r)
		r.Trial = 3 // never sent, so it changes nothing
		if again := said(b, r); again != got {
			t.Fatalf("request %d: %s, then %s", i, got, again)
		}
		count[got]++
	}
	if n := count["yes"]; n < 340 || n > 460 {
		t.Errorf("%d of 2000 are a fifth?", n)
	}
	if n := count["other"]; n < 260 || n > 380 { // a fifth of the rest
		t.Errorf("%d of the rest are a fifth?", n)
	}
}

func TestFaultsHaveTheirClasses(t *testing.T) {
	for _, c := range []struct {
		want  llm.Class
		fault string
	}{
		{llm.RateLimited, "{status: 429, retry_after: 7s}"},
		{llm.Overloaded, "{status: 503}"},
		{llm.Overloaded, `{status: 500, body: '{"error": "the model has gone"}'}`},
		{llm.Auth, "{status: 401, message: no key}"},
		{llm.Auth, "{status: 429, code: insufficient_quota}"},
		{llm.BadRequest, "{status: 422}"},
		{llm.Refused, "{status: 404}"},
		{llm.Cut, "{cut: true}"},
		{llm.Cut, `{status: 200, body: '{"choices": ['}`},
		{llm.Network, "{reset: true}"},
		{llm.TooLong, "{overflow: true}"},
		{llm.Blocked, "{blocked: true}"},
		{llm.Malformed, "{status: 200, body: '<html>'}"},
	} {
		s := read(t, "rules: [{fault: "+c.fault+"}]")
		_, err := scripted.Model("mock/m", s.Answer).Call(t.Context(), ask("", "m", "x"))
		if got := llm.ClassOf(err); got != c.want {
			t.Errorf("%s: class %s, want %s (%v)", c.fault, got, c.want, err)
		}
	}
	s := read(t, "rules: [{fault: {status: 429, retry_after: 7s}}]")
	_, err := scripted.Model("mock/m", s.Answer).Call(t.Context(), ask("", "m", "x"))
	if e, _ := errors.AsType[*llm.Error](err); e == nil || e.RetryAfter != 7*time.Second || e.Model != "mock/m" {
		t.Errorf("got %+v", err)
	}
}

func TestHangsAndDelaysEndWithTheContext(t *testing.T) {
	for _, rule := range []string{"fault: {hang: true}", "delay: 1h\n    answer: {text: late}"} {
		s := read(t, "rules:\n  - "+rule)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err := scripted.Model("mock/m", s.Answer).Call(ctx, ask("", "m", "x"))
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

func TestScriptsAreRefusedWhole(t *testing.T) {
	for script, want := range map[string]string{
		"rules: []":   "it has no rules",
		"rules: [{}]": "rule 1: a rule has either an answer or a fault",
		"rules: [{answer: {text: x}, fault: {hang: true}}]":    "either an answer or a fault",
		"rules: [{name: odd, fault: {hang: true, cut: true}}]": "odd: a fault has one of",
		"rules: [{fault: {status: 302}}]":                      "status 302 is no failure",
		"rules: [{fault: {status: 200}}]":                      "with a body only",
		"rules: [{fault: {hang: true, retry_after: 1s}}]":      "go with a status",
		"rules: [{answer: {text: '{{.Nothing'}}]":              "template",
		"rules: [{answer: {text: x, json: 1}}]":                "not both",
		"rules: [{answer: {stop: tired}}]":                     `stop "tired" is none of`,
		"rules: [{answer: {calls: [{arguments: {}}]}}]":        "a call has a name",
		"rules: [{when: {matches: '('}, answer: {text: x}}]":   "missing closing",
		"rules: [{when: {share: 2}, answer: {text: x}}]":       "share is within 0 and 1",
		"rules: [{when: {from: me}, answer: {text: x}}]":       "from is user, assistant or tool",
		"rules: [{when: {rol: judge}, answer: {text: x}}]":     "rol",
		"rules: [{fault: {status: 429, retry_after: 7}}]":      "retry_after",
		"rules: [{times: -1, answer: {text: x}}]":              "not negative",
	} {
		if _, err := scripted.Read([]byte(script)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", script, err, want)
		}
	}
}

// The script of the documentation is one.
func TestTheDocumentedScript(t *testing.T) {
	doc, err := os.ReadFile("../../docs/mock-llm.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(doc), "\n    rules:\n")
	block, _, _ = strings.Cut(block, "\n\n")
	s := read(t, "rules:\n"+strings.ReplaceAll("\n"+block, "\n    ", "\n"))
	for range 2 {
		if got := said(s, ask("", "m", "x")); !strings.Contains(got, "rate limited (429)") {
			t.Error(got)
		}
	}
	if got := said(s, ask("judge", "m", "x")); !strings.Contains(got, `"plausible": true`) {
		t.Error(got)
	}
	r := ask("agent", "m", "Hello, I am mia_li_3668.")
	r.Tools = []llm.Tool{{Name: "get_user_details"}}
	res, err := s.Answer(t.Context(), r)
	if err != nil || string(res.Message.Calls[0].Arguments) != `{"user_id":"mia_li_3668"}` {
		t.Error(res, err)
	}
}
