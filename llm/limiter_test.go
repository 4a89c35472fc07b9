package llm

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestLimiterSpreadsRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(0, fine)
		together(NewLimiter(Limits{RequestsPerMinute: 30}, time.Now).Limit(f), 4)
		if want := []time.Duration{0, 2 * second, 4 * second, 6 * second}; !slices.Equal(f.starts, want) {
			t.Errorf("started at %v, want %v", f.starts, want)
		}
	})
}

// A call's guess is 12 tokens, 2 in and 10 out; it takes 12 in the first case
// and 120 in the second, which later calls wait for.
func TestLimiterSpreadsTokens(t *testing.T) {
	for took, want := range map[int64][]time.Duration{
		12:  {0, 12 * second, 24 * second},
		120: {0, 120 * second, 240 * second},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(0, func(int) (*Response, error) { return &Response{Usage: Usage{Input: took}}, nil })
			m := NewLimiter(Limits{TokensPerMinute: 60}, time.Now).Limit(f)
			for range 3 {
				if _, err := m.Call(t.Context(), hello()); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(f.starts, want) {
				t.Errorf("started at %v, want %v", f.starts, want)
			}
		})
	}
}

func TestLimiterBoundsFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(second, fine)
		together(NewLimiter(Limits{MaxInFlight: 8}, time.Now).Limit(f), 64)
		if last := f.starts[63]; f.most != 8 || last != 7*second {
			t.Errorf("%d in flight, the last from %s", f.most, last)
		}
	})
}

// Behaviour 24: of 429 with Retry-After 7 every call of the provider takes
// heed, those too that were not refused.
func TestLimiterHonoursRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Limits{}, time.Now)
		f := newFake(0, failing(fails(RateLimited, 7*second)))
		g := newFake(0, fine)
		refused, other := Retry(l.Limit(f), Retries{}), Retry(l.Limit(g), Retries{})
		if _, err := refused.Call(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
		if want := []time.Duration{0, 7 * second}; !slices.Equal(f.starts, want) {
			t.Errorf("tried at %v, want %v", f.starts, want)
		}
		f.answer = failing(nil, nil, fails(RateLimited, 7*second))
		go func() { _, _ = refused.Call(t.Context(), hello()) }()
		time.Sleep(second)
		if _, err := other.Call(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
		if want := []time.Duration{14 * second}; !slices.Equal(g.starts, want) {
			t.Errorf("the other model was called at %v, want %v", g.starts, want)
		}
		time.Sleep(time.Minute)
	})
}

func TestLimiterHonoursOverloadedProviders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Limits{MaxInFlight: 4}, time.Now)
		f := newFake(0, failing(fails(Overloaded, 5*second)))
		m := l.Limit(f)
		_, _ = m.Call(t.Context(), hello())
		if _, err := m.Call(t.Context(), hello()); err != nil || f.starts[1] != 5*second || l.width != 4 {
			t.Errorf("called at %v, width %v, %v", f.starts, l.width, err)
		}
	})
}

// A round of refusals halves the width once, and answers widen it again.
func TestLimiterAdapts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Limits{MaxInFlight: 32}, time.Now)
		f := newFake(second, func(n int) (*Response, error) {
			if n < 32 {
				return nil, fails(RateLimited, 0)
			}
			return says("ok"), nil
		})
		m := l.Limit(f)
		together(m, 32)
		if l.width != 16 {
			t.Errorf("width %v after the refusals, want 16", l.width)
		}
		f.most = 0
		together(m, 16)
		if f.most != 16 || f.starts[32] != 2*second {
			t.Errorf("%d in flight from %s on, want 16 from 2s: a second's pause", f.most, f.starts[32])
		}
		if l.width < 16.9 || l.width > 17.1 {
			t.Errorf("width %v after a round of answers, want 17", l.width)
		}
		together(m, 1000)
		if l.width != 32 {
			t.Errorf("width %v in the end, want 32", l.width)
		}
	})
}

// With a provider that has had enough for long, pauses grow and one call at a time asks.
func TestLimiterGetsDownToOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Limits{MaxInFlight: 4}, time.Now)
		f := newFake(second, func(int) (*Response, error) { return nil, fails(RateLimited, 0) })
		m := l.Limit(f)
		for range 5 {
			_, _ = m.Call(t.Context(), hello())
		}
		if want := []time.Duration{0, 2 * second, 5 * second, 10 * second, 19 * second}; !slices.Equal(f.starts, want) || l.width != 1 {
			t.Errorf("called at %v, width %v", f.starts, l.width)
		}
	})
}

// Whoever gives up leaves no gap, neither in the queue nor in flight.
func TestLimiterForgetsTheImpatient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Limits{MaxInFlight: 1, RequestsPerMinute: 600}, time.Now)
		f := newFake(10*second, fine)
		m := l.Limit(f)
		go func() { _, _ = m.Call(t.Context(), hello()) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), second)
		defer cancel()
		if _, err := m.Call(ctx, hello()); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if _, err := m.Call(t.Context(), hello()); err != nil || len(f.starts) != 2 || f.starts[1] != 10*second {
			t.Errorf("called at %v, %v", f.starts, err)
		}
		if l.flying != 0 || len(l.queue) != 0 {
			t.Errorf("%d still in flight, %d in the queue", l.flying, len(l.queue))
		}
	})
}
