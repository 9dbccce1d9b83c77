package ensemble

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/fit"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/recipe"
)

// trainOn trains the candidates left on split i, concurrently on all processors, the longest
// training first, with the preprocessing of the recipe, which settings do not change.
func (r *racer) trainOn(ctx context.Context, i int) error {
	split := r.splits[i]
	on, err := fit.PrepareSubset(ctx, r.train, split.Train, r.recipe)
	if fault := new(data.Error); errors.As(err, &fault) {
		return nil // skipped
	}
	if err != nil {
		return err
	}
	r.scored++
	part, err := r.train.Subset(split.Held).Weighed()
	if err != nil {
		return err
	}
	held := heldOut{part, errorUnit(r.train)}
	order := slices.SortedStableFunc(slices.Values(r.left), func(a, b *candidate) int {
		return cmp.Compare(samplesSeen(b.recipe.Train, len(split.Train)), samplesSeen(a.recipe.Train, len(split.Train)))
	})
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, c := range order {
		group.Go(func() error {
			defer r.progress.add()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			losses, alone, err := runJob(ctx, c.recipe, on, held, r.recorder, &c.jobs[i])
			if errors.Is(err, optim.ErrDiverged) {
				c.Failed, c.err = err.Error(), err
				return nil
			}
			if err != nil {
				return err
			}
			c.losses, c.alone = append(c.losses, losses), append(c.alone, alone)
			c.measure(r.criterion, held.unit)
			return nil
		})
	}
	return group.Wait()
}

// samplesSeen returns the number of samples in all updates of a training on N samples.
func samplesSeen(t recipe.Train, N int) int {
	if t.Batch == 0 {
		return t.Iterations * N
	}
	return t.Iterations * min(t.Batch, N)
}

// errorUnit returns the unit of errors whose second and fourth powers are summed: the range of the targets if powers of
// the errors could overflow or vanish, else one. The errors of several targets are in standard deviations.
func errorUnit(train *data.Dataset) float64 {
	const far = 1e50
	if len(train.Schema.Targets()) > 1 {
		return 1
	}
	if r := slices.Max(train.Y) - slices.Min(train.Y); r > far || r > 0 && r < 1/far {
		return r
	}
	return 1
}
