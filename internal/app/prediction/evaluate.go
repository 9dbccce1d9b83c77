package prediction

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/verify"
)

// Evaluation is what is measured of a model on a table.
type Evaluation struct {
	model.Metrics
	Verdict     *baseline.Verdict  `json:"verdict"`
	Missing     data.Missing       `json:"missing"` // missing cells and categories unknown to the model
	Interval    *words.Interval    `json:"interval,omitempty"`
	Adapted     *model.Adapted     `json:"adapted,omitempty"` // of the intervals of the same level
	Twins       *words.Twins       `json:"twins,omitempty"`   // nil: no row has a twin, or the training rows are not known
	Readability *words.Readability `json:"readability"`
}

// Intervals are the prediction intervals or sets that are measured.
type Intervals struct {
	Level float64
	Side  model.Side
	Rate  float64 // of those that adapt to the rows in their order, see [model.Model.Adapt]; 0: none are measured
}

// MarshalJSON writes the measures of numbers for these alone: the fields of Metrics are zero for classes.
func (e Evaluation) MarshalJSON() ([]byte, error) {
	type plain Evaluation
	made := struct {
		plain
		RMSE *float64 `json:"rmse,omitempty"`
		MAE  *float64 `json:"mae,omitempty"`
		R2   *float64 `json:"r2,omitempty"`
	}{plain: plain(e)}
	if e.Classes == nil {
		made.RMSE, made.MAE, made.R2 = &e.RMSE, &e.MAE, &e.R2
	}
	return json.Marshal(made)
}

// Evaluate measures a model on all rows of a table that has the target; in are the prediction intervals or sets, if not nil.
// Twins are rows of the table at train or, if it is empty, of the training part of the run at path. Notes go to w.
func Evaluate(ctx context.Context, w io.Writer, m *model.Model, d *data.Dataset, path, train string, in *Intervals) (
	e *Evaluation, err error,
) {
	e = &Evaluation{Missing: d.Missing}
	table := words.Part{Name: "the table", Dataset: d}
	if e.Metrics, err = m.Evaluate(ctx, d); err != nil {
		return nil, err
	}
	if e.Readability, err = words.Measure(ctx, m, words.Part{}, table); err != nil {
		return nil, err
	}
	constant, err := m.MeasureMean(ctx, d)
	if err != nil {
		return nil, err
	}
	e.Verdict = baseline.Compare(table.Name, m, e.Metrics, baseline.Errors{Constant: constant})
	training, _, err := ReadBackground(ctx, w, m, path, train)
	if err != nil && !errors.Is(err, ErrNoBackground) {
		return nil, err
	}
	if e.Twins, err = words.MeasureTwins(ctx, m, table, words.Part{Dataset: training}, e.Metrics); err != nil || in == nil {
		return e, err
	}
	if e.Interval, err = words.MeasureInterval(ctx, m, in.Level, in.Side, d); err != nil {
		return nil, message.Usagef("--interval: %w", err)
	}
	if in.Rate == 0 {
		return e, nil
	}
	e.Adapted, err = adapted(m, d, *in)
	return e, err
}

// adapted measures intervals that adapt to the rows in their order.
func adapted(m *model.Model, d *data.Dataset, in Intervals) (*model.Adapted, error) {
	if d.Whole != nil {
		return nil, message.Usagef("--adapt needs the rows in their order, and a table of this size is read in buckets: divide it")
	}
	p, err := m.Predict(d.X)
	if err != nil {
		return nil, err
	}
	a, err := m.Adapt(p, d, in.Level, in.Side, in.Rate)
	if err != nil {
		return nil, message.Usagef("--adapt: %w", err)
	}
	return a, nil
}

// Verify compares the gradients at the parameters of a single model, on rows of a table that is read with the options. Notes go to w.
func Verify(ctx context.Context, w io.Writer, m *model.Model, table string, how data.Options, rng *rand.Rand) (*verify.Report, error) {
	d, err := ReadTable(ctx, w, m, table, how)
	if err != nil {
		return nil, err
	}
	x, err := m.Scale(d.X)
	if err != nil {
		return nil, &data.Error{File: table, Message: err.Error(), Err: err}
	}
	trained, err := recipe.Of(m)
	if err != nil {
		return nil, err
	}
	return verify.Model(m.RuleBase, trained.Train.LossFunction(len(m.Schema.Classes)), x, m.Targets(d), d.Weights, rng)
}
