package llm

import (
	"context"
	"fmt"
	"time"
)

// Timeout breaks each call off that takes longer than d, mid-request. The
// caller's own deadline stays what it is: its end is no TimedOut.
func Timeout(m Model, d time.Duration) Model {
	return &decorated{m, func(ctx context.Context, r *Request) (*Response, error) {
		inner, cancel := context.WithTimeout(ctx, d)
		defer cancel()
		res, err := m.Call(inner, r)
		if err != nil && inner.Err() != nil && ctx.Err() == nil {
			return nil, &Error{Class: TimedOut, Model: m.Name(), Message: fmt.Sprintf("no answer within %s", d), Err: err}
		}
		return res, err
	}}
}
