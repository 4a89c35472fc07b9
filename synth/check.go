package synth

import (
	"context"
	"fmt"

	"taste/gates"
	"taste/role"
)

// Success is the reward from which an attempt counts as one.
const Success = 1 - 1e-6

// checks runs all checks of the items that have a task.
func (in *InstantiateInput) checks(ctx context.Context, open []*item) error {
	var told []*item
	for _, w := range open {
		if w.task != nil {
			told = append(told, w)
		}
	}
	in.Observer.Begin(stageName("check", open), len(told))
	passed := 0
	err := inOrder(ctx, in.Workers, len(told), func(ctx context.Context, i int) error {
		return in.check(ctx, told[i])
	}, func(i int) error {
		in.Observer.Advance(1)
		if told[i].outcome.Failed == "" {
			passed++
		}
		return in.Ledger.Record(told[i].outcome)
	})
	in.Observer.End(fmt.Sprintf("%d of %d pass", passed, len(told)))
	return err
}

// checked is what checks found out about a task.
type checked struct {
	Outcome  Outcome        `json:"outcome"`
	Mutants  []gates.Mutant `json:"mutants"`
	Problems []string       `json:"problems,omitempty"` // all that was found
}

// check runs reviewer, gates and verifier until one fails, unless the ledger
// knows what came of it.
func (in *InstantiateInput) check(ctx context.Context, w *item) error {
	key := in.keyOf("check", w, in.seed("verify", w), w.outcome.Hash)
	c, err := paid(in.Ledger, key, func() (checked, error) {
		err := in.tryAll(ctx, w)
		return checked{w.outcome, w.mutants, w.problems}, err
	})
	w.outcome, w.mutants, w.problems = c.Outcome, c.Mutants, c.Problems
	return err
}

func (in *InstantiateInput) tryAll(ctx context.Context, w *item) error {
	steps := []func(context.Context, *item) error{in.review, in.gate, in.verify}
	if _, costly := in.Gate.(*gates.Foreign); costly { // where models write, what costs nothing comes first
		steps[0], steps[1] = in.gate, in.review
	}
	for _, step := range steps {
		if err := step(ctx, w); err != nil {
			return fmt.Errorf("check %s: %w", w.id, err)
		}
		if w.outcome.Failed != "" {
			return nil
		}
	}
	return nil
}

func (o *Outcome) fail(c Check, format string, args ...any) {
	if o.Failed == "" {
		o.Failed, o.Reason = c, fmt.Sprintf(format, args...)
	}
}

// fail fails a check and keeps in words what it found: the outcome names the
// first fault, whoever repairs is told all.
func (w *item) fail(c Check, format string, args ...any) {
	w.outcome.fail(c, format, args...)
	w.problems = append(w.problems, fmt.Sprintf("%s: %s", c, fmt.Sprintf(format, args...)))
}

func (in *InstantiateInput) review(ctx context.Context, w *item) error {
	found, err := in.Reviewer.Review(ctx, w.task)
	if err != nil {
		return w.failUnusable(CheckReview, fmt.Errorf("review: %w", err))
	}
	w.outcome.Review = append(w.outcome.Review, found...)
	for _, f := range found {
		if f.Severity == role.Critical || f.Raw != nil { // without a usable answer nothing was reviewed
			w.fail(CheckReview, "%s: %s", f.Rule, f.Evidence)
		}
	}
	return nil
}

func (in *InstantiateInput) gate(_ context.Context, w *item) error {
	r, err := in.Gate.Check(w.task, &gates.Claims{Adds: w.draft.Meta.Adds, Untrue: w.evolved})
	if err != nil {
		return err
	}
	w.mutants = r.Mutants
	w.note(role.Minor, r.Warnings)
	w.note(role.Unchecked, r.Left)
	for _, f := range r.Failures {
		w.fail(CheckGates, "%s: %s", f.Rule, f.Evidence)
	}
	for _, f := range r.Unchecked {
		w.fail(CheckGates, "%s: not checked: %s", f.Rule, f.Evidence)
	}
	return nil
}

// note keeps what the gates say that is no failure.
func (w *item) note(s role.Severity, found []gates.Finding) {
	for _, f := range found {
		w.outcome.Review = append(w.outcome.Review, role.Finding{Severity: s, Rule: f.Rule, Evidence: f.Evidence})
	}
}

func (in *InstantiateInput) verify(ctx context.Context, w *item) error {
	attempts, err := in.Verifier.Verify(ctx, w.task, in.seed("verify", w))
	if err != nil {
		return w.failUnusable(CheckVerifier, fmt.Errorf("verify: %w", err))
	}
	w.outcome.Verifier = append(w.outcome.Verifier, attempts...)
	why := "no attempt was made"
	for _, a := range attempts {
		if a.Reward >= Success {
			return nil
		}
		why = a.Why
	}
	w.fail(CheckVerifier, "%s", why)
	return nil
}
