package testenv

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// Ending is a context that ends after a number of calls of Err. Its Done is nil.
type Ending struct {
	context.Context
	left atomic.Int64
}

// EndAfter returns a context that ends after n calls of Err.
func EndAfter(n int64) *Ending {
	c := &Ending{Context: context.Background()}
	c.left.Store(n)
	return c
}

// Err counts the call.
func (c *Ending) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Late returns the number of calls of Err after the end.
func (c *Ending) Late() int64 { return max(0, -c.left.Load()) }

// ContextChecks returns how often work that is not interrupted calls Err.
func ContextChecks(work func(context.Context)) int64 {
	const plenty = 1 << 40
	c := EndAfter(plenty)
	work(c)
	return plenty - c.left.Load()
}

// EndsEarly checks that work checks its context at least so often, and that it returns the error of its context whenever that ends.
func EndsEarly(t testing.TB, name string, least int, work func(context.Context) error) {
	t.Helper()
	checks := ContextChecks(func(ctx context.Context) {
		if err := work(ctx); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	})
	if checks < int64(least) {
		t.Errorf("%s checks its context %d times, want %d at least", name, checks, least)
	}
	for _, after := range []int64{0, checks / 2, checks - 1} {
		if err := work(EndAfter(after)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, the context ends after %d of %d checks: %v", name, after, checks, err)
		}
	}
}
