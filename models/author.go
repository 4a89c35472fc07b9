package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

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
type Author struct{ writer }

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
	return &Author{writer{b, w}}, nil
}

// authorData is what the author's prompts are filled with.
type authorData struct {
	Domain   *View
	Records  *pyjson.Object // schema of a record, by table
	Fixed    bool           // no records can be added
	Question any
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
	q := a.question(id, sequence, seed)
	s, actions, err := a.scenario(ctx, "author-scenario", authorData{Domain: a.world.view, Records: a.world.records(false), Question: q}, q, seed, nil)
	if err != nil {
		return nil, err
	}
	second := authorData{Domain: a.world.view, Records: a.world.records(true), Question: DatabaseInput{
		ID: id, Variation: variation(seed), Task: *s, Existing: a.world.existing(s, actions), Failing: a.world.failing(actions),
	}}
	d, _, err := askWith(ctx, &a.base, "author-database", second, about{role: "author", item: id, seed: seed}, a.world.edit, func(d *DatabaseAnswer) error {
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
	var b brief
	forms, err := a.reopen(last, &b)
	if err != nil {
		return nil, err
	}
	data := authorData{Domain: a.world.view, Records: a.world.records(true), Question: RepairInput{
		ID: id, Variation: variation(seed), Sequence: sequence, Problem: problem, Task: b.Task, Records: b.Records,
		Existing: a.world.existing(&b.Task, last.Task.EvaluationCriteria.Actions),
	}}
	edit := func(r *llm.Request) error { return errors.Join(forms.edit(r), a.world.edit(r)) }
	var actions []tau.Action
	r, _, err := askWith(ctx, &a.base, "author-repair", data, about{role: "author", item: id, seed: seed}, edit, func(r *RepairAnswer) (err error) {
		if actions, err = forms.actions(id, &r.ScenarioAnswer); err == nil {
			_, err = a.world.additions(nil, r.Records)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("repair %s: %w", id, err)
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
