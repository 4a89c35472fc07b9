package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"taste/llm"
)

// Of 32 calls that fail alike one line tells; of those that fail otherwise, or
// later, another.
func TestWaitsAreToldOnce(t *testing.T) {
	var log bytes.Buffer
	now := time.Unix(0, 0)
	a := &app{log: &log, now: func() time.Time { return now }}
	tell := a.waits()
	busy := &llm.Error{Class: llm.Overloaded, Model: "test/m", Status: 503}
	for range 32 {
		tell("test/m", busy, time.Second)
	}
	tell("test/m", busy, 2*time.Second)
	now = now.Add(time.Minute)
	tell("test/m", busy, time.Second)
	want := "call test/m: overloaded (503); again in 1s\ncall test/m: overloaded (503); again in 2s\ncall test/m: overloaded (503); again in 1s\n"
	if got := log.String(); got != want {
		t.Errorf("told %q (%d lines)", got, strings.Count(got, "\n"))
	}
}
