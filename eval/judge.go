package eval

import (
	"context"
	"slices"

	"taste/chat"
	"taste/tau"
)

// Judge decides on assertions in words. It is asked about one conversation at a
// time and may be asked from many goroutines.
type Judge interface {
	// Decide returns a verdict on each assertion, in order. What it returns
	// with an error counts for nothing.
	Decide(ctx context.Context, messages []chat.Message, assertions []string) ([]Verdict, error)
}

// Decide asks the judge where a score waits for its word: about a finished
// conversation whose task's reward rests on assertions in words. A judge that
// fails leaves the conversation as it is, unjudged for that reason; only a
// cancelled ctx is an error.
func (c *Conversation) Decide(ctx context.Context, j Judge, t *tau.Task) error {
	crit := t.EvaluationCriteria
	if !c.finished() || crit == nil || len(crit.NLAssertions) == 0 || !slices.Contains(crit.RewardBasis, tau.NLAssertion) {
		return nil
	}
	verdicts, err := j.Decide(ctx, c.Messages, crit.NLAssertions)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		c.Verdicts, c.Unjudged = nil, "the judge failed: "+err.Error()
		return nil
	}
	c.Verdicts, c.Unjudged = verdicts, ""
	return nil
}
