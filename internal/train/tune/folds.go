package tune

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/fit"
)

// foldStream separates the random stream of the folds from the others drawn from
// the same seed.
const foldStream = 0x666f6c6473 // "folds"

// divide returns the folds of every repeat, one repeat after the other.
func (o Options) divide(d *data.Dataset, seed uint64) ([]data.Fold, error) {
	of := *d
	of.Ordered = o.Split == splitChronological
	if err := of.Validate(); err != nil {
		return nil, err
	}
	var all []data.Fold
	for repeat := range o.Repeats {
		folds, err := of.Folds(o.Folds, rand.New(rand.NewPCG(seed, foldStream+uint64(repeat))))
		if err != nil {
			return nil, err
		}
		all = append(all, folds...)
	}
	return all, nil
}

// prepared is a fold with the prepared training part that all trials share: drawn keys do
// not change the preprocessing.
type prepared struct {
	training, held *data.Dataset
	set            *fit.TrainingSet
}

// prepare returns a function for each fold that prepares it at its first call, until ctx ends.
func prepare(ctx context.Context, d *data.Dataset, folds []data.Fold, base tskgraph.Recipe) []func() (prepared, error) {
	all := make([]func() (prepared, error), len(folds))
	for i, f := range folds {
		all[i] = sync.OnceValues(func() (prepared, error) {
			p := prepared{training: d.Subset(f.Train), held: d.Subset(f.Held)}
			var err error
			p.set, err = fit.PrepareSubset(ctx, d, f.Train, base)
			return p, err
		})
	}
	return all
}
