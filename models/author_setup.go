package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"taste/chat"
	"taste/contract"
	"taste/llm"
	"taste/pyjson"
	"taste/role"
	"taste/rules"
	"taste/tau"
)

// SetupAuthor is the Author of domains whose user has tools: their tasks are set
// up by calls of functions in the place of records, and scored by statements about
// both sides. The model writes scenario, gold calls and setup; what is asserted
// follows from the contract and from what gold does when it is made live. It
// implements role.Repairer and is safe for concurrent use.
type SetupAuthor struct {
	writer
	contract  *contract.Contract
	functions map[string]*setupFunc
	listed    []Function
}

// Function is what prompts show of a function by which cases are set up.
type Function struct {
	Name      string
	Side      string // in words
	Arguments []Argument
}

// setupFunc is such a function with the form of its arguments.
type setupFunc struct {
	side string
	form *form
}

// setupData is what this author's prompts are filled with.
type setupData struct {
	Domain    *View
	Functions []Function
	Question  any
}

// SetupInput is the question of the second step.
type SetupInput struct {
	ID        string         `json:"id"`
	Variation string         `json:"variation"`
	Task      ScenarioAnswer `json:"task"`
	Existing  []RecordDoc    `json:"existing"`
}

// SetupAnswer is the answer to it.
type SetupAnswer struct {
	Reasoning string           `json:"reasoning"`
	Setup     []*pyjson.Object `json:"setup"` // function and arguments, these in the form of the function
}

// MendInput is the question of a repair.
type MendInput struct {
	ID        string           `json:"id"`
	Variation string           `json:"variation"`
	Sequence  []string         `json:"sequence"`
	Problem   string           `json:"problem"`
	Task      ScenarioAnswer   `json:"task"`
	Setup     []*pyjson.Object `json:"setup"`
	Existing  []RecordDoc      `json:"existing"`
}

// MendAnswer is the answer to it.
type MendAnswer struct {
	Cause string `json:"cause"`
	ScenarioAnswer
	Setup []*pyjson.Object `json:"setup"`
}

// setupBrief is what a draft keeps of the model's answers.
type setupBrief struct {
	Task  ScenarioAnswer   `json:"task"`
	Setup []*pyjson.Object `json:"setup"`
}

func newSetupAuthor(b Base, w *world) (*SetupAuthor, error) {
	if b.Contract == nil {
		return nil, errors.New("make author: a domain whose user has tools needs a contract: it says what can be asserted")
	}
	for _, name := range []string{"author-case", "author-setup", "author-mend"} {
		if _, err := b.prompt(name); err != nil {
			return nil, err
		}
	}
	a := &SetupAuthor{writer: writer{b, w}, contract: b.Contract, functions: map[string]*setupFunc{}}
	for _, owner := range []string{chat.User, chat.Assistant} {
		for _, s := range b.Domain.Helpers(owner) {
			if strings.HasPrefix(s.Name, asserting) || a.functions[s.Name] != nil {
				continue
			}
			if err := a.add(owner, s.Name, parametersOf(s.Params, len(s.Params)-len(s.Defaults))); err != nil {
				return nil, err
			}
		}
	}
	for i := range b.Domain.Tools {
		t := &b.Domain.Tools[i]
		if t.Type != chat.Write || a.functions[t.Name] != nil {
			continue
		}
		c, err := w.calls([]string{t.Name})
		if err != nil {
			return nil, err
		}
		if err := a.add(ownerOf(t.Requestor), t.Name, c.tools[t.Name].schema); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func ownerOf(requestor string) string {
	if requestor == chat.User {
		return chat.User
	}
	return chat.Assistant
}

// asserting begins the names of functions that set nothing up.
const asserting = "assert_"

// parametersOf is a schema for arguments of which the names are known: texts,
// numbers or truth values.
func parametersOf(names []string, required int) *pyjson.Object {
	fields, needed := pyjson.NewObject(), []any{}
	for i, name := range names {
		fields.Set(name, pyjson.NewObject("anyOf", []any{
			pyjson.NewObject("type", "string"), pyjson.NewObject("type", "number"), pyjson.NewObject("type", "boolean"),
		}))
		if i < required {
			needed = append(needed, name)
		}
	}
	return pyjson.NewObject("type", "object", "properties", fields, "required", needed)
}

func (a *SetupAuthor) add(owner, name string, schema *pyjson.Object) error {
	f, err := newForm(schema)
	if err != nil {
		return fmt.Errorf("make author: function %s: %w", name, err)
	}
	a.functions[name] = &setupFunc{owner, f}
	shown := Function{Name: name, Side: side(owner) + "'s side"}
	for p := range object(f.schema, "properties").All() {
		shown.Arguments = append(shown.Arguments, Argument{Name: p, Required: required(f.schema, p)})
	}
	a.listed = append(a.listed, shown)
	return nil
}

// edit puts the forms of functions into the schema of an answer.
func (a *SetupAuthor) edit(r *llm.Request) error {
	var ways []any
	for _, f := range a.listed {
		one := pyjson.NewObject("type", "string", "enum", []any{f.Name})
		ways = append(ways, strict(pyjson.NewObject("function", one, "arguments", a.functions[f.Name].form.tight)))
	}
	return setItems(r, "setup", ways)
}

// calls reads a setup.
func (a *SetupAuthor) calls(setup []*pyjson.Object) ([]tau.EnvCall, error) {
	var out []tau.EnvCall
	for i, o := range setup {
		name, _ := o.Get("function")
		f := a.functions[pyjson.Str(name)]
		if f == nil {
			return nil, fmt.Errorf("setup[%d]: there is no function %s", i, pyjson.Str(name))
		}
		packed, _ := o.Get("arguments")
		args, err := f.form.unpack(packed)
		if err != nil {
			return nil, fmt.Errorf("setup[%d].arguments: %w", i, err)
		}
		c, err := tau.ReadEnvCall(pyjson.NewObject("env_type", f.side, "func_name", name, "arguments", args), "")
		if err != nil {
			return nil, fmt.Errorf("setup[%d]: %w", i, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// silent holds a scenario to wanting nothing said, of which such rewards know
// nothing.
func silent(s *ScenarioAnswer) error {
	if len(s.CommunicateInfo) > 0 {
		return errors.New("communicate_info has to be empty in this domain")
	}
	return nil
}

// Draft implements role.Author.
func (a *SetupAuthor) Draft(ctx context.Context, id string, sequence []string, seed uint64) (*role.Draft, error) {
	q := a.question(id, sequence, seed)
	s, actions, err := a.scenario(ctx, "author-case", a.data(q), q, seed, silent)
	if err != nil {
		return nil, err
	}
	var made *role.Draft
	second := a.data(SetupInput{ID: id, Variation: variation(seed), Task: *s, Existing: a.world.existing(s, actions)})
	_, _, err = askWith(ctx, &a.base, "author-setup", second, about{role: "author", item: id, seed: seed}, a.edit, func(x *SetupAnswer) (err error) {
		made, err = a.draft(id, sequence, seed, actions, setupBrief{*s, x.Setup})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("draft %s: %w", id, err)
	}
	return made, nil
}

func (a *SetupAuthor) data(question any) setupData {
	return setupData{a.world.view, a.listed, question}
}

// Repair implements role.Repairer.
func (a *SetupAuthor) Repair(ctx context.Context, last *role.Draft, problem string, seed uint64) (*role.Draft, error) {
	id, sequence := last.Task.ID, last.Meta.Sequence
	var b setupBrief
	forms, err := a.reopen(last, &b)
	if err != nil {
		return nil, err
	}
	data := a.data(MendInput{
		ID: id, Variation: variation(seed), Sequence: sequence, Problem: problem, Task: b.Task, Setup: b.Setup,
		Existing: a.world.existing(&b.Task, last.Task.EvaluationCriteria.Actions),
	})
	edit := func(r *llm.Request) error { return errors.Join(forms.edit(r), a.edit(r)) }
	var made *role.Draft
	_, _, err = askWith(ctx, &a.base, "author-mend", data, about{role: "author", item: id, seed: seed}, edit, func(x *MendAnswer) error {
		actions, err := forms.actions(id, &x.ScenarioAnswer)
		if err = errors.Join(err, silent(&x.ScenarioAnswer)); err != nil {
			return err
		}
		made, err = a.draft(id, sequence, seed, actions, setupBrief{x.ScenarioAnswer, x.Setup})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("repair %s: %w", id, err)
	}
	return made, nil
}

// draft puts a task together. Errors say what is wrong with the answers.
func (a *SetupAuthor) draft(id string, sequence []string, seed uint64, actions []tau.Action, b setupBrief) (*role.Draft, error) {
	setup, err := a.calls(b.Setup)
	if err != nil {
		return nil, err
	}
	crit := &tau.EvaluationCriteria{Actions: actions, CommunicateInfo: []string{}, RewardBasis: []tau.RewardType{tau.EnvAssertionReward}}
	d := &role.Draft{Task: tau.Task{ID: id, InitialState: &tau.InitialState{InitializationActions: setup}, EvaluationCriteria: crit}}
	asked := d.Task
	asked.UserScenario = b.Task.scenario(a.base.Domain.Name)
	if crit.EnvAssertions, err = rules.Asserted(a.contract, a.base.Domain, &asked); err != nil {
		return nil, fmt.Errorf("with this setup: %w", err)
	}
	if len(actions) == 1 && actions[0].Name == a.contract.Protocol.Handoff { // no state tells that it was done
		crit.RewardBasis = append(crit.RewardBasis, tau.ActionReward)
		crit.Actions[0].CompareArgs = []string{}
	}
	start, err := a.world.environment(d.Task.InitialState)
	if err != nil {
		return nil, err
	}
	d.Meta = role.Meta{
		Sequence: sequence, Wishes: b.Task.Wishes, Rules: []string{}, Adds: append([]string{}, rules.Changed(a.base.Domain.Environment(), start)...),
		Theme: b.Task.Theme, Seed: seed,
	}
	d.Brief, err = json.Marshal(b)
	return d, err
}
