package fit

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// modelOf returns the current model of a trainer, rounded as the recipe says, with its errors. Once ctx has ended, it
// returns with the error of [Finish] the model without neighbours, whose summaries are of [Some] of the samples.
func modelOf(ctx context.Context, t *trainer) (*model.Model, error) {
	if m, err := modelOn(ctx, t, t.TrainingSet); err == nil || ctx.Err() == nil || m != nil {
		return m, err
	}
	alone := &model.Model{RuleBase: t.rules}
	some := &TrainingSet{data: Some(t.data, alone), prep: t.prep}
	for _, n := range someRows(t.data.Len(), alone) {
		C := t.prep.OutputCount()
		some.x, some.y = append(some.x, t.x[n]), append(some.y, t.y[n*C:(n+1)*C]...)
	}
	m, err := modelOn(context.WithoutCancel(ctx), t, some)
	return m, cmp.Or(err, unfinished(ctx))
}

// modelOn is modelOf on some samples.
func modelOn(ctx context.Context, t *trainer, set *TrainingSet) (*model.Model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rb := t.rules.Clone()
	rules.CentreCurves(rb, set.consequents(), set.data.Weights)
	if n := t.Recipe.Model.Round; n > 0 {
		var err error
		if rb, err = model.Round(ctx, t.prep, rb, n, set.x, set.y, set.data.Weights); err != nil {
			return nil, err
		}
	}
	training := model.Training{
		Iterations: t.made.Training.Best, Seed: t.Recipe.Train.Seed, Engine: t.Recipe.Model.Engine,
		Options: t.Recipe.Values(), Versions: buildinfo.Versions(), Metrics: map[string]float64{},
	}
	training.SetSamples(t.data)
	if set.data.Len() < training.Samples {
		training.Sample = set.data.Len()
	}
	if t.Unmeasured {
		return &model.Model{Preprocessing: t.prep, RuleBase: rb, Training: training}, nil
	}
	m, err := model.New(ctx, t.prep, rb, set.data.X, set.data.Weights, training)
	if err != nil {
		return nil, err
	}
	r := t.Recipe
	if set != t.TrainingSet {
		r.Model.Neighbours = recipe.NoNeighbours
	}
	return m, Finish(ctx, m, r, set.data, t.validation)
}

// neighbourStream separates the samples that neighbours are fitted on from the other random
// streams of the same seed.
const neighbourStream = 0x6e656172 // "near"

// Finish fits the neighbours of a trained model to its training part, if the recipe has them,
// and sets its metrics on the training part, and on the validation part if not nil: rmse_train
// and rmse_validation of numbers; loss_train and loss_validation, the figures of the
// criterion, if it is not RMSE. Of parts with a Whole they are those of the samples.
//
// If ctx ends, the model has no neighbours, its metrics are of [Some] of the samples, and the error wraps that of ctx.
func Finish(ctx context.Context, m *model.Model, r recipe.Recipe, train, validation *data.Dataset) (err error) {
	if r.Model.Neighbours == recipe.AutoNeighbours {
		rng := rand.New(rand.NewPCG(r.Train.Seed, neighbourStream))
		if m.Neighbours, err = model.FitNeighbours(ctx, m, train, rng); err != nil && ctx.Err() == nil {
			return err
		}
	}
	e, err := evaluated(ctx, m, m.EvaluateTraining, train)
	if err != nil {
		return err
	}
	KeepMetrics(m, "train", e)
	if validation == nil {
		return unfinished(ctx)
	}
	if e, err = evaluated(ctx, m, m.Evaluate, validation); err != nil {
		return err
	}
	KeepMetrics(m, "validation", e)
	return unfinished(ctx)
}

// evaluated evaluates a model on the samples of a part, or once ctx has ended on [Some] of them.
func evaluated(ctx context.Context, m *model.Model, evaluate func(context.Context, *data.Dataset) (model.Metrics, error),
	part *data.Dataset) (model.Metrics, error) {
	e, err := evaluate(ctx, part.WithoutWhole())
	if err != nil && ctx.Err() != nil {
		m.Neighbours = nil
		return evaluate(context.WithoutCancel(ctx), Some(part, m))
	}
	return e, err
}

// unfinished returns the error of a training that was interrupted after its last update, nil if ctx has not ended.
func unfinished(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("interrupted before the model was finished: %w", err)
	}
	return nil
}

// An interrupted training ends soon: it measures a model on most rows, or on fewer if it has many rules.
const (
	mostRows  = 20_000
	leastRows = 1000
	mostFired = 640_000 // rows times rules
)

// Some returns the rows of a data set on which a model is measured when its training is interrupted: 20,000 at most, evenly spaced, without
// the Whole.
func Some(d *data.Dataset, m *model.Model) *data.Dataset {
	if rows := someRows(d.Len(), m); len(rows) < d.Len() {
		return d.WithoutWhole().Subset(rows)
	}
	return d.WithoutWhole()
}

// someRows returns the rows of Some, of N.
func someRows(N int, m *model.Model) []int {
	rows := make([]int, min(N, mostRows, max(leastRows, mostFired/model.CountRules(m))))
	for i := range rows {
		rows[i] = i * N / len(rows)
	}
	return rows
}

// KeepMetrics sets the metrics of a trained model on a part, such as rmse_train and loss_train on
// the part train, see [Finish].
func KeepMetrics(m *model.Model, part string, e model.Metrics) {
	for _, measure := range e.Measures() {
		if slices.Contains(measure.Kept, part) {
			m.Training.Metrics[measure.Key+"_"+part] = measure.Of(e)
		}
	}
	if part != "test" && !m.Criterion().Root() {
		m.Training.Metrics["loss_"+part] = e.Loss
	}
}
