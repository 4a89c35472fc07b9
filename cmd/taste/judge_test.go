package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"taste/rules"
)

type noSpace struct{}

func (noSpace) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestJudgeSaysOnceThatOutputIsFull, though both a line and the end fail.
func TestJudgeSaysOnceThatOutputIsFull(t *testing.T) {
	f := sourceFlags{worldSeed: 1, given: func(string) bool { return false }}
	src, err := f.load("airline")
	if err != nil {
		t.Fatal(err)
	}
	in := strings.Repeat(`{"id": 1, "sequence": ["fly"]}`+"\n", 2000)
	b := &bench{Judge: rules.NewJudge(src.Contract), workers: 1}
	if _, err := judgeAll(context.Background(), b, "in", strings.NewReader(in), noSpace{}); !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

// A model and rules judge together: votes and agreement are told, and what was asked
// once is not asked again.
func TestJudgesTogether(t *testing.T) {
	dir := t.TempDir()
	script, file, kept := filepath.Join(dir, "script.yaml"), filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "calls.jsonl")
	write(t, script, `rules:
- when: {contains: '"fly"'}
  answer: {json: {structure: no such tool, flow: "", viability: "", plausible: false, bad: [0], why: unknown}}
- answer: {json: {structure: "", flow: "", viability: a case, plausible: true, bad: [], why: fine}}
`)
	write(t, file, `{"id": 1, "sequence": ["fly"]}
{"id": 2, "sequence": ["get_user_details", "get_reservation_details", "cancel_reservation"]}
{"id": 3, "sequence": ["cancel_reservation"]}
`)
	address, log, end := mocked(t, script)
	defer end()
	args := []string{"judge", "airline", file, "--judges", "rules,openai/a,anthropic/b", "--calls", kept}
	for range 2 {
		code, out, said := served(t, address, args...)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if code != 0 || len(lines) != 3 {
			t.Fatalf("exit code %d: %s%s", code, out, said)
		}
		for i, want := range []string{`{"id":1,"plausible":false,"bad":[0],`, `{"id":2,"plausible":true,"bad":[],`, `{"id":3,"plausible":true,"bad":[],`} {
			if !strings.HasPrefix(lines[i], want) || strings.Count(lines[i], `"judge":`) != 3 {
				t.Errorf("got %s, want %s…", lines[i], want)
			}
		}
		for _, want := range []string{"rules: 1 plausible, 2 implausible, 0 unusable; 2 as the majority", "openai/a: 2 plausible", "Fleiss' kappa 0.55"} {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not said: %s", want, said)
			}
		}
		if got := strings.Count(log.String(), "\n"); got != 6 {
			t.Errorf("%d requests, want 6", got)
		}
	}
	for flags, want := range map[string]string{
		"--judges=openai/a": "one judge is no committee", "--judge=rules+openai/a": "spare a model", "--judge=nobody": "want rules, or a model",
	} {
		if code, _, said := served(t, address, "judge", "airline", file, flags); code != 2 || !strings.Contains(said, want) {
			t.Errorf("%s: exit code %d: %s", flags, code, said)
		}
	}
}

func TestShellWord(t *testing.T) {
	for in, want := range map[string]string{
		"runs/a-1": "runs/a-1", "/x/y.z": "/x/y.z", "my run": "'my run'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "": "''",
	} {
		if got := shellWord(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
