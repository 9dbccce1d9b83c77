package rules

import (
	"context"
	"fmt"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/parallel"
)

// blockRows is the number of samples that a goroutine processes at a time. It determines
// the last bits of sums over all samples, which are sums over blocks. Smaller blocks
// balance the load better but add sequential work.
const blockRows = 2048

// pieceRows is the number of samples of a block between two checks of the context.
const pieceRows = 128

// interrupted returns the error of work whose context has ended, nil before.
func interrupted(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("interrupted while the rules were computed: %w", err)
	}
	return nil
}

// sumUntil is sumBlocks that ends early, with an error, when ctx ends. add is called several times for
// a block, in the order of the samples.
func sumUntil(ctx context.Context, n, width int, add func(sum []float64, start, end int)) ([]float64, error) {
	sums := sumBlocks(n, width, func(sum []float64, start, end int) {
		for ; start < end && ctx.Err() == nil; start += pieceRows {
			add(sum, start, min(start+pieceRows, end))
		}
	})
	return sums, interrupted(ctx)
}

// sumBlocks returns sums [width] over n samples: add adds the samples from start up to end
// to sum [width]. Blocks run concurrently, each with its own sum, and the sums are added
// in the order of the blocks: the result is the same to the bit for any number of
// workers. There is one sum per worker, independent of the number of blocks.
func sumBlocks(n, width int, add func(sum []float64, start, end int)) []float64 {
	total := make([]float64, width)
	var mu sync.Mutex     // guards what follows, and total
	var spare [][]float64 // sums not in use by a block
	turn := sync.NewCond(&mu)
	next := 0 // block to be added next
	parallel.For(n, blockRows, func(block, start, end int) {
		sum := total
		if block > 0 {
			mu.Lock()
			if k := len(spare) - 1; k >= 0 {
				sum, spare = spare[k], spare[:k]
				clear(sum)
			} else {
				sum = make([]float64, width)
			}
			mu.Unlock()
		}
		add(sum, start, end)
		mu.Lock()
		defer mu.Unlock()
		for next != block { // blocks start in order: the next one is already running
			turn.Wait()
		}
		if block > 0 {
			for i, v := range sum {
				total[i] += v
			}
			spare = append(spare, sum)
		}
		next++
		turn.Broadcast()
	})
	return total
}
