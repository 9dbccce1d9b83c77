package tskgraph

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/ensemble"
	"github.com/tskgraph/tskgraph/fit"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/recipe"
)

// Train learns a TSK model from the training part by a recipe. A validation part (or nil)
// decides which iteration's parameters are kept, and with Train.Patience when to stop; it
// must have the features of the training part. A part that is not valid (see
// [data.Dataset.Validate]) is a *data.Error; a recipe that is not valid is a *[RecipeError].
// With Train.Members above 1 it learns a committee.
//
// With Prune.Rounds, 0.6 of the iterations train all rules; then come the
// rounds of pruning, with equal parts of the rest for the refinements. Each of
// these is a training of its own: the solver starts from zero, the best iteration by the
// validation part is kept at its end, and when patience runs out only this
// training ends, and the next round begins. Result.Training.Best and its
// validation RMSE are of the last of them, counted over all.
//
// With Train.Race, the settings it lists are first trained on 0.8 of the
// training part, several times, and scored on the rest, until they are clearly behind;
// groups and equal samples stay together, and where the part is Ordered each is trained
// on less and less of its beginning and scored on what comes next (see
// [data.Dataset.HoldOut]);
// the best one then trains on all of it. The members of a committee take turns among
// those that came to the end of the race, the best first.
//
// Sample weights count wherever a mean or a sum is taken over samples: in the
// preprocessing, the start of the rules, the loss, validation, the race and pruning, but
// not in Train.Uniform, which is over the samples of a batch.
// Samples of weight zero leave no trace, a sample of weight 2 counts as two, and a common
// factor changes no bit, see [data.Dataset.Weighed].
//
// The same data, recipe and machine architecture give the same model to the
// bit. When training is interrupted (by ctx), diverges, or a callback fails, the
// error says so and the Result holds the best model up to then; the Result is nil
// only when training could not begin.
//
// To follow a training, to save it while it runs and to resume it, see [Run].
func Train(ctx context.Context, train, validation *data.Dataset, r Recipe) (*Result, error) {
	return Run{Recipe: r}.Train(ctx, train, validation)
}

// Prune prunes a saved model and refines it on the training part: Prune.Rounds rounds,
// each followed by Train.Iterations updates. A validation part (or nil) decides
// which iteration's parameters each refinement keeps. Start from [RecipeOf]. The
// rules, their shape, the preprocessing and the spread floor are the model's;
// Model.Init plays no part.
//
// The model itself does not change. Errors are as in [Train].
func Prune(ctx context.Context, m *model.Model, train, validation *data.Dataset, r Recipe) (*Result, error) {
	return Run{Recipe: r}.Prune(ctx, m, train, validation)
}

// PrunePath takes one rule after the other from a saved model, by [rules.PruneOne], until
// `least` are left. After each it refines the rest on the training part for
// Train.Iterations updates and measures them. Start from [RecipeOf]; Recipe.Prune plays no
// part. The validation part should be samples that the model was not trained on: else it
// looks better than what follows.
//
// When a refinement is interrupted (by ctx), diverges, or a callback fails, the
// error says so and the path ends with the step before it.
func PrunePath(ctx context.Context, m *model.Model, train, validation *data.Dataset, r Recipe, least int) (*Path, error) {
	return Run{Recipe: r}.PrunePath(ctx, m, train, validation, least)
}

// Load reads a saved model: a file, or the directory of a run.
func Load(path string) (*model.Model, error) { return model.Load(path) }

// Train is [Train] with what else the run says.
func (r Run) Train(ctx context.Context, train, validation *data.Dataset) (*Result, error) {
	if err := r.weigh(&train, &validation); err != nil {
		return nil, err
	}
	return ensemble.Train(ctx, train, validation, ensemble.Run{
		Job: r.job(), OnRace: r.OnRace, Checkpoints: r.checkpoints(), Identity: r.Identity,
	})
}

// Prune is [Prune] with what else the run says. It cannot be resumed.
func (r Run) Prune(ctx context.Context, m *model.Model, train, validation *data.Dataset) (*Result, error) {
	if err := r.refines(&train, &validation); err != nil {
		return nil, err
	}
	result, err := fit.Prune(ctx, m, train, validation, r.job())
	if result == nil {
		return nil, err
	}
	return &Result{Result: *result}, err
}

// PrunePath is [PrunePath] with what else the run says; Watch and Test play no part. It
// cannot be resumed.
func (r Run) PrunePath(ctx context.Context, m *model.Model, train, validation *data.Dataset, least int) (*Path, error) {
	if err := r.refines(&train, &validation); err != nil {
		return nil, err
	}
	return fit.PrunePath(ctx, m, train, validation, r.job(), least)
}

// refines refuses what does not apply to the pruning of a saved model, and weighs the data.
func (r *Run) refines(train, validation **data.Dataset) error {
	if r.OnCheckpoint != nil || r.Resume != nil {
		return &recipe.Error{Key: "model.init", Message: "Run.OnCheckpoint and Run.Resume are for Train: the pruning of a saved model cannot be resumed, leave them out"}
	}
	return r.weigh(train, validation)
}

// weigh replaces the parts by parts with weights as learning takes them.
func (r *Run) weigh(train, validation **data.Dataset) error {
	for _, part := range []struct {
		name string
		d    **data.Dataset
	}{{"", train}, {"validation part: ", validation}, {"watched part: ", &r.Watch}} {
		if *part.d == nil || (*part.d).Len() == 0 {
			continue
		}
		weighed, err := (*part.d).Weighed()
		if err != nil {
			return fmt.Errorf("%s%w", part.name, err)
		}
		*part.d = weighed
	}
	return nil
}
