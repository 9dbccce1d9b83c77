package rules

import (
	"context"
	"errors"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/contexttest"
	"github.com/tskgraph/tskgraph/membership"
)

// TestClusteringEndsWithTheContext: whenever the context ends, every initialiser returns its error and
// examines at most the pieces of the samples that were begun.
func TestClusteringEndsWithTheContext(t *testing.T) {
	x, y := table(3*blockRows, 3)
	for n := range y {
		y[n] = float64(n % 2)
	}
	for name, initialise := range map[string]Initialiser{"fcm": FuzzyCMeans, "kmeans": KMeans, "by class": KMeansByClass, "genfis": GenFIS, "one-feature": OneFeature} {
		calls := contexttest.Checks(func(ctx context.Context) { must(initialise(ctx, Samples{X: x, Y: y}, 5, rng(1))) })
		if least := int64(2 * len(x[0])); name == "one-feature" && calls < least || name != "one-feature" && calls < int64(len(x)/pieceRows) {
			t.Errorf("%s checks the context %d times", name, calls)
		}
		for _, after := range []int64{0, 1, calls / 2, calls - 1} {
			ctx := contexttest.After(after)
			c, err := initialise(ctx, Samples{X: x, Y: y}, 5, rng(1))
			if c != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%s, the context ends after %d of %d checks: %v", name, after, calls, err)
			}
			if more := ctx.Late(); more > 3*3+2 { // each worker ends its blocks, of which there are three
				t.Errorf("%s: %d checks after the end of the context", name, more)
			}
		}
	}
}

// TestPassesEndWithTheContext: what follows training hears its context in every pass over the samples.
func TestPassesEndWithTheContext(t *testing.T) {
	x, y := table(3*blockRows, 3)
	rb := New(membership.Gaussian{}, must(KMeans(t.Context(), Samples{X: x, Y: y}, 4, rng(1))))
	for name, work := range map[string]func(context.Context) error{
		"WithoutIdle": func(ctx context.Context) error { _, err := WithoutIdle(ctx, rb, x); return err },
		"Prune":       func(ctx context.Context) error { _, _, err := Prune(ctx, rb, x, nil, 0.5, 0.9); return err },
		"PruneOne":    func(ctx context.Context) error { _, _, err := PruneOne(ctx, rb, x, y, nil, nil); return err },
	} {
		contexttest.Ends(t, name, 3, work)
	}
}
