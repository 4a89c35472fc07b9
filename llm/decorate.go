package llm

import (
	"context"
	"time"
)

// Clock tells the time, as time.Now does. Waiting is done by deadlines of
// contexts, so that a test's fake clock (testing/synctest) rules over both.
type Clock func() time.Time

// decorated is a model whose calls go another way.
type decorated struct {
	Model
	call func(context.Context, *Request) (*Response, error)
}

func (d *decorated) Call(ctx context.Context, r *Request) (*Response, error) { return d.call(ctx, r) }

// sleep waits for d or the end of ctx, which is an error.
func sleep(ctx context.Context, d time.Duration) error {
	timer, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-timer.Done()
	return ctx.Err()
}
