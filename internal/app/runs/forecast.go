package runs

import (
	"context"
	"errors"
	"math"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/data/series"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// heldForecasts is the share of the training part on which ways of forecasting are compared.
const heldForecasts = 0.2

// chooseForecast decides how a range of steps is forecast where data.forecast does not: by the errors in the last rows of the training part
// of models that are trained, without a race, on the rows before. Where direct cannot be tried, it is recursive.
func (t *Task) chooseForecast(ctx context.Context) error {
	spec, source := t.Config.Data.Time, t.Config.Source()
	if spec == nil || spec.Last == 0 || spec.Way != "" || source.Validate() != nil {
		return nil
	}
	rmse := map[string]float64{}
	for _, way := range []string{series.Direct, series.Recursive} {
		of := *spec
		of.Way, source.Time = way, &of
		if source.Validate() != nil {
			spec.Way = series.Recursive
			message.Note(t.Notes, "data.forecast: recursive, as no lag of the target is known %d steps ahead", spec.Last)
			return nil
		}
		message.Note(t.Notes, "data.forecast is not stated: trying %s forecasts of steps %d to %d", way, spec.Horizon, spec.Last)
		var err error
		if rmse[way], err = t.rollingError(ctx, source); err != nil {
			return err
		}
	}
	direct, recursive := rmse[series.Direct], rmse[series.Recursive]
	if spec.Way = series.Recursive; direct < recursive {
		spec.Way = series.Direct
	}
	if math.IsInf(min(direct, recursive), 1) {
		message.Note(t.Notes, "data.forecast: recursive, as the training part is too short to try both")
		return nil
	}
	message.Note(t.Notes, "data.forecast: %s, by the RMSE in the last fifth of the training part, the mean of steps %d to %d: "+
		"recursive %.4g, direct %.4g (%+.1f%%)", spec.Way, spec.Horizon, spec.Last, recursive, direct, 100*(direct/recursive-1))
	return nil
}

// rollingError returns the mean over the steps of the RMSE of forecasts of the last rows of the training part; infinite if it is too short.
func (t *Task) rollingError(ctx context.Context, source data.Source) (float64, error) {
	parts, err := source.Load(ctx)
	if err != nil {
		return 0, err
	}
	defer parts.Close()
	folds := parts.Train.HoldOut(1, heldForecasts, nil)
	if folds == nil {
		return math.Inf(1), nil
	}
	r := t.Config.Recipe
	r.Train.Race, r.Train.Members, r.Train.Teacher, r.Train.Patience = nil, 1, recipe.NoTeacher, 0
	result, err := tskgraph.Run{Recipe: r}.Train(ctx, parts.Train.Subset(folds[0].Train), nil)
	if err != nil && ctx.Err() == nil && (result != nil || errors.As(err, new(*data.Error))) {
		return math.Inf(1), nil
	} else if err != nil {
		return 0, err
	}
	m, held := result.Model, parts.Train.Subset(folds[0].Held)
	e, err := m.Evaluate(ctx, held)
	sum, steps := e.RMSE, 1.0
	if err == nil {
		err = m.Rolling(ctx, held, func(_ int, p model.Predictions, part *data.Dataset) error {
			sum, steps = sum+m.Measure(p, part).RMSE, steps+1
			return nil
		})
	}
	return sum / steps, err
}
