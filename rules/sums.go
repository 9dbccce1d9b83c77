package rules

import (
	"sync"

	"github.com/tskgraph/tskgraph/internal/parallel"
)

// blockRows is how many samples a goroutine works on at a time. Sums over all
// samples are sums over blocks, so it decides their last bits. Smaller blocks share
// the work more evenly, but leave more to be done alone between two rounds.
const blockRows = 2048

// sumBlocks returns sums over n samples: add adds the samples from start up to end
// to sum [width]. Blocks are worked on at the same time, each on a sum of its own, and
// added up in order as they finish: the bits are the same whatever the number of
// workers, and there is one sum per worker, however many blocks there are.
func sumBlocks(n, width int, add func(sum []float64, start, end int)) []float64 {
	total := make([]float64, width)
	var mu sync.Mutex     // guards what follows, and total
	var spare [][]float64 // sums that no block is on
	turn := sync.NewCond(&mu)
	next := 0 // the block that is added next
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
		for next != block { // blocks are taken in order: the next one is under way
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
