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

// Author has a model write tasks in two steps: a scenario with its gold calls,
// then the records that it needs, which are added to the domain's database. What
// a check finds goes back to the model. It implements role.Repairer and is safe
// for concurrent use. That a task is what it should be is for the checks to say,
// not for the author.
type Author struct {
	base  Base
	world *world
}

// NewAuthor makes the author of a domain: an *Author, or a *SetupAuthor where the
// user has tools.
func NewAuthor(b Base) (role.Repairer, error) {
	w, err := newWorld(b.Domain)
	if err != nil {
		return nil, fmt.Errorf("make author: %w", err)
	}
	if w.twoSided {
		return newSetupAuthor(b, w)
	}
	for _, name := range []string{"author-scenario", "author-database", "author-repair"} {
		if _, err := b.prompt(name); err != nil {
			return nil, err
		}
	}
	return &Author{b, w}, nil
}

// authorData is what the author's prompts are filled with.
type authorData struct {
	Domain   *View
	Records  *pyjson.Object // schema of a record, by table
	Fixed    bool           // no records can be added
	Question any
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

// DatabaseInput is the question of the second step.
type DatabaseInput struct {
	ID        string         `json:"id"`
	Variation string         `json:"variation"`
	Task      ScenarioAnswer `json:"task"`
	Existing  []RecordDoc    `json:"existing"`
	Failing   []string       `json:"failing"` // gold calls that fail on the database as it is, with the error
}

// RecordDoc is a record in the form of answers.
type RecordDoc struct {
	Table  string `json:"table"`
	Key    string `json:"key"`
	Record any    `json:"record"`
}

// DatabaseAnswer is the answer to it.
type DatabaseAnswer struct {
	Reasoning string      `json:"reasoning"`
	Records   []RecordDoc `json:"records"`
}

// UnmarshalJSON keeps the order of a record's fields and the text of its numbers.
func (r *RecordDoc) UnmarshalJSON(data []byte) error {
	o, err := pyjson.DecodeObject(data)
	if err != nil {
		return err
	}
	table, _ := o.Get("table")
	key, _ := o.Get("key")
	r.Table, r.Key = pyjson.Str(table), pyjson.Str(key)
	r.Record, _ = o.Get("record")
	return nil
}

// MarshalJSON writes it.
func (r RecordDoc) MarshalJSON() ([]byte, error) {
	return pyjson.NewObject("table", r.Table, "key", r.Key, "record", r.Record).MarshalJSON()
}

// RepairInput is the question of a repair.
type RepairInput struct {
	ID        string         `json:"id"`
	Variation string         `json:"variation"`
	Sequence  []string       `json:"sequence"`
	Problem   string         `json:"problem"`
	Task      ScenarioAnswer `json:"task"`
	Records   []RecordDoc    `json:"records"`
	Existing  []RecordDoc    `json:"existing"`
}

// RepairAnswer is the answer to it.
type RepairAnswer struct {
	Cause string `json:"cause"`
	ScenarioAnswer
	Records []RecordDoc `json:"records"`
}

// brief is what a draft keeps of the model's answers.
type brief struct {
	Task    ScenarioAnswer `json:"task"`
	Records []RecordDoc    `json:"records"`
}

// Draft implements role.Author. An error that wraps *llm.Unusable says that the
// model gave no answer that a draft could be made of.
func (a *Author) Draft(ctx context.Context, id string, sequence []string, seed uint64) (*role.Draft, error) {
	forms, err := a.world.calls(sequence)
	if err != nil {
		return nil, fmt.Errorf("draft %s: %w: %w", id, role.ErrUnbuildable, err)
	}
	variation := strconv.FormatUint(seed, 10)
	first := authorData{Domain: a.world.view, Records: a.world.records(false), Question: ScenarioInput{
		ID: id, Variation: variation, Sequence: sequence, Records: a.world.excerpt(seed),
	}}
	about := about{role: "author", item: id, seed: seed}
	s, _, err := askWith(ctx, &a.base, "author-scenario", first, about, forms.edit, func(s *ScenarioAnswer) error {
		_, err := forms.actions(id, s)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("draft %s: %w", id, err)
	}
	actions, err := forms.actions(id, s)
	if err != nil {
		return nil, err
	}
	second := authorData{Domain: a.world.view, Records: a.world.records(true), Question: DatabaseInput{
		ID: id, Variation: variation, Task: *s, Existing: a.world.existing(s, actions), Failing: a.world.failing(actions),
	}}
	d, _, err := askWith(ctx, &a.base, "author-database", second, about, a.world.edit, func(d *DatabaseAnswer) error {
		_, err := a.world.additions(nil, d.Records)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("draft %s: %w", id, err)
	}
	return a.draft(id, sequence, seed, actions, brief{*s, d.Records})
}

// Repair implements role.Repairer.
func (a *Author) Repair(ctx context.Context, last *role.Draft, problem string, seed uint64) (*role.Draft, error) {
	id, sequence := last.Task.ID, last.Meta.Sequence
	forms, err := a.world.calls(sequence)
	if err != nil {
		return nil, fmt.Errorf("repair %s: %w", id, err)
	}
	var b brief
	if err := json.Unmarshal(last.Brief, &b); err != nil {
		return nil, fmt.Errorf("repair %s: read brief: %w", id, err)
	}
	data := authorData{Domain: a.world.view, Records: a.world.records(true), Question: RepairInput{
		ID: id, Variation: strconv.FormatUint(seed, 10), Sequence: sequence, Problem: problem, Task: b.Task, Records: b.Records,
		Existing: a.world.existing(&b.Task, last.Task.EvaluationCriteria.Actions),
	}}
	edit := func(r *llm.Request) error { return errors.Join(forms.edit(r), a.world.edit(r)) }
	r, _, err := askWith(ctx, &a.base, "author-repair", data, about{role: "author", item: id, seed: seed}, edit, func(r *RepairAnswer) error {
		_, err := forms.actions(id, &r.ScenarioAnswer)
		if err == nil {
			_, err = a.world.additions(nil, r.Records)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("repair %s: %w", id, err)
	}
	actions, err := forms.actions(id, &r.ScenarioAnswer)
	if err != nil {
		return nil, err
	}
	return a.draft(id, sequence, seed, actions, brief{r.ScenarioAnswer, r.Records})
}

// draft puts a task together.
func (a *Author) draft(id string, sequence []string, seed uint64, actions []tau.Action, b brief) (*role.Draft, error) {
	data, err := a.world.additions(nil, b.Records)
	if err != nil {
		return nil, fmt.Errorf("draft %s: %w", id, err)
	}
	d := &role.Draft{Meta: role.Meta{
		Sequence: sequence, Wishes: b.Task.Wishes, Rules: []string{}, Adds: names(data), Theme: b.Task.Theme, Seed: seed,
	}}
	d.Task = tau.Task{ID: id, InitialState: initialState(nil, data), EvaluationCriteria: &tau.EvaluationCriteria{
		Actions: actions, CommunicateInfo: append([]string{}, b.Task.CommunicateInfo...), RewardBasis: tau.DefaultBasis(),
	}}
	d.Brief, err = json.Marshal(b)
	return d, err
}

// Tell implements role.Author: the words are the draft's own.
func (a *Author) Tell(_ context.Context, d *role.Draft, _ uint64) (tau.Task, error) {
	var b brief
	if err := json.Unmarshal(d.Brief, &b); err != nil {
		return tau.Task{}, fmt.Errorf("tell %s: read brief: %w", d.Task.ID, err)
	}
	return worded(d, b.Task.scenario(a.base.Domain.Name), b.Task.Purpose), nil
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
