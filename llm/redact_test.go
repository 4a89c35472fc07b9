package llm

import (
	"context"
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

func TestRedactLeavesTheRest(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := Redact(&script{answers: []any{fmt.Errorf("post %s: %w", key, context.Canceled), says(key)}}, key)
	if _, err := m.Call(ctx, hello()); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), key) {
		t.Error(err)
	}
	if res, err := m.Call(ctx, hello()); err != nil || res.Message.Text != key {
		t.Error("an answer was changed")
	}
}
