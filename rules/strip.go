package rules

import (
	"fmt"
	"slices"
	"strings"

	"taste/contract"
	"taste/env"
	"taste/pyjson"
	"taste/role"
	"taste/tau"
)

// Strip returns a task without one technique: the sentences that carry it are
// cut out of the scenario, its records and the entries that list them out of
// the initialization data, its plants out of the initialization actions. What
// another technique carries too stays. What is asserted stays, too: after plants
// gold ends elsewhere without them. The error says which sentence is not there.
func Strip(t *tau.Task, carried []role.Technique, technique string) (*tau.Task, error) {
	out := *t
	if s := t.UserScenario.Instructions.Structured; s != nil {
		own := *s
		out.UserScenario.Instructions.Structured = &own
	}
	gone := map[string]bool{}
	for _, c := range carried {
		if c.Technique != technique {
			continue
		}
		for _, s := range c.Sentences {
			if !cutSentence(&out.UserScenario, s) {
				return nil, fmt.Errorf("strip %s of task %s: no sentence %q", technique, t.ID, s)
			}
		}
		for _, r := range slices.Concat(c.Decoys, c.Adds) {
			gone[r] = true
		}
		if len(c.Plants) > 0 {
			out.InitialState = unplanted(out.InitialState, c.Plants)
		}
	}
	if len(gone) > 0 {
		out.InitialState = without(out.InitialState, gone)
	}
	return &out, nil
}

// Without is Strip in a domain: where plants are gone with the technique, the task
// asserts what gold ends at without them.
func Without(d *env.Domain, c *contract.Contract, t *tau.Task, carried []role.Technique, technique string) (*tau.Task, error) {
	out, err := Strip(t, carried, technique)
	if err != nil || !slices.ContainsFunc(carried, func(x role.Technique) bool { return x.Technique == technique && len(x.Plants) > 0 }) {
		return out, err
	}
	return out, assertAnew(d, c, out)
}

// assertAnew has a task assert what its gold ends at, after its initial state has
// changed.
func assertAnew(d *env.Domain, c *contract.Contract, t *tau.Task) error {
	crit := *t.EvaluationCriteria
	t.EvaluationCriteria = &crit
	var err error
	crit.EnvAssertions, err = Asserted(c, d, t)
	return err
}

// cutSentence cuts a sentence out of the first field that has it.
func cutSentence(s *tau.UserScenario, sentence string) bool {
	for _, f := range scenarioFields(s) {
		before, after, ok := strings.Cut(*f.text, sentence)
		if ok {
			text := strings.TrimSpace(strings.TrimSuffix(before, " ") + after)
			*f.text = strings.ReplaceAll(text, "\n\n", "\n")
			return true
		}
	}
	return false
}

// without is an initial state without some records, table/key, and without
// their keys in lists of other records.
func without(s *tau.InitialState, gone map[string]bool) *tau.InitialState {
	if s == nil || s.InitializationData == nil || s.InitializationData.AgentData == nil {
		return s
	}
	out, data := *s, *s.InitializationData
	keys := map[string]bool{}
	for r := range gone {
		_, key, _ := strings.Cut(r, "/")
		keys[key] = true
	}
	tables := pyjson.NewObject()
	for table, rows := range data.AgentData.All() {
		records, ok := rows.(*pyjson.Object)
		if !ok {
			tables.Set(table, rows)
			continue
		}
		left := pyjson.NewObject()
		for key, rec := range records.All() {
			if !gone[table+"/"+key] {
				left.Set(key, unlisted(rec, keys))
			}
		}
		tables.Set(table, left)
	}
	data.AgentData = tables
	out.InitializationData = &data
	return &out
}

// unplanted is an initial state without some of its actions.
func unplanted(s *tau.InitialState, plants []tau.EnvCall) *tau.InitialState {
	if s == nil {
		return nil
	}
	out := *s
	out.InitializationActions = slices.Clone(s.InitializationActions)
	for i := range plants {
		same := func(c tau.EnvCall) bool { return pyjson.Dumps(c.JSON()) == pyjson.Dumps(plants[i].JSON()) }
		if at := lastIndex(out.InitializationActions, same); at >= 0 {
			out.InitializationActions = slices.Delete(out.InitializationActions, at, at+1)
		}
	}
	return &out
}

// lastIndex is the index of the last element that is meant, −1 for none: plants
// come behind the task's own actions.
func lastIndex(list []tau.EnvCall, is func(tau.EnvCall) bool) int {
	for i := len(list) - 1; i >= 0; i-- {
		if is(list[i]) {
			return i
		}
	}
	return -1
}

// unlisted is a record whose lists do not name the keys.
func unlisted(rec any, keys map[string]bool) any {
	o, ok := rec.(*pyjson.Object)
	if !ok {
		return rec
	}
	out := pyjson.NewObject()
	for field, v := range o.All() {
		if list, ok := v.([]any); ok {
			v = slices.DeleteFunc(slices.Clone(list), func(e any) bool {
				s, ok := e.(string)
				return ok && keys[s]
			})
		}
		out.Set(field, v)
	}
	return out
}

type scenarioField struct {
	name string
	text *string
}

// scenarioFields lists the texts that a user is told, in reading order. The
// optional ones are copied so that they can be changed.
func scenarioFields(s *tau.UserScenario) []scenarioField {
	i := s.Instructions.Structured
	if i == nil {
		return []scenarioField{{"instructions", &s.Instructions.Plain}}
	}
	out := []scenarioField{{"reason_for_call", &i.ReasonForCall}, {"task_instructions", &i.TaskInstructions}}
	for _, f := range []struct {
		name string
		text **string
	}{{"known_info", &i.KnownInfo}, {"unknown_info", &i.UnknownInfo}} {
		if *f.text != nil {
			own := **f.text
			*f.text = &own
			out = append(out, scenarioField{f.name, &own})
		}
	}
	return out
}
