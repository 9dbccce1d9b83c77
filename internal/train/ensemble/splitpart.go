package ensemble

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// splitsOf returns the splits of a race on a training part; nil if it has fewer than three samples.
func splitsOf(r recipe.Recipe, train *data.Dataset) []data.Fold {
	return train.HoldOut(r.Train.RaceSplits, heldOutShare(train.Len()), rand.New(rand.NewPCG(r.Train.Seed, raceStream)))
}

// splitPart is a split of the training part that is ready for trials.
type splitPart struct {
	on   *fit.TrainingSet
	held *data.Dataset // weighed
	unit float64       // of the errors on the held-out samples
}

// prepareSplit prepares a split with the preprocessing of the recipe, which settings do not
// change. It returns nil if the split cannot be trained on.
func prepareSplit(ctx context.Context, train *data.Dataset, split data.Fold, r recipe.Recipe) (*splitPart, error) {
	on, err := fit.PrepareSubset(ctx, train, split.Train, r)
	if errors.As(err, new(*data.Error)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	held, err := train.Subset(split.Held).Weighed()
	if err != nil {
		return nil, err
	}
	return &splitPart{on, held, errorUnit(train)}, nil
}

// trial trains by the recipe of a candidate and computes the losses on the held-out samples, of
// the model and of its strongest rule read alone.
func (p *splitPart) trial(ctx context.Context, r recipe.Recipe, slot *checkpoint.Slot) (o Outcome, err error) {
	r.Train.Patience, r.Train.Members, r.Model.Neighbours = 0, 1, recipe.NoNeighbours
	result, err := fit.TrainOn(ctx, p.on, nil, fit.Job{Recipe: r, Slot: slot, Unmeasured: true})
	if errors.Is(err, optim.ErrDiverged) {
		return Outcome{Failed: err.Error()}, nil
	}
	if err != nil {
		return o, err
	}
	o.Model = result.Model
	o.Losses, o.Alone, err = model.HeldOutLosses(ctx, o.Model, p.held, p.unit)
	return o, err
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
