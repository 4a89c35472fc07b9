package llm

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// Retries says how failures are met. Zero fields have defaults.
type Retries struct {
	Tries    int           // of a call, those that were asked to wait apart; 0: 6
	Patience time.Duration // for which a call may be asked to wait, in all; 0: an hour
	Notify   func(err *Error, wait time.Duration)
}

// Waits between tries: as long as the provider says, at least the first time
// firstWait and twice as long each further time, up to longestWait.
const (
	firstWait   = time.Second
	longestWait = time.Minute
)

// Retry repeats calls that failed for a while: see Error.Temporary. Any other
// failure is passed on at once. A provider that asks to wait is waited for as
// long as Patience lasts, and this is not counted as a try.
func Retry(m Model, p Retries) Model {
	return &decorated{m, func(ctx context.Context, r *Request) (*Response, error) {
		wait, waited := firstWait, time.Duration(0)
		for left := cmp.Or(p.Tries, 6); ; {
			res, err := m.Call(ctx, r)
			e, ok := errors.AsType[*Error](err)
			if err == nil || !ok || !e.Temporary() || ctx.Err() != nil {
				return res, err
			}
			pause := max(wait, e.RetryAfter)
			if e.Class == RateLimited {
				waited += pause
			} else {
				left--
			}
			if left <= 0 || waited > cmp.Or(p.Patience, time.Hour) {
				return nil, err
			}
			if p.Notify != nil {
				p.Notify(e, pause)
			}
			if err := sleep(ctx, pause); err != nil {
				return nil, err
			}
			wait = min(2*wait, longestWait)
		}
	}}
}
