package ensemble

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

const (
	// teachers is the number of members of the committee that teaches.
	teachers = 5

	// teacherFolds is the number of folds by which it predicts the training part: each sample by a committee that has not seen it.
	teacherFolds = 5

	// teacherHeld is the number of held-out samples that decide whether the teacher is kept, if the training part has enough.
	teacherHeld = 100

	// teacherStream separates the folds and held-out samples of a teacher from the other random streams of the same seed.
	teacherStream = 0x7465616368 // "teach"
)

// Teaching is what a teacher did, see recipe.CommitteeTeacher: the figures of the criterion on held-out samples with and without it.
type Teaching struct {
	Metric  string  `json:"metric"`
	With    float64 `json:"with"`
	Without float64 `json:"without"`
	Samples int     `json:"samples"` // held out
	Kept    bool    `json:"kept"`    // whether the model is taught: With is less than Without by more than 1%
}

// String describes the decision.
func (t Teaching) String() string {
	verb := "left out"
	if t.Kept {
		verb = "kept"
	}
	return fmt.Sprintf("teacher %s: held-out %s %.4g with it, %.4g without, on %d rows", verb, t.Metric, t.With, t.Without, t.Samples)
}

// teach prepares the training part for a single model by the first candidate. If the model errs less on held-out samples, by more than 1%,
// when it learns the mean of the target and of the prediction of a committee of the candidates with neighbours, which has not seen the
// sample, the set has these means as targets. Figures of the model remain those of the targets.
//
// It makes 53 trainings, or up to 107 where 100 samples are more than a fifth of the training part. They are not part of checkpoints.
func (run Run) teach(ctx context.Context, train *data.Dataset, candidates []recipe.Recipe) (*fit.TrainingSet, *Teaching, error) {
	criterion, err := model.CriterionOf(candidates[0].Train.Loss, train.Schema)
	if err != nil {
		return nil, nil, err
	}
	rng := rand.New(rand.NewPCG(candidates[0].Train.Seed, teacherStream))
	share := heldOutShare(train.Len())
	splits := train.HoldOut(int(math.Ceil(min(teacherHeld/(share*float64(train.Len())), 3))), share, rng)
	done := &Teaching{Metric: criterion.Name}
	var with, without []float64
	for _, split := range splits {
		part, err := prepareSplit(ctx, train, split, candidates[0])
		if err != nil {
			return nil, nil, err
		}
		if part == nil {
			continue
		}
		taught, err := run.taughtSet(ctx, part.on, train.Subset(split.Train), candidates, rng)
		if err != nil {
			return nil, nil, err
		}
		own, err := part.trial(ctx, candidates[0], nil)
		if err != nil {
			return nil, nil, err
		}
		part.on = taught
		o, err := part.trial(ctx, candidates[0], nil)
		if err != nil {
			return nil, nil, err
		}
		if own.Failed == "" && o.Failed == "" {
			without, with = append(without, own.Losses...), append(with, o.Losses...)
		}
	}
	set, err := fit.Prepare(ctx, train, candidates[0])
	if err != nil || len(with) == 0 {
		return set, nil, err
	}
	unit := errorUnit(train)
	done.With, done.Without = criterion.Figure(stat.Mean(with, nil), unit), criterion.Figure(stat.Mean(without, nil), unit)
	done.Samples, done.Kept = len(with), done.With < done.Without*(1-equalShare)
	if done.Kept {
		set, err = run.taughtSet(ctx, set, train, candidates, rng)
	}
	return set, done, err
}

// taughtSet returns the set of a training part with the means of the targets and of the committee's predictions as targets. Samples that
// no fold holds out, early ones in time order, keep their targets.
func (run Run) taughtSet(ctx context.Context, set *fit.TrainingSet, train *data.Dataset, candidates []recipe.Recipe, rng *rand.Rand) (
	*fit.TrainingSet, error) {
	folds, err := train.Folds(teacherFolds, rng)
	if err != nil {
		return nil, err
	}
	y := slices.Clone(train.Y)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, fold := range folds {
		group.Go(func() error {
			p, err := run.predicted(ctx, train, fold, candidates)
			for i, n := range fold.Held {
				if err == nil {
					y[n] = (y[n] + p[i]) / 2
				}
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("teacher: %w", err)
	}
	return set.WithTargets(y), nil
}

// predicted returns the predictions of a committee of the candidates, trained on a fold, on its held-out samples.
func (run Run) predicted(ctx context.Context, train *data.Dataset, fold data.Fold, candidates []recipe.Recipe) ([]float64, error) {
	part, err := train.Subset(fold.Train).Weighed()
	if err != nil {
		return nil, err
	}
	recorder, err := checkpoint.NewRecorder(checkpoint.Options{}, nil)
	if err != nil {
		return nil, err
	}
	members := make([]recipe.Recipe, len(candidates))
	for k, c := range candidates {
		c.Train.Members, c.Train.Patience, c.Model.Neighbours = teachers, 0, recipe.AutoNeighbours
		members[k] = c
	}
	committee := Run{Recipe: members[0]}
	result, err := committee.trainCommittee(ctx, part, nil, members, recorder)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	p, err := result.Model.Predict(train.Subset(fold.Held).X)
	return p.Values, err
}
