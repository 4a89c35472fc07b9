package synth

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// inOrder does n pieces of work on the given number of goroutines, and ends
// each by calling done, for one after the other in order and from one
// goroutine. The first error ends everything.
func inOrder(ctx context.Context, workers, n int, work func(ctx context.Context, i int) error, done func(i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	next, ready := make(chan int, n), make([]chan struct{}, n)
	for i := range n {
		next <- i
		ready[i] = make(chan struct{})
	}
	close(next)
	for range min(workers, n) {
		group.Go(func() error {
			for i := range next {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := work(ctx, i); err != nil {
					return err
				}
				close(ready[i])
			}
			return nil
		})
	}
	group.Go(func() error {
		for i := range n {
			if err := await(ctx, ready[i]); err != nil {
				return err
			}
			if err := done(i); err != nil {
				return err
			}
		}
		return nil
	})
	return group.Wait()
}

// await waits for one piece of work. What is ready is ended even after a
// cancellation, so that its cost is not lost.
func await(ctx context.Context, ready <-chan struct{}) error {
	select {
	case <-ready:
		return nil
	default:
	}
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
