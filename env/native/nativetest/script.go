// Package nativetest lets tests of native domains be read as conversations.
package nativetest

import (
	"strings"
	"testing"

	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// Environment returns a fresh one over databases given as JSON, "" for none.
func Environment(t *testing.T, native env.Native, agent, user string) *env.Environment {
	t.Helper()
	s, err := native.Load(Decode(t, agent), Decode(t, user))
	if err != nil {
		t.Fatal(err)
	}
	d, err := env.NewDomain(env.Domain{Name: "test"}, s)
	if err != nil {
		t.Fatal(err)
	}
	return d.Environment()
}

// Decode reads JSON; "" is nil.
func Decode(t testing.TB, text string) any {
	t.Helper()
	if text == "" {
		return nil
	}
	v, err := pyjson.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Start sets an initial state given as JSON.
func Start(t *testing.T, e *env.Environment, text string) error {
	t.Helper()
	s, err := tau.ReadInitialState(Decode(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return e.SetState(s)
}

// Script makes calls in turn and checks the answers, one a line:
//
//	SIDE NAME ARGUMENTS → ANSWER        a tool call, by assistant or user
//	ENV SIDE NAME ARGUMENTS → ANSWER    an environment function; the answer as
//	                                    Python spells it, or "raised ERROR"
//
// Arguments are JSON. In an answer "↵" stands for a line break, and one that
// ends in "…" is a beginning. Lines without an arrow are comments.
func Script(t *testing.T, e *env.Environment, lines string) {
	t.Helper()
	for line := range strings.Lines(lines) {
		request, want, ok := strings.Cut(strings.TrimSpace(line), " → ")
		if !ok {
			continue
		}
		got := strings.ReplaceAll(play(t, e, request), "\n", "↵")
		begin, part := strings.CutSuffix(want, "…")
		if got != want && (!part || !strings.HasPrefix(got, begin)) {
			t.Errorf("%s\n got %s\nwant %s", request, got, want)
		}
	}
}

func play(t *testing.T, e *env.Environment, request string) string {
	t.Helper()
	side, rest, _ := strings.Cut(request, " ")
	function := side == "ENV"
	if function {
		side, rest, _ = strings.Cut(rest, " ")
	}
	name, text, _ := strings.Cut(rest, " ")
	args, ok := Decode(t, text).(*pyjson.Object)
	if !ok {
		t.Fatalf("%s: the arguments are no object", request)
	}
	if !function {
		return e.CallOrdered(side, name, args).Content
	}
	v, err := e.EnvCall(&tau.EnvCall{EnvType: side, FuncName: name, Arguments: pyjson.PlainMap(args)})
	if err != nil {
		return "raised " + err.Error()
	}
	return pyjson.Repr(v)
}
