package rules

import (
	"context"
	"fmt"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
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

// distances computes squared distances of samples from centers, a block of samples at a time, each summed in
// the order of the features.
type distances struct {
	packed [][]float64 // [R][M,2], each center as a Gaussian of [kernel.GaussianColumn] whose logarithm is minus the squared distance
	rooms  sync.Pool   // memory of blocks that are not in use
}

// newDistances returns the distances from centers [R*M] of M features, without samples.
func newDistances(centers []float64, M int) *distances {
	d := &distances{packed: matrix(len(centers)/M, 2*M)}
	for r, p := range d.packed {
		for m, v := range centers[r*M : (r+1)*M] {
			p[2*m], p[2*m+1] = v, 1
		}
	}
	return d
}

// blocks calls do for blocks of the samples x [N][M] with the number of the first sample and the squared distances d2 [R,B] of
// the B samples of the block. Several goroutines may call it.
func (d *distances) blocks(x [][]float64, do func(start int, d2 []float64, B int)) {
	R, M := len(d.packed), len(x[0])
	room, _ := d.rooms.Get().(*[]float64)
	if room == nil {
		room = new(make([]float64, (M+R)*EvaluatorRows))
	}
	defer d.rooms.Put(room)
	columnwise, d2 := (*room)[:M*EvaluatorRows], (*room)[M*EvaluatorRows:]
	for start := 0; start < len(x); start += EvaluatorRows {
		rows := x[start:min(start+EvaluatorRows, len(x))]
		B := len(rows)
		columns(columnwise[:M*B], rows, 0)
		for r, p := range d.packed {
			of := d2[r*B : (r+1)*B]
			kernel.GaussianColumn(of, columnwise[:M*B], p, B, M)
			for n, v := range of {
				of[n] = 0 - v // not -0
			}
		}
		do(start, d2[:R*B], B)
	}
}

// addWeighted adds the sums over samples of g u^2 x to sums [R*M] and of g u^2 to
// total [R], with weights g, in the order of the samples. It processes four samples at
// a time, which saves loads and stores.
func addWeighted(sums, total, g []float64, x, u [][]float64) {
	n := 0
	for ; n+4 <= len(x); n += 4 {
		M := len(x[n])
		x0, x1, x2, x3 := x[n], x[n+1][:M], x[n+2][:M], x[n+3][:M]
		g0, g1, g2, g3 := g[n], g[n+1], g[n+2], g[n+3]
		u0 := u[n]
		u1, u2, u3 := u[n+1][:len(u0)], u[n+2][:len(u0)], u[n+3][:len(u0)]
		for r, w0 := range u0 {
			w1, w2, w3 := u1[r], u2[r], u3[r]
			w0, w1, w2, w3 = float64(g0*(w0*w0)), float64(g1*(w1*w1)), float64(g2*(w2*w2)), float64(g3*(w3*w3))
			total[r] = total[r] + w0 + w1 + w2 + w3
			sum := sums[r*M:][:M]
			for m, v := range x0 {
				sum[m] = sum[m] + float64(w0*v) + float64(w1*x1[m]) + float64(w2*x2[m]) + float64(w3*x3[m])
			}
		}
	}
	for ; n < len(x); n++ {
		M := len(x[n])
		for r, w := range u[n] {
			w = float64(g[n] * (w * w))
			total[r] += w
			sum := sums[r*M:][:M]
			for m, v := range x[n] {
				sum[m] += float64(w * v)
			}
		}
	}
}
