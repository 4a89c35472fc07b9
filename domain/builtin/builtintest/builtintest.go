// Package builtintest holds what is true of every built-in domain: its tools are
// those of the reference, and its seed tasks can be solved, but not by silence.
package builtintest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/internal/shared"
	"taste/pyjson"
	"taste/tau"
)

// RunsEveryTool holds that each of the n tools that a domain describes is there,
// and said to change the state exactly if it writes.
func RunsEveryTool(t *testing.T, d *env.Domain, n int) {
	t.Helper()
	if len(d.Tools) != n {
		t.Errorf("%d tools", len(d.Tools))
	}
	for _, spec := range d.Tools {
		r := d.Environment().Call(chat.Assistant, spec.Name, map[string]any{})
		if strings.Contains(r.Content, "Tool '") {
			t.Errorf("%s is not implemented: %s", spec.Name, r.Content)
		}
		if spec.MutatesState != (spec.Type == chat.Write) {
			t.Errorf("%s: type %s, mutates state %v", spec.Name, spec.Type, spec.MutatesState)
		}
	}
}

// TakesReferenceArguments compares names, kinds and parameters of a domain's tools
// with the specifications of its τ² pack. Without the pack the test is skipped.
func TakesReferenceArguments(t *testing.T, d *env.Domain, native env.Native) {
	t.Helper()
	pack, err := env.LoadPack(filepath.Join(shared.Dir(t), "packs", "tau2-"+d.Name), env.Registry{d.Name: native})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Tools) != len(pack.Domain.Tools) {
		t.Fatalf("%d tools, want %d", len(d.Tools), len(pack.Domain.Tools))
	}
	for i, want := range pack.Domain.Tools {
		got := d.Tools[i]
		if got.Name != want.Name || got.Type != want.Type || got.Requestor != want.Requestor || got.MutatesState != want.MutatesState {
			t.Errorf("tool %d is %s (%s), want %s (%s)", i, got.Name, got.Type, want.Name, want.Type)
		}
		a, b := shapes(t, &got), shapes(t, &want)
		if !slices.EqualFunc(a, b, takes) {
			t.Errorf("%s takes %q, want %q", got.Name, a, b)
		}
	}
}

// takes compares two parameters as shapes spells them. Where the reference leaves
// open what a parameter is, ours may say it.
func takes(got, want string) bool {
	name, open := strings.CutSuffix(want, " None required None")
	return got == want || open && strings.HasPrefix(got, name+" ") && strings.Contains(got, " required ")
}

// shapes spells each parameter as its name, type, choices and whether it is
// required.
func shapes(t *testing.T, spec *chat.ToolSpec) []string {
	t.Helper()
	params, err := spec.Parameters()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range params {
		kind, _ := p.Schema.Get("type")
		enum, _ := p.Schema.Get("enum")
		required := map[bool]string{true: " required", false: " optional"}[p.Required]
		out = append(out, p.Name+" "+pyjson.Str(kind)+required+" "+pyjson.Str(enum))
	}
	return out
}

// GoldRuns holds that the gold of a seed task runs without an error, that each
// call changes the state exactly if its tool writes, and so does gold as a whole.
func GoldRuns(t *testing.T, d *env.Domain, task *tau.Task) {
	t.Helper()
	e, fresh := d.Environment(), d.Environment()
	writes := false
	for i := range task.EvaluationCriteria.Actions {
		a := &task.EvaluationCriteria.Actions[i]
		before := e.Clone()
		if r := e.Apply(a); r.Error {
			t.Errorf("%s fails: %s", a.ActionID, r.Content)
		}
		isWrite := d.Tool(a.Name).MutatesState
		if isWrite == e.Equal(before) {
			t.Errorf("%s: write %v, but the state equals the one before: %v", a.ActionID, isWrite, e.Equal(before))
		}
		writes = writes || isWrite
	}
	if writes == e.Equal(fresh) {
		t.Errorf("gold with writes %v ends in the initial state: %v", writes, e.Equal(fresh))
	}
}

// SilenceFails holds that an agent that does nothing neither reaches the end state
// nor tells what is asked, and that the reward rests on both.
func SilenceFails(t *testing.T, d *env.Domain, tasks []tau.Task) {
	t.Helper()
	for _, task := range tasks {
		c := task.EvaluationCriteria
		writes := slices.ContainsFunc(c.Actions, func(a tau.Action) bool { return d.Tool(a.Name).MutatesState })
		if !writes && len(c.CommunicateInfo) == 0 {
			t.Errorf("%s is passed by doing nothing", task.ID)
		}
		if want := tau.DefaultBasis(); !slices.Equal(c.RewardBasis, want) {
			t.Errorf("%s: reward basis %v", task.ID, c.RewardBasis)
		}
	}
}
