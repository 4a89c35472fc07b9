package models

import (
	"taste/chat"
	"taste/env"
	"taste/eval"
	"taste/pyjson"
	"taste/tau"
)

// TaskDoc is a task as reviewers see it: what its customer is told, what stands in
// the database beside the domain's own records, and what the gold actions do.
type TaskDoc struct {
	Scenario    *pyjson.Object `json:"scenario"`
	Ticket      *string        `json:"ticket,omitempty"`
	Initial     *pyjson.Object `json:"initial_state,omitempty"`
	Gold        []doneDoc      `json:"gold"`
	Changes     []string       `json:"changes"`                  // path: before → after the gold actions
	Communicate []string       `json:"to_communicate,omitempty"` // what the agent has to say
	Assertions  []string       `json:"assertions,omitempty"`     // about the conversation
	Conditions  []any          `json:"conditions,omitempty"`     // calls that have to return the given value in the end
}

// doneDoc is a gold call with its answer from the initial state on.
type doneDoc struct {
	callDoc
	Answer string `json:"answer"`
	Failed bool   `json:"failed,omitempty"`
}

// What a document shows at most.
const (
	mostAnswer  = 6000 // bytes of one answer
	mostChanges = 60
)

// newTaskDoc plays the gold actions of a task, both sides coupled, and describes it.
func newTaskDoc(d *env.Domain, t *tau.Task) (*TaskDoc, error) {
	target, err := eval.NewTarget(d, t)
	if err != nil {
		return nil, err
	}
	doc := &TaskDoc{Scenario: t.UserScenario.JSON(), Ticket: t.Ticket, Gold: []doneDoc{}, Changes: []string{}}
	if t.InitialState != nil {
		doc.Initial = t.InitialState.JSON()
	}
	start, played := target.Start(), target.Start()
	if c := t.EvaluationCriteria; c != nil {
		doc.Communicate, doc.Assertions = c.CommunicateInfo, c.NLAssertions
		for i := range c.EnvAssertions {
			doc.Conditions = append(doc.Conditions, c.EnvAssertions[i].JSON())
		}
		for i := range c.Actions {
			doc.Gold = append(doc.Gold, play(played, &c.Actions[i]))
		}
	}
	doc.Changes = append(doc.Changes, start.Diff(played)...)
	if more := len(doc.Changes) - mostChanges; more > 0 {
		doc.Changes = append(doc.Changes[:mostChanges], "…")
	}
	return doc, nil
}

// play makes a gold action and keeps its answer.
func play(e *env.Environment, a *tau.Action) doneDoc {
	r := e.Do(&chat.ToolCall{Name: a.Name, Arguments: a.Arguments, Requestor: a.Owner()})
	return doneDoc{docOf(a), short(r.Content, mostAnswer), r.Error}
}

// short cuts a text that is longer than most bytes.
func short(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && text[most]&0xC0 == 0x80 { // within a character
		most--
	}
	return text[:most] + " …"
}
