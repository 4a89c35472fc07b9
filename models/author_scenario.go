package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"taste/chat"
	"taste/llm"
	"taste/pyjson"
	"taste/role"
	"taste/tau"
)

// writer is what both authors begin with: a scenario and its gold calls.
type writer struct {
	base  Base
	world *world
}

// ScenarioInput is the question of the first step.
type ScenarioInput struct {
	ID        string         `json:"id"`
	Variation string         `json:"variation"` // a number that makes tasks of one sequence differ
	Sequence  []string       `json:"sequence"`
	Records   *pyjson.Object `json:"records"` // some of the database's, by table and key
}

// ScenarioAnswer is the answer to it.
type ScenarioAnswer struct {
	Purpose          string           `json:"purpose"`
	Theme            string           `json:"theme"`
	Wishes           []string         `json:"wishes"`
	ReasonForCall    string           `json:"reason_for_call"`
	KnownInfo        string           `json:"known_info"`
	UnknownInfo      string           `json:"unknown_info"`
	TaskInstructions string           `json:"task_instructions"`
	Actions          []*pyjson.Object `json:"actions"` // name and arguments, these in the form of the tool
	CommunicateInfo  []string         `json:"communicate_info"`
}

// question is that of the first step.
func (w *writer) question(id string, sequence []string, seed uint64) ScenarioInput {
	return ScenarioInput{ID: id, Variation: variation(seed), Sequence: sequence, Records: w.world.excerpt(seed)}
}

// variation makes tasks of one sequence differ.
func variation(seed uint64) string { return strconv.FormatUint(seed, 10) }

// scenario does the first step: data shows the question q by a prompt, and the answer
// has to have the calls of the sequence and to pass a further check, which may be nil.
func (w *writer) scenario(
	ctx context.Context, prompt string, data any, q ScenarioInput, seed uint64, check func(*ScenarioAnswer) error,
) (*ScenarioAnswer, []tau.Action, error) {
	forms, err := w.world.calls(q.Sequence)
	if err != nil {
		return nil, nil, fmt.Errorf("draft %s: %w: %w", q.ID, role.ErrUnbuildable, err)
	}
	var actions []tau.Action
	s, _, err := askWith(ctx, &w.base, prompt, data, about{role: "author", item: q.ID, seed: seed}, forms.edit, func(s *ScenarioAnswer) (err error) {
		if actions, err = forms.actions(q.ID, s); check != nil {
			err = errors.Join(err, check(s))
		}
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("draft %s: %w", q.ID, err)
	}
	return s, actions, nil
}

// reopen reads what a draft kept of the model's answers, and makes the forms of its
// calls.
func (w *writer) reopen(last *role.Draft, brief any) (*callForms, error) {
	forms, err := w.world.calls(last.Meta.Sequence)
	if err != nil {
		return nil, fmt.Errorf("repair %s: %w", last.Task.ID, err)
	}
	if err := json.Unmarshal(last.Brief, brief); err != nil {
		return nil, fmt.Errorf("repair %s: read brief: %w", last.Task.ID, err)
	}
	return forms, nil
}

// Tell implements role.Author: the words are the draft's own.
func (w *writer) Tell(_ context.Context, d *role.Draft, _ uint64) (tau.Task, error) {
	var b struct{ Task ScenarioAnswer }
	if err := json.Unmarshal(d.Brief, &b); err != nil {
		return tau.Task{}, fmt.Errorf("tell %s: read brief: %w", d.Task.ID, err)
	}
	return worded(d, b.Task.scenario(w.base.Domain.Name), b.Task.Purpose), nil
}

// worded is a draft's task with its scenario and what it is for.
func worded(d *role.Draft, scenario tau.UserScenario, purpose string) tau.Task {
	t := d.Task
	t.UserScenario, t.Description = scenario, &tau.Description{Purpose: &purpose}
	return t
}

// scenario is what the customer is told.
func (s *ScenarioAnswer) scenario(domain string) tau.UserScenario {
	return structured(domain, s.ReasonForCall, s.KnownInfo, s.UnknownInfo, s.TaskInstructions)
}

// structured is a scenario of the usual four texts.
func structured(domain, reason, known, unknown, instructions string) tau.UserScenario {
	opt := func(text string) *string {
		if text = strings.TrimSpace(text); text == "" {
			return nil
		}
		return &text
	}
	return tau.UserScenario{Instructions: tau.Instructions{Structured: &tau.StructuredInstructions{
		Domain: domain, ReasonForCall: strings.TrimSpace(reason), KnownInfo: opt(known), UnknownInfo: opt(unknown),
		TaskInstructions: strings.TrimSpace(instructions),
	}}}
}

// callForms are the forms of the calls of a sequence.
type callForms struct {
	sequence []string
	tools    map[string]*form
	owners   map[string]string
}

// calls makes the forms of a sequence's calls.
func (w *world) calls(sequence []string) (*callForms, error) {
	c := &callForms{sequence: sequence, tools: map[string]*form{}, owners: map[string]string{}}
	for _, name := range sequence {
		spec := w.domain.Tool(name)
		if spec == nil {
			return nil, fmt.Errorf("the domain has no tool %s", name)
		}
		if c.tools[name] != nil {
			continue
		}
		t, err := function(spec)
		if err != nil {
			return nil, err
		}
		schema, err := pyjson.DecodeObject(t.Parameters)
		if err != nil {
			return nil, fmt.Errorf("tool %s: read parameters: %w", name, err)
		}
		if !schema.Has("properties") {
			schema.Set("properties", pyjson.NewObject())
		}
		if c.tools[name], err = newForm(schema); err != nil {
			return nil, fmt.Errorf("tool %s: %w", name, err)
		}
		c.owners[name] = spec.Requestor
	}
	return c, nil
}

// edit puts the forms of the arguments into the schema of an answer.
func (c *callForms) edit(r *llm.Request) error {
	var ways []any
	seen := map[string]bool{}
	for _, name := range c.sequence {
		if !seen[name] {
			seen[name] = true
			one := pyjson.NewObject("type", "string", "enum", []any{name})
			ways = append(ways, strict(pyjson.NewObject("name", one, "arguments", c.tools[name].tight)))
		}
	}
	return setItems(r, "actions", ways)
}

// setItems says in the schema of an answer what the elements of a list are.
func setItems(r *llm.Request, property string, ways []any) error {
	s, err := pyjson.DecodeObject(r.Schema.JSON)
	if err != nil {
		return err
	}
	list := object(object(s, "properties"), property)
	items := ways[0]
	if len(ways) > 1 {
		items = pyjson.NewObject("anyOf", ways)
	}
	list.Set("items", items)
	r.Schema = &llm.Schema{Name: r.Schema.Name, JSON: pyjson.Append(nil, s, pyjson.Style{Tight: true})}
	return nil
}

// actions reads the gold calls of an answer: those of the sequence, with
// arguments that fit the tools.
func (c *callForms) actions(id string, s *ScenarioAnswer) ([]tau.Action, error) {
	if len(s.Actions) != len(c.sequence) {
		return nil, fmt.Errorf("actions has %d calls; the sequence has %d", len(s.Actions), len(c.sequence))
	}
	var out []tau.Action
	for i, o := range s.Actions {
		name, _ := o.Get("name")
		if name != any(c.sequence[i]) {
			return nil, fmt.Errorf("actions[%d] calls %s; the sequence has %s there", i, pyjson.Str(name), c.sequence[i])
		}
		packed, _ := o.Get("arguments")
		args, err := c.tools[c.sequence[i]].unpack(packed)
		if err != nil {
			return nil, fmt.Errorf("actions[%d].arguments: %w", i, err)
		}
		a, err := tau.ReadAction(pyjson.NewObject(
			"action_id", fmt.Sprintf("%s_%d", id, i), "requestor", c.owner(i), "name", name, "arguments", args), "")
		if err != nil {
			return nil, fmt.Errorf("actions[%d]: %w", i, err)
		}
		out = append(out, a)
	}
	if strings.TrimSpace(s.ReasonForCall) == "" || strings.TrimSpace(s.KnownInfo) == "" {
		return nil, errors.New("reason_for_call and known_info must not be empty")
	}
	return out, nil
}

func (c *callForms) owner(i int) string {
	if o := c.owners[c.sequence[i]]; o != "" {
		return o
	}
	return chat.Assistant
}
