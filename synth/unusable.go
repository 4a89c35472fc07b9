package synth

import (
	"errors"
	"fmt"
	"slices"

	"taste/internal/hint"
	"taste/llm"
	"taste/role"
)

// ErrUseless says that models that make or check tasks give no usable answers.
var ErrUseless = errors.New("the models give no usable answers")

// mostUseless is how many attempts at a task in a row may fail for want of a
// usable answer.
const mostUseless = 20

// streak counts, for each check, the attempts in a row that failed it for want of
// a usable answer; attempts that did not come that far leave it as it is. It is
// told of attempts in an order that depends on outcomes alone.
type streak map[Check]int

// add takes up an attempt; one too many is an error that wraps ErrUseless.
func (s streak) add(o *Outcome) error {
	for _, c := range []Check{CheckDraft, CheckReview, CheckVerifier} {
		switch {
		case o.Failed == c && o.useless():
			s[c]++
		case o.asked(c):
			s[c] = 0
		}
		if s[c] >= mostUseless {
			return hint.Add(fmt.Errorf("%w: %d attempts in a row ended so, the last of %s at the %s: %s", ErrUseless, s[c], o.Task, c, o.Reason),
				"try what the model of that role answers; what it was asked and said is kept with the run, so begin another one after a change")
		}
	}
	return nil
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

// unusable tells whether an error says no more than that a model gave no usable
// answer about one item, and what it did answer. Other errors of models (no
// connection, no right, no budget left) end the stage: it is gone on with later.
func unusable(err error) (raw []string, ok bool) {
	if u, ok := errors.AsType[*llm.Unusable](err); ok {
		return u.Answers, true
	}
	switch llm.ClassOf(err) {
	case llm.TooLong, llm.Blocked, llm.Malformed:
		return nil, true
	}
	return nil, false
}

// failUnusable fails a check for want of a usable answer; other errors are
// returned.
func (w *item) failUnusable(c Check, err error) error {
	raw, ok := unusable(err)
	if !ok {
		return err
	}
	w.fail(c, "%v", err)
	w.outcome.Raw = raw
	return nil
}
