package llm

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"
)

// Limits of one provider and key. Zero fields have defaults.
type Limits struct {
	RequestsPerMinute int
	TokensPerMinute   int
	MaxInFlight       int // calls at a time; 0: 32
}

// Limiter keeps all calls that share it within limits. They start in the order
// in which they came, evenly spread over the minute. When the provider asks to
// wait, all wait, and afterwards half as many calls are let in flight; with
// each round of answers their number grows by one, up to the limit.
type Limiter struct {
	limits Limits
	now    Clock

	mu       sync.Mutex
	flying   int
	width    float64         // how many may fly
	queue    []chan struct{} // who waits for a place, in order
	request  time.Time       // when the next request may start
	tokens   time.Time       // when the next token may be sent
	closed   time.Time       // until when all wait
	narrowed time.Time       // when width was last halved
	backoff  time.Duration   // for the next provider that does not say how long to wait
}

// NewLimiter makes a limiter; now is the clock.
func NewLimiter(l Limits, now Clock) *Limiter {
	l.MaxInFlight = cmp.Or(l.MaxInFlight, 32)
	return &Limiter{limits: l, now: now, width: float64(l.MaxInFlight), backoff: firstWait}
}

// Limit makes m's calls wait for their turn.
func (l *Limiter) Limit(m Model) Model {
	return &decorated{m, func(ctx context.Context, r *Request) (*Response, error) {
		if err := l.enter(ctx); err != nil {
			return nil, err
		}
		defer l.leave()
		guess := Guess(r)
		if err := l.wait(ctx, guess); err != nil {
			return nil, err
		}
		start := l.now()
		res, err := m.Call(ctx, r)
		l.learn(start, guess, res, err)
		return res, err
	}}
}

// enter takes a place in flight, in order of arrival.
func (l *Limiter) enter(ctx context.Context) error {
	l.mu.Lock()
	turn := make(chan struct{})
	l.queue = append(l.queue, turn)
	l.admit()
	l.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		l.forgo(turn)
		return ctx.Err()
	}
}

// admit lets in whoever is next, while there are places.
func (l *Limiter) admit() {
	for len(l.queue) > 0 && l.flying < int(l.width) {
		l.flying++
		close(l.queue[0])
		l.queue = l.queue[1:]
	}
}

// forgo gives up a place in the queue, or one in flight that was just given.
func (l *Limiter) forgo(turn chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, t := range l.queue {
		if t == turn {
			l.queue = append(l.queue[:i:i], l.queue[i+1:]...)
			return
		}
	}
	l.flying--
	l.admit()
}

func (l *Limiter) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flying--
	l.admit()
}

// wait waits for a start within the limits per minute, and until the provider
// wants no more peace.
func (l *Limiter) wait(ctx context.Context, u Usage) error {
	start := l.book(u)
	for {
		l.mu.Lock()
		d := max(start.Sub(l.now()), l.closed.Sub(l.now()))
		l.mu.Unlock()
		if d <= 0 {
			return ctx.Err()
		}
		if err := sleep(ctx, d); err != nil {
			return err
		}
	}
}

// book takes a call's share of the minute and returns when it may start.
func (l *Limiter) book(u Usage) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	start := l.now()
	if l.request.After(start) {
		start = l.request
	}
	if l.tokens.After(start) {
		start = l.tokens
	}
	l.request = start.Add(share(1, l.limits.RequestsPerMinute))
	l.tokens = start.Add(share(u.Input+u.Output, l.limits.TokensPerMinute))
	return start
}

// share is how much of a minute n of so many take; 0 without a limit.
func share(n int64, perMinute int) time.Duration {
	if perMinute <= 0 {
		return 0
	}
	return time.Duration(float64(n) / float64(perMinute) * float64(time.Minute))
}

// learn corrects by what a call that started at start took what was guessed
// beforehand, and adapts to how it ended.
func (l *Limiter) learn(start time.Time, guess Usage, res *Response, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, failed := errors.AsType[*Error](err)
	switch {
	case err == nil:
		spare := guess.Input + guess.Output - res.Usage.Input - res.Usage.Output
		l.tokens = l.tokens.Add(-share(spare, l.limits.TokensPerMinute))
		l.width = min(l.width+1/l.width, float64(l.limits.MaxInFlight))
		l.backoff = firstWait
	case failed && e.Class == RateLimited:
		l.narrow(start, e.RetryAfter)
	case failed && e.RetryAfter > 0:
		l.shut(e.RetryAfter)
	}
}

// narrow halves the number of calls in flight, once for all that started
// before it was last halved.
func (l *Limiter) narrow(start time.Time, pause time.Duration) {
	if !start.After(l.narrowed) && !l.narrowed.IsZero() {
		l.shut(pause)
		return
	}
	l.narrowed = l.now()
	l.width = max(l.width/2, 1)
	if pause == 0 {
		pause = l.backoff
		l.backoff = min(2*l.backoff, longestWait)
	}
	l.shut(pause)
}

// shut has all calls wait for a while from now.
func (l *Limiter) shut(d time.Duration) {
	if until := l.now().Add(d); until.After(l.closed) {
		l.closed = until
	}
}
