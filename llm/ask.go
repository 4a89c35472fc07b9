package llm

import (
	"context"
	"errors"
	"fmt"
)

// Exchange is what was said until an answer was usable, or until no more was tried.
type Exchange struct {
	Answers []string // raw, in order; the last is the usable one, if any is
	Faults  []string // what was wrong with each answer but a usable one
	Usage   Usage    // of all calls
}

// Unusable says that no answer was what it had to be. The raw answers are kept.
type Unusable struct {
	Model   string
	Label   Label
	Answers []string
	Why     error // what is wrong with the last one
}

func (e *Unusable) Error() string {
	return fmt.Sprintf("ask %s: no usable answer in %d tries: %v", e.Model, len(e.Answers), e.Why)
}

func (e *Unusable) Unwrap() error { return e.Why }

// Ask calls until the answer is JSON of r.Schema, bare or fenced, that T takes
// and check (which may be nil) accepts: at most tries times. Each further call
// appends the answer and what is wrong with it, check's words included. After the last
// try the error is *Unusable; other errors are the model's. The exchange is never nil.
func Ask[T any](ctx context.Context, m Model, r Request, tries int, check func(*T) error) (*T, *Exchange, error) {
	_, _, _, _, _ = ctx, m, r, tries, check
	return nil, &Exchange{}, errors.ErrUnsupported
}

// SchemaInstruction is what an adapter adds to the system text where the
// provider does not take schemas.
func SchemaInstruction(s *Schema) string {
	return "Answer with one JSON value and nothing else: no explanation and no code fence. It has to fit this JSON schema:\n" + string(s.JSON)
}
