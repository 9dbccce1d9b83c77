package tune

import (
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/data"
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
