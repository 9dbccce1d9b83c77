// Package parallel runs jobs concurrently: blocks of the rows of a table, of a fixed size,
// or any list of jobs. The result of a block does not depend on the worker, so that results
// combined in the order of the blocks are the same for any number of workers.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Blocks returns the number of blocks of n rows, size rows each; the last may be
// shorter.
func Blocks(n, size int) int { return (n + size - 1) / size }

// For calls do once for each block of n rows, with the block's number and its rows
// [start, end), on at most GOMAXPROCS goroutines, and returns when all are done. A single
// block runs in the caller's goroutine.
func For(n, size int, do func(block, start, end int)) {
	blocks := Blocks(n, size)
	var taken atomic.Int64
	work := func() {
		for b := int(taken.Add(1)) - 1; b < blocks; b = int(taken.Add(1)) - 1 {
			do(b, b*size, min((b+1)*size, n))
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), blocks) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// Until is For that begins no further block once ctx has ended, and then returns its error.
func Until(ctx context.Context, n, size int, do func(block, start, end int)) error {
	For(n, size, func(block, start, end int) {
		if ctx.Err() == nil {
			do(block, start, end)
		}
	})
	return ctx.Err()
}

// Await calls do, which cannot be interrupted, and waits for it or for the end of ctx, whose error it then returns: do goes on, and what
// it uses must not change.
func Await(ctx context.Context, do func()) error {
	if err := ctx.Err(); err != nil || ctx.Done() == nil {
		if err == nil {
			do()
		}
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Each calls do once for each of 0 to n-1, on at most GOMAXPROCS goroutines, and returns
// when all are done.
func Each(n int, do func(i int)) { For(n, 1, func(i, _, _ int) { do(i) }) }
