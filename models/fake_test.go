package models_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/internal/library"
	"taste/llm"
	"taste/models"
	"taste/tau"
)

// fake is a model in memory.
type fake struct {
	answer func(r *llm.Request, nth int) (*llm.Response, error) // nth from 0

	mu    sync.Mutex
	calls []llm.Request
}

func (f *fake) Name() string { return "fake/model" }

func (f *fake) Call(_ context.Context, r *llm.Request) (*llm.Response, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept := *r
	kept.Messages = slices.Clone(r.Messages)
	f.calls = append(f.calls, kept)
	return f.answer(r, len(f.calls)-1)
}

// says makes a model that gives its answers in order, the last again and again.
func says(answers ...*llm.Response) *fake {
	return &fake{answer: func(_ *llm.Request, nth int) (*llm.Response, error) {
		return answers[min(nth, len(answers)-1)], nil
	}}
}

func fails(err error) *fake {
	return &fake{answer: func(*llm.Request, int) (*llm.Response, error) { return nil, err }}
}

// text is an answer of text alone, which takes 10 tokens in and 2 out.
func text(s string) *llm.Response {
	return &llm.Response{Message: llm.Message{Role: chat.Assistant, Text: s}, Stop: llm.End, Usage: llm.Usage{Input: 10, Output: 2, Calls: 1}}
}

func calls(c ...llm.Call) *llm.Response {
	r := text("")
	r.Message.Calls, r.Stop = c, llm.ToolCalls
	return r
}

func libraryDomain(t testing.TB) *env.Domain {
	t.Helper()
	d, err := library.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// seedTask is the library's first seed task with more than one gold action.
func seedTask(t testing.TB) *tau.Task {
	t.Helper()
	tasks, err := library.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	for i := range tasks {
		if len(tasks[i].EvaluationCriteria.Actions) > 1 {
			return &tasks[i]
		}
	}
	t.Fatal("no seed task with several actions")
	return nil
}

func base(m llm.Model, d *env.Domain) models.Base { return models.Base{Model: m, Domain: d} }

// goldCalls are the agent's gold calls as a model makes them.
func goldCalls(t testing.TB, task *tau.Task) []llm.Call {
	t.Helper()
	var out []llm.Call
	for _, a := range task.EvaluationCriteria.Actions {
		args, err := json.Marshal(a.Args())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, llm.Call{ID: a.ActionID, Name: a.Name, Arguments: args})
	}
	return out
}
