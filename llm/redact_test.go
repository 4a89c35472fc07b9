package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

const key = "sk-test/a+b=c" // is written otherwise in addresses

// leaky is what clients return: the request with its headers hangs on it.
type leaky struct{ Authorization string }

func (l *leaky) Error() string { return "401: bad key " + l.Authorization }

func TestRedactTakesKeysOut(t *testing.T) {
	for _, err := range []error{
		&Error{Class: Auth, Status: 401, Message: "incorrect key " + key, Err: &leaky{key}},
		&Error{Class: Network, Err: &url.Error{Op: "Post", URL: "https://example.com/?key=" + url.QueryEscape(key), Err: errors.New("refused")}},
		fmt.Errorf("wrapped: %w", &Error{Class: Auth, Message: key + "-long, " + key}),
		&leaky{key},
	} {
		m := Redact(&script{answers: []any{err}}, "", key, key+"-long")
		_, got := m.Call(context.Background(), hello())
		if got == nil || strings.Contains(fmt.Sprintf("%v %+v %#v", got, got, got), key) ||
			strings.Contains(got.Error(), url.QueryEscape(key)) || strings.Contains(got.Error(), "-long") {
			t.Errorf("%v became %v", err, got)
		}
		var l *leaky
		if errors.As(got, &l) {
			t.Errorf("the client's own error is still there: %#v", got)
		}
		if class := ClassOf(err); class != "" && ClassOf(got) != class {
			t.Errorf("%v became %v", err, got)
		}
	}
}

// A server may greet with the key, and a model repeat what it was fed.
func TestRedactCleansAnswers(t *testing.T) {
	quoted, _ := json.Marshal("is " + key)
	res := &Response{Reason: key, Model: key, ID: key, Stop: ToolCalls, Message: Message{
		Text: "your key is " + key, Thought: json.RawMessage(`{"a": ` + string(quoted) + `}`),
		Calls: []Call{{ID: key, Name: key, Arguments: json.RawMessage(`{"b": "` + key + `"}`)}, {Bad: key}},
	}}
	m := Redact(&script{answers: []any{res}}, key)
	got, err := m.Call(context.Background(), hello())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil || strings.Contains(string(text), key) || strings.Count(string(text), "[key]") != 9 || got.Stop != ToolCalls {
		t.Errorf("%s, %v", text, err)
	}
	if res.Message.Calls[0].ID != key {
		t.Error("the model's own answer was changed")
	}
}

func TestRedactLeavesWordsInAnswers(t *testing.T) {
	m := Redact(&script{answers: []any{says("a test"), &Error{Class: Auth, Message: "bad key test"}}}, "test")
	if res, err := m.Call(context.Background(), hello()); err != nil || res.Message.Text != "a test" {
		t.Errorf("%+v, %v", res, err)
	}
	if _, err := m.Call(context.Background(), hello()); strings.Contains(err.Error(), "bad key test") {
		t.Error(err)
	}
}

func TestRedactLeavesTheRest(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := Redact(&script{answers: []any{fmt.Errorf("post %s: %w", key, context.Canceled), says("ok")}}, key)
	if _, err := m.Call(ctx, hello()); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), key) {
		t.Error(err)
	}
	if res, err := m.Call(ctx, hello()); err != nil || res.Message.Text != "ok" || res.Message.Thought != nil || res.Message.Calls != nil {
		t.Errorf("%+v, %v", res, err)
	}
}
