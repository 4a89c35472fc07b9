package synth

import (
	"errors"
	"fmt"
	"slices"

	"taste/llm"
	"taste/role"
)

// streak counts, for each check, the attempts in a row that failed it for want of
// a usable answer; attempts that did not come that far leave it as it is. It is
// told of attempts in an order that depends on outcomes alone.
type streak struct{ draft, review, verifier llm.Streak }

// add takes up an attempt; one too many is an error that wraps llm.ErrUseless.
func (s *streak) add(o *Outcome) error {
	var all []error
	for _, c := range []struct {
		check Check
		row   *llm.Streak
		doing string
	}{{CheckDraft, &s.draft, "draft"}, {CheckReview, &s.review, "check"}, {CheckVerifier, &s.verifier, "check"}} {
		switch {
		case o.Failed == c.check && o.useless():
			if err := c.row.Add(errors.New(o.Reason)); err != nil {
				all = append(all, fmt.Errorf("%s %s: %w", c.doing, o.Task, err))
			}
		case o.asked(c.check):
			all = append(all, c.row.Add(nil))
		}
	}
	return errors.Join(all...)
}

// asked tells whether an attempt certainly came to a check.
func (o *Outcome) asked(c Check) bool {
	switch c {
	case CheckVerifier:
		return o.Failed == c || o.Failed == ""
	case CheckReview:
		return o.Failed == c || o.Failed == CheckVerifier || o.Failed == ""
	}
	return true
}

// useless tells whether an attempt failed because a model gave no usable answer.
func (o *Outcome) useless() bool {
	switch o.Failed {
	case CheckReview:
		return o.Raw != nil || slices.ContainsFunc(o.Review, func(f role.Finding) bool { return f.Severity == role.Critical && f.Raw != nil })
	case CheckVerifier:
		return len(o.Verifier) > 0 && !slices.ContainsFunc(o.Verifier, func(a role.Attempt) bool { return !a.Broken })
	}
	return o.Failed != "" && o.Raw != nil
}

// failUnusable fails a check for want of a usable answer; other errors are
// returned.
func (w *item) failUnusable(c Check, err error) error {
	_, raw, ok := llm.NoAnswer(err)
	if !ok {
		return err
	}
	w.fail(c, "%v", err)
	w.outcome.Raw = raw
	return nil
}
