package main

import (
	"errors"
	"strings"
	"syscall"
	"testing"
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
	if _, err := judgeAll(src, "in", strings.NewReader(in), noSpace{}); !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
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
