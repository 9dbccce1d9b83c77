package tskgraph

import (
	"context"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Train trains a TSK model on the training part with a recipe. With a validation part (or
// nil), it keeps the parameters of the iteration with the lowest validation error and, with
// Train.Patience, stops early; the part must have the features of the training part. An
// invalid part (see [data.Dataset.Validate]) is a *data.Error, an invalid recipe a
// *[RecipeError]. With Train.Members above 1, Train trains a committee.
//
// With Prune.Rounds, 0.6 of the iterations train all rules, and the refinements after the
// rounds of pruning share the rest equally. Each refinement is a separate training: the
// state of the solver starts at zero, the best iteration by the validation part is kept,
// and when patience runs out, only this refinement ends. Result.Training.Best, counted
// over all iterations, and its validation RMSE are those of the last refinement.
//
// With Train.Race, its settings are first trained on 0.8 to 0.9 of the training part and scored on
// the rest, on several splits, until they are clearly behind. Groups and equal samples stay
// together; in an Ordered part, settings are trained on earlier and scored on later samples
// (see [data.Dataset.HoldOut]). The best setting is then trained on the whole part. The
// members of a committee alternate between the settings left at the end of the race, the
// best first.
//
// Sample weights apply to means and sums over samples: in the preprocessing, the
// initialisation of the rules, the loss, validation, the race and pruning, but not in
// train.uniform, which is over the samples of a batch. Samples of weight zero have no
// effect, a sample of weight 2 counts as two, and a common factor does not change a bit,
// see [data.Dataset.Weighed].
//
// Of a part with more than data.SampleRows samples, a random sample of so many finds the rules,
// runs the race and is validated on, see [data.Dataset.Sampled]; means, standard deviations, ranges
// and the mini-batches of the final training come from all samples. A part that is such a sample
// already, as [data.Source.Load] returns it, has its Whole read from the scratch file; one that cannot
// be read ends training, which can be resumed from the checkpoint delivered then.
//
// The same data, recipe and processor architecture give the same model to the bit. If
// training is interrupted (by ctx), diverges, or a callback fails, Train returns the error
// and the best model so far; the Result is nil only if training could not start.
//
// To monitor, checkpoint and resume a training, see [Run].
func Train(ctx context.Context, train, validation *data.Dataset, r Recipe) (*Result, error) {
	return Run{Recipe: r}.Train(ctx, train, validation)
}

// Prune prunes a saved model and refines it on the training part: Prune.Rounds rounds,
// each followed by Train.Iterations updates. With a validation part (or nil), each
// refinement keeps the parameters of the iteration with the lowest validation error. Start
// from [RecipeOf]. The rules, their shape, the preprocessing and the spread floor are the
// model's; Model.Init is ignored.
//
// The saved model does not change. Errors are as in [Train].
func Prune(ctx context.Context, m *model.Model, train, validation *data.Dataset, r Recipe) (*Result, error) {
	return Run{Recipe: r}.Prune(ctx, m, train, validation)
}

// PrunePath removes one rule after the other from a saved model, by [rules.PruneOne], until
// least are left. After each, it refines the rest on the training part for Train.Iterations
// updates and measures them. Start from [RecipeOf]; Recipe.Prune is ignored. The validation
// part should not contain samples that the model was trained on, as its error would be too
// low compared with the following steps.
//
// If a refinement is interrupted (by ctx), diverges, or a callback fails, PrunePath returns
// the error and the path up to the step before.
func PrunePath(ctx context.Context, m *model.Model, train, validation *data.Dataset, r Recipe, least int) (*Path, error) {
	return Run{Recipe: r}.PrunePath(ctx, m, train, validation, least)
}

// Load reads a saved model: a file, or the directory of a run.
func Load(path string) (*model.Model, error) { return model.Load(path) }
