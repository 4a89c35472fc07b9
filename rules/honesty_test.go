package rules

import (
	"context"
	"fmt"
	"strings"

	"taste/contract"
	"taste/env"
	"taste/eval"
	"taste/phrase"
	"taste/sim"
	"taste/tau"
)

// Deletion is what became of a task after one sentence of its scenario was
// deleted.
type Deletion struct {
	Field    string // of user_scenario.instructions
	Sentence string
	Act      string // the speech act of the sentence, "" if none
	Carries  bool   // the sentence carried a gold argument that no read reveals
	Verifier bool   // an attempt of the verifier earned the reward all the same
	Careful  bool   // the careful agent did
}

// Honest is false where the reward was earned without what it takes.
func (d Deletion) Honest() bool { return !d.Carries || !d.Verifier && !d.Careful }

// Honesty tests whether the rules roles know more than they are told.
type Honesty struct {
	verifier *Verifier
	agent    sim.NewAgent
}

// NewHonesty makes the test for a domain.
func NewHonesty(d *env.Domain, c *contract.Contract, b *phrase.Book) *Honesty {
	return &Honesty{verifier: NewVerifier(d, c, b), agent: Careful(c, b)}
}

// Test deletes each sentence of the task's scenario in turn, in the order in
// which it is read, and plays what is left.
func (h *Honesty) Test(ctx context.Context, t *tau.Task, seed uint64) ([]Deletion, error) {
	target, err := eval.NewTarget(h.verifier.domain, t)
	if err != nil {
		return nil, fmt.Errorf("test honesty of task %s: %w", t.ID, err)
	}
	book := h.verifier.book
	need, err := newNeeds(h.verifier.contract, book, target)
	if err != nil {
		return nil, fmt.Errorf("test honesty of task %s: %w", t.ID, err)
	}
	wishes := 0
	var out []Deletion
	for _, c := range cuts(t.UserScenario) {
		d := Deletion{Field: c.field, Sentence: c.sentence}
		if err := h.play(ctx, target, &c.left, &d, seed); err != nil {
			return out, err
		}
		if acts, _ := book.Parse(c.sentence, phrase.Second); len(acts) == 1 {
			if role := book.Spec(acts[0].Name).Role; role == phrase.Wish || role == phrase.Ask {
				wishes++
			}
			d.Act = acts[0].Name
			d.Carries = need.carries(acts[0], wishes-1)
		}
		out = append(out, d)
	}
	return out, nil
}

// play lets verifier and careful agent have a try at what is left.
func (h *Honesty) play(ctx context.Context, target *eval.Target, left *tau.UserScenario, d *Deletion, seed uint64) error {
	brief, _ := phrase.Read(h.verifier.book, scenarioText(*left))
	p := Play{Target: target, User: told(h.verifier.book, brief), Scenario: left}
	attempts, err := h.verifier.attempts(ctx, p, seed)
	if err != nil {
		return err
	}
	for _, a := range attempts {
		d.Verifier = d.Verifier || a.Reward == 1
	}
	p.Agent, p.Seed = h.agent, seed
	o, err := p.Run(ctx)
	d.Careful = o.Reward == 1
	return err
}

// cut is a scenario without one sentence.
type cut struct {
	field    string
	sentence string
	left     tau.UserScenario
}

// cuts deletes each sentence in the order in which phrase.Read reads them.
func cuts(s tau.UserScenario) []cut {
	var out []cut
	fields := scenarioFields(&s)
	for i, f := range fields {
		for _, at := range phrase.Sentences(*f.text) {
			c := cut{field: f.name, sentence: (*f.text)[at[0]:at[1]], left: s}
			if s.Instructions.Structured != nil {
				own := *s.Instructions.Structured
				c.left.Instructions.Structured = &own
			}
			left := strings.TrimSpace(strings.TrimSpace((*f.text)[:at[0]]) + " " + strings.TrimSpace((*f.text)[at[1]:]))
			*scenarioFields(&c.left)[i].text = left
			out = append(out, c)
		}
	}
	return out
}
