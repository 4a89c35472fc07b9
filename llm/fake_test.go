package llm

import (
	"context"
	"sync"
	"time"

	"taste/chat"
)

// fake is a model that takes a while and answers as told. It keeps when calls
// came, since it was made.
type fake struct {
	name   string
	takes  time.Duration
	answer func(n int) (*Response, error) // to the n-th call, from 0
	begun  time.Time

	mu     sync.Mutex
	starts []time.Duration
	flying int
	most   int // calls in flight at a time
}

func newFake(takes time.Duration, answer func(n int) (*Response, error)) *fake {
	return &fake{name: "test/m", takes: takes, answer: answer, begun: time.Now()}
}

func (f *fake) Name() string { return f.name }

func (f *fake) Call(ctx context.Context, _ *Request) (*Response, error) {
	f.mu.Lock()
	n := len(f.starts)
	f.starts = append(f.starts, time.Since(f.begun))
	f.flying++
	f.most = max(f.most, f.flying)
	f.mu.Unlock()
	err := sleep(ctx, f.takes)
	f.mu.Lock()
	f.flying--
	f.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return f.answer(n)
}

func fine(int) (*Response, error) { return says("ok"), nil }

func fails(c Class, after time.Duration) error {
	return &Error{Class: c, Model: "test/m", RetryAfter: after}
}

// failing fails the first calls with the errors given, then answers.
func failing(errs ...error) func(int) (*Response, error) {
	return func(n int) (*Response, error) {
		if n < len(errs) {
			return nil, errs[n]
		}
		return says("ok"), nil
	}
}

func hello() *Request {
	return &Request{Messages: []Message{{Role: chat.User, Text: "hello"}}, MaxTokens: 10}
}

// together makes n calls at once and returns their errors.
func together(m Model, n int) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { _, errs[i] = m.Call(context.Background(), hello()) })
	}
	wg.Wait()
	return errs
}

const second = time.Second
