package synth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"taste/gates"
	"taste/llm"
	"taste/role"
	"taste/tau"
)

// InstantiateInput is what the third stage works on.
type InstantiateInput struct {
	Prefix   string // of task ids
	Canary   string // put into every task's notes
	Choices  []Choice
	Selector Selector // finds other sequences
	Author   role.Author
	Reviewer role.Reviewer
	Gate     Gate
	Verifier role.Verifier
	Ledger   Ledger
	Seed     uint64
	Settings InstantiateSettings
	Workers  int
	Observer Observer
}

// Made is a task that passed every check.
type Made struct {
	Task    tau.Task
	Meta    role.Meta
	Choice  Choice
	Outcome Outcome
	Mutants []gates.Mutant
}

// Instantiate makes a task of each choice. A sequence without one is replaced
// while the settings allow; the tasks that were made are returned in the order
// of the choices, and may be fewer than these. Models of which many answers in a
// row are of no use end it by an error that wraps llm.ErrUseless.
//
// Work is done in rounds: drafts side by side, each put into words in task
// order, then the checks side by side. What a round does depends on the
// outcomes of the rounds before it, never on which work ended first.
func Instantiate(ctx context.Context, in InstantiateInput) ([]Made, error) {
	work := make([]*item, len(in.Choices))
	for i, c := range in.Choices {
		work[i] = &item{id: fmt.Sprintf("%s-%03d", in.Prefix, i+1), choice: c}
	}
	useless := &streak{}
	for open := work; len(open) > 0; open = unfinished(work) {
		if err := in.round(ctx, open, useless); err != nil {
			return nil, fmt.Errorf("instantiate: %w", err)
		}
	}
	var out []Made
	for _, w := range work {
		if w.made != nil {
			out = append(out, *w.made)
		}
	}
	return out, nil
}

// item is a task in the making.
type item struct {
	id        string
	choice    Choice
	candidate int
	attempt   int
	draft     *role.Draft
	task      *tau.Task
	outcome   Outcome
	mutants   []gates.Mutant
	problems  []string // all that checks found
	made      *Made
	given     bool // given up
	evolved   bool // made of a task that passed
}

func unfinished(work []*item) []*item {
	var open []*item
	for _, w := range work {
		if w.made == nil && !w.given {
			open = append(open, w)
		}
	}
	return open
}

func (in *InstantiateInput) round(ctx context.Context, open []*item, useless *streak) error {
	if err := in.drafts(ctx, open); err != nil {
		return err
	}
	if err := in.checks(ctx, open); err != nil {
		return err
	}
	for _, w := range open {
		if err := errors.Join(useless.add(&w.outcome), in.next(ctx, w)); err != nil {
			return err
		}
	}
	return nil
}

// stageName names what is done in a round: after the first one it is done to
// replace what failed.
func stageName(what string, open []*item) string {
	if len(open) > 0 && open[0].candidate+open[0].attempt > 0 {
		return "replacement " + what + "s"
	}
	return what
}

// drafts makes one draft for each item, and a task of each draft.
func (in *InstantiateInput) drafts(ctx context.Context, open []*item) error {
	in.Observer.Begin(stageName("draft", open), len(open))
	drafted := 0
	err := inOrder(ctx, in.Workers, len(open), func(ctx context.Context, i int) error {
		return in.drawUp(ctx, open[i])
	}, func(i int) error {
		in.Observer.Advance(1)
		if open[i].draft == nil {
			return in.Ledger.Record(open[i].outcome)
		}
		if err := in.tell(ctx, open[i]); err != nil {
			return err
		}
		if open[i].task != nil {
			drafted++
		}
		return nil
	})
	in.Observer.End(fmt.Sprintf("%d of %d drafted", drafted, len(open)))
	return err
}

// drafted is an author's answer: a draft, or the reason why there is none.
type drafted struct {
	Draft  *role.Draft `json:"draft"`
	Reason string      `json:"reason"`
	Raw    []string    `json:"raw,omitempty"`
}

// broken is a draft with what a check found; its draft is nil where there is
// nothing to repair.
type broken struct {
	draft   *role.Draft
	problem string
}

// broken is what the present attempt is to repair.
func (in *InstantiateInput) broken(w *item) broken {
	if _, ok := in.Author.(role.Repairer); !ok || w.draft == nil || !in.Settings.repairs(w.attempt) {
		return broken{}
	}
	return broken{w.draft, strings.Join(w.problems, "\n")}
}

// drawUp asks the author for a draft, unless the ledger holds the answer.
func (in *InstantiateInput) drawUp(ctx context.Context, w *item) error {
	last := in.broken(w)
	w.draft, w.task, w.mutants, w.problems = nil, nil, nil, nil
	w.outcome = Outcome{
		Task: w.id, Candidate: w.candidate, Attempt: w.attempt, Sequence: w.choice.Sequence,
		Seed: in.seed("draft", w), Review: []role.Finding{}, Verifier: []role.Attempt{},
	}
	answer, err := in.answer(ctx, w, last)
	if err != nil {
		return fmt.Errorf("draft %s: %w", w.id, err)
	}
	if w.draft = answer.Draft; w.draft == nil {
		w.outcome.Failed, w.outcome.Reason, w.outcome.Raw = CheckDraft, answer.Reason, answer.Raw
	}
	return nil
}

// answer is what the author says, always read back from JSON: the rest of the
// work does not see whether it was just made or kept.
func (in *InstantiateInput) answer(ctx context.Context, w *item, last broken) (drafted, error) {
	var out drafted
	value, err := paid(in.Ledger, in.keyOf("draft", w, w.outcome.Seed, last.problem), func() (json.RawMessage, error) {
		d, err := in.draft(ctx, w, last)
		_, raw, useless := llm.NoAnswer(err)
		if useless || errors.Is(err, role.ErrUnbuildable) {
			return json.Marshal(drafted{Reason: err.Error(), Raw: raw})
		}
		if err != nil {
			return nil, err
		}
		return json.Marshal(drafted{Draft: d})
	})
	if err != nil {
		return out, err
	}
	return out, decode(value, &out)
}

// draft has the last draft repaired, or a new one made.
func (in *InstantiateInput) draft(ctx context.Context, w *item, last broken) (*role.Draft, error) {
	if last.draft != nil {
		return in.Author.(role.Repairer).Repair(ctx, last.draft, last.problem, w.outcome.Seed)
	}
	return in.Author.Draft(ctx, w.id, w.choice.Sequence, w.outcome.Seed)
}

// seed derives the seed of a purpose for the present attempt.
func (in *InstantiateInput) seed(purpose string, w *item) uint64 {
	return derive(in.Seed, purpose+"/"+w.id+"/"+strconv.Itoa(w.candidate), w.attempt)
}

func (in *InstantiateInput) tell(ctx context.Context, w *item) error {
	t, err := in.Author.Tell(ctx, w.draft, in.seed("tell", w))
	if errors.Is(err, role.ErrUnbuildable) {
		w.outcome.Failed, w.outcome.Reason = CheckDraft, err.Error()
		return in.Ledger.Record(w.outcome)
	}
	if err != nil {
		return fmt.Errorf("put %s into words: %w", w.id, err)
	}
	Mark(&t, in.Canary)
	w.task, w.outcome.Hash = &t, ContentHash(&t)
	return nil
}

// Mark puts a canary where neither agent nor user sees it: into the notes of the
// task's description.
func Mark(t *tau.Task, canary string) {
	own := tau.Description{}
	if t.Description != nil {
		own = *t.Description
	}
	notes := canary
	if n := own.Notes; n != nil && *n != "" {
		notes = *n + "\n" + canary
	}
	own.Notes, t.Description = &notes, &own
}

// next decides how an item goes on after a round: it is made, or tried again,
// or gets another sequence, or is given up.
func (in *InstantiateInput) next(ctx context.Context, w *item) error {
	if w.outcome.Failed == "" {
		w.made = &Made{Task: *w.task, Meta: w.draft.Meta, Choice: w.choice, Outcome: w.outcome, Mutants: w.mutants}
		return nil
	}
	if w.attempt = in.again(w); w.attempt < in.Settings.attempts() {
		return nil
	}
	w.candidate, w.attempt = w.candidate+1, 0
	if w.candidate == in.Settings.Candidates {
		w.given = true
		return nil
	}
	choice, ok, err := in.Selector.Next(ctx, w.choice)
	w.choice, w.given = choice, !ok
	return err
}

// again is the next attempt with a sequence, as many as there are attempts if
// there is none. That an author without a memory finds no draft settles the
// sequence; one that repairs begins anew.
func (in *InstantiateInput) again(w *item) int {
	if w.outcome.Failed != CheckDraft {
		return w.attempt + 1
	}
	if _, ok := in.Author.(role.Repairer); ok {
		return in.Settings.fresh(w.attempt)
	}
	return in.Settings.attempts()
}
