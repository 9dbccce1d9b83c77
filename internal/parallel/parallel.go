// Package parallel runs jobs side by side: work on the rows of a table in blocks of a
// fixed size, or any list of jobs. What a block gives does not depend on who computes
// it, so that results that are put together in the order of the blocks are the same
// whatever the number of workers.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Blocks returns the number of blocks of n rows, size rows each; the last may be
// shorter.
func Blocks(n, size int) int { return (n + size - 1) / size }

// For calls do once for each block of n rows, with the block's number and its rows
// from start up to end, on at most GOMAXPROCS goroutines, and returns when all are
// done. One block runs in the caller's goroutine.
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

// Each calls do for 0 to n-1, each once, on at most GOMAXPROCS goroutines, and returns
// when all are done.
func Each(n int, do func(i int)) { For(n, 1, func(i, _, _ int) { do(i) }) }
