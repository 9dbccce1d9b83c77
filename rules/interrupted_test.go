package rules

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// ending is a context that ends after a number of calls of Err.
type ending struct {
	context.Context
	left atomic.Int64
}

func (c *ending) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// endingAfter returns a context that ends after n calls of Err.
func endingAfter(n int64) *ending {
	c := &ending{Context: context.Background()}
	c.left.Store(n)
	return c
}

// TestClusteringEndsWithTheContext: whenever the context ends, every initialiser returns its error and
// examines at most the pieces of the samples that were begun.
func TestClusteringEndsWithTheContext(t *testing.T) {
	x, y := table(3*blockRows, 3)
	for n := range y {
		y[n] = float64(n % 2)
	}
	for name, initialise := range map[string]Initialiser{"fcm": FuzzyCMeans, "kmeans": KMeans, "by class": KMeansByClass, "genfis": GenFIS, "one-feature": OneFeature} {
		const plenty = 1 << 40
		all := endingAfter(plenty)
		must(initialise(all, Samples{X: x, Y: y}, 5, rng(1)))
		calls := plenty - all.left.Load()
		if least := int64(2 * len(x[0])); name == "one-feature" && calls < least || name != "one-feature" && calls < int64(len(x)/pieceRows) {
			t.Errorf("%s checks the context %d times", name, calls)
		}
		for _, after := range []int64{0, 1, calls / 2, calls - 1} {
			ctx := endingAfter(after)
			c, err := initialise(ctx, Samples{X: x, Y: y}, 5, rng(1))
			if c != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%s, the context ends after %d of %d checks: %v", name, after, calls, err)
			}
			if more := -ctx.left.Load(); more > 3*3+2 { // each worker ends its blocks, of which there are three
				t.Errorf("%s: %d checks after the end of the context", name, more)
			}
		}
	}
}
