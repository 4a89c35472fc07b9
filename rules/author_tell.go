package rules

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"taste/phrase"
	"taste/role"
	"taste/tau"
)

// said puts a filled wish into speech acts.
func (f *filled) said() phrase.Item {
	main, details := f.wish.Split(f.ask)
	item := phrase.Item{Wish: phrase.Act{Name: main.Act, Slots: main.Slots}}
	for _, s := range details {
		item.Details = append(item.Details, phrase.Act{Name: s.Act, Slots: s.Slots})
	}
	return item
}

// sayable tells the draft once, so that what cannot be worded fails here.
func (d *drafting) sayable(out *role.Draft) error {
	_, _, err := d.a.word(out, rand.New(rand.NewPCG(d.draw.Uint64(), 2)), nil)
	return err
}

// ErrSpoilt says that an answer may be said by somebody who does not know it:
// it stands in the scenario or in the arguments of a gold call.
var ErrSpoilt = errors.New("the task contains an answer")

// Tell implements role.Author. Of some wordings it takes the first that gives
// no answer away. It is to be called in task order by one goroutine.
func (a *Author) Tell(_ context.Context, d *role.Draft, seed uint64) (tau.Task, error) {
	draw := rand.New(rand.NewPCG(seed, 3))
	t, s, err := a.word(d, draw, &a.told)
	if err != nil {
		return tau.Task{}, fmt.Errorf("tell %s: %w: %w", d.Task.ID, role.ErrUnbuildable, err)
	}
	a.told.Add(s)
	return t, nil
}

// wordings is how many scenarios are worded before a draft counts as spoilt.
const wordings = 20

func (a *Author) word(d *role.Draft, draw *rand.Rand, used *phrase.Variety) (tau.Task, phrase.Scenario, error) {
	brief, err := briefOf(d)
	if err != nil {
		return tau.Task{}, phrase.Scenario{}, err
	}
	for range wordings {
		var s phrase.Scenario
		if s, err = phrase.Compose(a.book, brief, draw, used); err != nil {
			return tau.Task{}, s, err
		}
		answers := d.Task.EvaluationCriteria.CommunicateInfo
		if err = spoilt(s, answers); err != nil {
			continue
		}
		t := d.Task
		if t.Ticket, err = a.ticket(brief, answers, draw); err == nil {
			t.UserScenario = scenario(a.domain.Name, s)
			t.Description = &tau.Description{Purpose: purpose(d.Meta)}
			return t, s, nil
		}
	}
	return tau.Task{}, phrase.Scenario{}, err
}

// ticket words what an agent without a user is given, where customers have tools for
// it to use; nil elsewhere. It gives away no more than a scenario may.
func (a *Author) ticket(brief phrase.Brief, answers []string, draw *rand.Rand) (*string, error) {
	if len(a.contract.Troubles) == 0 {
		return nil, nil
	}
	text, err := phrase.ComposeTicket(a.book, brief, draw)
	if err == nil {
		err = spoilt(phrase.Scenario{TaskInstructions: text}, answers)
	}
	return &text, err
}

// briefOf reads what a draft has to say; numbers keep their text.
func briefOf(d *role.Draft) (phrase.Brief, error) {
	var brief phrase.Brief
	dec := json.NewDecoder(bytes.NewReader(d.Brief))
	dec.UseNumber()
	if err := dec.Decode(&brief); err != nil {
		return brief, fmt.Errorf("read brief: %w", err)
	}
	return brief, nil
}

// spoilt checks that no answer stands in the scenario, compared as scoring
// compares messages: lower case, without commas.
func spoilt(s phrase.Scenario, answers []string) error {
	text := strings.Join([]string{s.Persona, s.ReasonForCall, s.KnownInfo, s.UnknownInfo, s.TaskInstructions}, "\n")
	text = strings.ReplaceAll(strings.ToLower(text), ",", "")
	for _, a := range answers {
		if strings.Contains(text, strings.ToLower(a)) {
			return fmt.Errorf("%w: %q", ErrSpoilt, a)
		}
	}
	return nil
}

func scenario(domain string, s phrase.Scenario) tau.UserScenario {
	return tau.UserScenario{Persona: textOrNil(s.Persona), Instructions: tau.Instructions{Structured: &tau.StructuredInstructions{
		Domain: domain, ReasonForCall: s.ReasonForCall, KnownInfo: textOrNil(s.KnownInfo),
		UnknownInfo: textOrNil(s.UnknownInfo), TaskInstructions: s.TaskInstructions,
	}}}
}

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// purpose says what a task is about for whoever browses the benchmark.
func purpose(m role.Meta) *string {
	s := fmt.Sprintf("A conversation of %d tool calls: %s.", len(m.Sequence), strings.Join(m.Wishes, ", "))
	return &s
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
