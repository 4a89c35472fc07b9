package llm

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// Behaviour 24: each class of failure has its own answer.
func TestRetryByClass(t *testing.T) {
	for _, c := range []struct {
		class Class
		calls int // that are made of a model that fails each time
	}{
		{Overloaded, 6},
		{TimedOut, 6},
		{Network, 6},
		{Cut, 6},
		{TooLong, 1},
		{Auth, 1},
		{BadRequest, 1},
		{Blocked, 1},
		{Malformed, 1},
		{OverBudget, 1},
		{Miss, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake(0, func(int) (*Response, error) { return nil, fails(c.class, 0) })
			_, err := Retry(f, Retries{}).Call(t.Context(), hello())
			if ClassOf(err) != c.class || len(f.starts) != c.calls {
				t.Errorf("%s: %d calls, then %v", c.class, len(f.starts), err)
			}
		})
	}
}

func TestRetryWaitsLongerEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(0, failing(fails(Overloaded, 0), fails(Network, 0), fails(Overloaded, 9*second), fails(Cut, 0)))
		var told []time.Duration
		m := Retry(f, Retries{Notify: func(_ *Error, wait time.Duration) { told = append(told, wait) }})
		if _, err := m.Call(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
		if want := []time.Duration{0, 1 * second, 3 * second, 12 * second, 20 * second}; !slices.Equal(f.starts, want) {
			t.Errorf("tried at %v, want %v", f.starts, want)
		}
		if want := []time.Duration{1 * second, 2 * second, 9 * second, 8 * second}; !slices.Equal(told, want) {
			t.Errorf("told of waits %v, want %v", told, want)
		}
	})
}

// Being asked to wait is no failed try, but patience ends.
func TestRetryPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(0, func(int) (*Response, error) { return nil, fails(RateLimited, 7*second) })
		_, err := Retry(f, Retries{Tries: 2, Patience: time.Minute}).Call(t.Context(), hello())
		if ClassOf(err) != RateLimited {
			t.Fatal(err)
		}
		// 3 waits of 7 s, then the waits of our own are longer: 8 s, 16 s.
		if got := f.starts[len(f.starts)-1]; len(f.starts) != 6 || got != 45*second {
			t.Errorf("%d tries, the last after %s", len(f.starts), got)
		}
	})
}

func TestRetryEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(0, func(int) (*Response, error) { return nil, fails(Overloaded, 0) })
		ctx, cancel := context.WithTimeout(t.Context(), 2*second)
		defer cancel()
		_, err := Retry(f, Retries{}).Call(ctx, hello())
		if !errors.Is(err, context.DeadlineExceeded) || len(f.starts) != 2 {
			t.Errorf("%d calls, then %v", len(f.starts), err)
		}
	})
}

// Behaviour 24: a hang is broken off mid-request, and tried again.
func TestTimeoutFiresMidRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(time.Hour, fine)
		m := Retry(Timeout(f, 5*second), Retries{Tries: 2})
		_, err := m.Call(t.Context(), hello())
		if ClassOf(err) != TimedOut || !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if want := []time.Duration{0, 6 * second}; !slices.Equal(f.starts, want) {
			t.Errorf("tried at %v, want %v", f.starts, want)
		}
	})
}

func TestTimeoutLeavesTheCallersDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), second)
		defer cancel()
		_, err := Timeout(newFake(time.Hour, fine), 5*second).Call(ctx, hello())
		if !errors.Is(err, context.DeadlineExceeded) || ClassOf(err) != "" {
			t.Error(err)
		}
		if _, err := Timeout(newFake(second, fine), 5*second).Call(t.Context(), hello()); err != nil {
			t.Error(err)
		}
	})
}
