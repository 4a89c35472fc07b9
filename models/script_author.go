package models

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"taste/llm"
	"taste/pyjson"
	"taste/role"
	"taste/rules"
	"taste/tau"
)

// written is a task that the rules author made, in the form of answers.
type written struct {
	task    ScenarioAnswer
	records []RecordDoc
	setup   []tau.EnvCall
}

// noCase is what the author says who finds no task.
const noCase = "I can think of no case that takes exactly these calls."

// write makes the task of a sequence. Steps of one task ask with one variation, and
// so get the same.
func (c *casting) write(ctx context.Context, id string, sequence []string, variation string) (*written, error) {
	seed, err := strconv.ParseUint(variation, 10, 64)
	if err != nil {
		return nil, unplayable("variation %q is no number", variation)
	}
	d, err := c.author.Draft(ctx, id, sequence, seed)
	if err != nil {
		return nil, err
	}
	t, err := rules.NewAuthor(c.Domain, c.Contract, c.Book).Tell(ctx, d, seed)
	if err != nil {
		return nil, err
	}
	forms, err := c.world.calls(sequence)
	if err != nil {
		return nil, unplayable("%v", err)
	}
	out := &written{}
	if c.world.twoSided {
		out.setup = t.InitialState.InitializationActions
	} else if out.records, err = c.docs(t.InitialState, d.Meta.Adds); err != nil {
		return nil, err
	}
	i := t.UserScenario.Instructions.Structured
	out.task = ScenarioAnswer{
		Purpose: *t.Description.Purpose, Theme: d.Meta.Theme, Wishes: d.Meta.Wishes,
		ReasonForCall: i.ReasonForCall, KnownInfo: textOf(i.KnownInfo), UnknownInfo: textOf(i.UnknownInfo), TaskInstructions: i.TaskInstructions,
		Actions: []*pyjson.Object{}, CommunicateInfo: append([]string{}, t.EvaluationCriteria.CommunicateInfo...),
	}
	for k := range t.EvaluationCriteria.Actions {
		a := &t.EvaluationCriteria.Actions[k]
		out.task.Actions = append(out.task.Actions, pyjson.NewObject("name", a.Name, "arguments", forms.tools[a.Name].pack(a.Args())))
	}
	return out, nil
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// docs writes records of a state, each whole.
func (c *casting) docs(s *tau.InitialState, adds []string) ([]RecordDoc, error) {
	e, err := c.world.environment(s)
	if err != nil {
		return nil, unplayable("%v", err)
	}
	out := []RecordDoc{}
	for _, r := range adds {
		table, key, _ := strings.Cut(r, "/")
		out = append(out, RecordDoc{table, key, c.world.forms[table].pack(e.RecordJSON(table, key))})
	}
	return out, nil
}

// unbuildable tells apart that there is no task from faults.
func unbuildable(err error) (*llm.Response, error) {
	if errors.Is(err, role.ErrUnbuildable) {
		return words(noCase), nil
	}
	return nil, err
}

func playScenario(ctx context.Context, c *casting, r *llm.Request) (*llm.Response, error) {
	var q ScenarioInput
	if err := question(r, &q); err != nil {
		return nil, err
	}
	w, err := c.write(ctx, q.ID, q.Sequence, q.Variation)
	if err != nil {
		return unbuildable(err)
	}
	return answers(w.task)
}

func playDatabase(ctx context.Context, c *casting, r *llm.Request) (*llm.Response, error) {
	var q DatabaseInput
	if err := question(r, &q); err != nil {
		return nil, err
	}
	w, err := c.write(ctx, q.ID, q.Task.sequence(), q.Variation)
	if err != nil {
		return unbuildable(err)
	}
	return answers(DatabaseAnswer{Reasoning: "by rules", Records: w.records})
}

func (s *ScenarioAnswer) sequence() []string {
	var out []string
	for _, a := range s.Actions {
		name, _ := a.Get("name")
		out = append(out, pyjson.Str(name))
	}
	return out
}

// staged writes a setup in the form of answers.
func (c *casting) staged(setup []tau.EnvCall) ([]*pyjson.Object, error) {
	a, err := newSetupAuthor(Base{Domain: c.Domain, Contract: c.Contract}, c.world)
	if err != nil {
		return nil, unplayable("%v", err)
	}
	out := []*pyjson.Object{}
	for i := range setup {
		f := a.functions[setup[i].FuncName]
		if f == nil {
			return nil, unplayable("there is no function %s", setup[i].FuncName)
		}
		out = append(out, pyjson.NewObject("function", setup[i].FuncName, "arguments", f.form.pack(setup[i].Args())))
	}
	return out, nil
}

func playSetup(ctx context.Context, c *casting, r *llm.Request) (*llm.Response, error) {
	var q SetupInput
	if err := question(r, &q); err != nil {
		return nil, err
	}
	w, err := c.write(ctx, q.ID, q.Task.sequence(), q.Variation)
	if err != nil {
		return unbuildable(err)
	}
	setup, err := c.staged(w.setup)
	if err != nil {
		return nil, err
	}
	return answers(SetupAnswer{Reasoning: "by rules", Setup: setup})
}

func playMend(ctx context.Context, c *casting, r *llm.Request) (*llm.Response, error) {
	var q MendInput
	if err := question(r, &q); err != nil {
		return nil, err
	}
	w, err := c.write(ctx, q.ID, q.Sequence, q.Variation)
	if err != nil {
		return unbuildable(err)
	}
	setup, err := c.staged(w.setup)
	if err != nil {
		return nil, err
	}
	return answers(MendAnswer{Cause: "another case is taken", ScenarioAnswer: w.task, Setup: setup})
}

// playRepair makes another task: the rules author mends nothing.
func playRepair(ctx context.Context, c *casting, r *llm.Request) (*llm.Response, error) {
	var q RepairInput
	if err := question(r, &q); err != nil {
		return nil, err
	}
	w, err := c.write(ctx, q.ID, q.Sequence, q.Variation)
	if err != nil {
		return unbuildable(err)
	}
	return answers(RepairAnswer{Cause: "another case is taken", ScenarioAnswer: w.task, Records: w.records})
}

// playReviewer holds a task to the contract. What the rules cannot check they
// pass over.
func playReviewer(ctx context.Context, c *casting, r *llm.Request) (*llm.Response, error) {
	var d TaskDoc
	if err := question(r, &d); err != nil {
		return nil, err
	}
	t, err := taskOf("reviewed", &d)
	if err != nil {
		return nil, unplayable("%v", err)
	}
	found, err := rules.NewReviewer(c.Domain, c.Contract, c.Book).Review(ctx, t)
	if err != nil {
		return nil, unplayable("%v", err)
	}
	findings := []any{}
	for _, f := range found {
		if f.Severity != role.Unchecked {
			findings = append(findings, pyjson.NewObject("severity", string(f.Severity), "rule", f.Rule, "evidence", f.Evidence))
		}
	}
	return answers(pyjson.NewObject("path", "by rules", "findings", findings))
}
