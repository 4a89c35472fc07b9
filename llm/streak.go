package llm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"taste/internal/hint"
)

// ErrUseless says that models came to nothing many times in a row.
var ErrUseless = errors.New("the model is of no use")

// mostUseless is how many times in a row a model may come to nothing before it is held
// for one that can do no better.
const mostUseless = 20

// Streak counts how many times in a row something came to nothing. The zero value is
// ready; it is safe for concurrent use.
type Streak struct{ row atomic.Int64 }

// Add takes up one more time: why it came to nothing, or nil. One too many in a row is
// an error that wraps ErrUseless and why.
func (s *Streak) Add(why error) error {
	if why == nil {
		s.row.Store(0)
		return nil
	}
	n := s.row.Add(1)
	if n < mostUseless {
		return nil
	}
	return hint.Add(fmt.Errorf("%w: %d times in a row nothing came of what it was asked, the last: %w", ErrUseless, n, why),
		"try what the model answers, and its settings (docs/llm.md); what it was asked and said is kept with the run, so begin another one after a change")
}

// Refusals makes the last of many failures in a row that were each put down to the
// request (see Error.Own) one that says that no request is taken: Refused. What a wrong
// setting spoils, it spoils for all requests of a kind, which have the same schema.
func Refusals(m Model) Model {
	var kinds sync.Map // of *Streak, by the schema's name
	return &decorated{m, func(ctx context.Context, r *Request) (*Response, error) {
		res, err := m.Call(ctx, r)
		e, ok := errors.AsType[*Error](err)
		if err != nil && !(ok && e.Own()) {
			return nil, err
		}
		kind := ""
		if r.Schema != nil {
			kind = r.Schema.Name
		}
		row, _ := kinds.LoadOrStore(kind, &Streak{})
		if many := row.(*Streak).Add(err); many != nil {
			return nil, &Error{Class: Refused, Model: e.Model, Status: e.Status, Err: many}
		}
		return res, err
	}}
}
