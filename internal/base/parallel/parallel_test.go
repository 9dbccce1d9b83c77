package parallel

import (
	"runtime"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestFor checks that each row is in one block of the given size, for any number of workers.
func TestFor(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		before := runtime.GOMAXPROCS(workers)
		for _, n := range []int{0, 1, 9, 10, 11, 100, 1001} {
			rows, ends := make([]int, n), make([]int, Blocks(n, 10))
			For(n, 10, func(block, start, end int) {
				testenv.Equal(t, start, 10*block, "block %d starts", block)
				for i := start; i < end; i++ {
					rows[i]++
				}
				ends[block] = end
			})
			if slices.ContainsFunc(rows, func(times int) bool { return times != 1 }) {
				t.Errorf("%d rows, %d workers: not each once: %v", n, workers, rows)
			}
			if n > 0 && ends[len(ends)-1] != n {
				t.Errorf("%d rows, %d workers: blocks end at %v", n, workers, ends)
			}
		}
		runtime.GOMAXPROCS(before)
	}
}

// TestEach checks that each job runs once.
func TestEach(t *testing.T) {
	done := make([]int, 100)
	Each(len(done), func(i int) { done[i]++ })
	if slices.ContainsFunc(done, func(times int) bool { return times != 1 }) {
		t.Errorf("not each once: %v", done)
	}
}
