package synth

import (
	"errors"

	"taste/llm"
)

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
