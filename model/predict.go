package model

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// Predictions are the results of [Model.Predict] for N samples.
type Predictions struct {
	// Values [N] are in the target's unit: of several targets the first, of quantiles the one
	// nearest to the median, of classes the index of the most probable one.
	Values []float64

	// Outputs [J][N] are all targets, all quantiles, or the probabilities of all K classes;
	// nil for a single number.
	Outputs [][]float64

	// Spread [N] is the standard deviation (divisor K-1) of Values over the K members of a
	// committee, for classes that of the probability of the class; nil for a single model.
	Spread  []float64
	Spreads [][]float64 // [J][N], of Outputs; nil for a single model or a single number

	Uncovered  int // samples that no rule covers (in a committee: of any member); they get the training mean
	OutOfRange int // samples with a feature outside the range seen in training
	Limited    int // predictions clamped to the target's limits, see Target.Limits
}

// All returns all values [J][N]: Outputs or, of a single number, Values alone.
func (p Predictions) All() [][]float64 {
	if p.Outputs == nil {
		return [][]float64{p.Values}
	}
	return p.Outputs
}

// add adds the predictions of further samples.
func (p *Predictions) add(more Predictions) {
	if len(p.Values) == 0 {
		*p = more
		return
	}
	p.Values = append(p.Values, more.Values...)
	p.Spread = append(p.Spread, more.Spread...)
	for j, values := range more.Outputs {
		p.Outputs[j] = append(p.Outputs[j], values...)
	}
	for j, values := range more.Spreads {
		p.Spreads[j] = append(p.Spreads[j], values...)
	}
	p.Uncovered += more.Uncovered
	p.OutOfRange += more.OutOfRange
	p.Limited += more.Limited
}

// SampleError reports a sample that cannot be predicted.
type SampleError struct {
	Sample  int    // from 0
	Message string // what is wrong with it
}

func (e *SampleError) Error() string { return fmt.Sprintf("model: sample %d: %s", e.Sample, e.Message) }

// Predict predicts the samples x [N][M], features in their own units and in the
// order of Schema.Features(), on at most GOMAXPROCS goroutines. The prediction of a
// sample does not depend on the others. A missing value (NaN) is replaced by the
// training mean if the model was trained with missing: mean. Any other value that is
// not finite, one that lies [Farthest] standard deviations or more from the training mean,
// and a row of the wrong length are a *SampleError for the first such sample. Constant features are ignored. A model that cannot predict is an error, see
// [Model.Validate].
func (m *Model) Predict(x [][]float64) (Predictions, error) {
	return m.predict(context.Background(), x, nil)
}

// predict is Predict until ctx ends; with targets y [N], each sample is predicted without
// itself among the neighbours.
func (m *Model) predict(ctx context.Context, x [][]float64, y []float64) (Predictions, error) {
	if err := m.Validate(); err != nil {
		return Predictions{}, err
	}
	p := Predictions{Values: []float64{}}
	blocks := make([]Predictions, parallel.Blocks(len(x), blockRows))
	errs, lent := make([]error, len(blocks)), predictors{m: m, n: min(len(x), blockRows)}
	parallel.For(len(x), blockRows, func(block, start, end int) {
		if errs[block] = ctx.Err(); errs[block] == nil {
			blocks[block], errs[block] = lent.predict(x[start:end], y[min(start, len(y)):min(end, len(y))], start)
		}
	})
	for block, err := range errs {
		if err != nil {
			return Predictions{}, err
		}
		p.add(blocks[block])
	}
	return p, nil
}

// Evaluate predicts a data set of the model's schema and measures the errors. With
// weights, the errors are weighted and samples of weight zero are ignored. A data set
// that is invalid or has other features is a *data.Error. Missing values are filled in
// if the data set was read with a policy that allows them, see [Preprocessing.Fill]. Of a
// sample of a Whole, Evaluate predicts all rows of the Whole, with those of one bucket in
// memory at a time, and merges the errors: they are those of all rows at once except for
// rounding, and for AUC and calibration of classes, see [metric.Histogram]. When ctx ends,
// Evaluate returns its error.
func (m *Model) Evaluate(ctx context.Context, d *data.Dataset) (Metrics, error) {
	return m.evaluate(ctx, d, false)
}

// EvaluateTraining is Evaluate for the training part: of a model with neighbours, each sample
// is predicted without itself among them.
func (m *Model) EvaluateTraining(ctx context.Context, d *data.Dataset) (Metrics, error) {
	return m.evaluate(ctx, d, true)
}

func (m *Model) evaluate(ctx context.Context, d *data.Dataset, training bool) (Metrics, error) {
	if err := m.Validate(); err != nil {
		return Metrics{}, err
	}
	return measureBy(ctx, m, d, func(block *data.Dataset) (Predictions, error) {
		var own []float64
		if training {
			own = block.Y
		}
		return m.predict(ctx, m.Fill(block).X, own)
	})
}

// Explain explains the prediction of one sample by its rules, features in their own units and in the order of
// Schema.Features(). It returns the errors of [Model.Predict], and a *SampleError if the
// output of a rule overflows. A model of other than one number is an error: explain its outputs, see [Model.Output].
func (m *Model) Explain(x []float64) (*Explanation, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return explainOne(m, x)
}

// explainOne is Explain for a valid model.
func explainOne(m *Model, x []float64) (*Explanation, error) {
	if !m.Number() {
		return nil, errors.New("model: cannot explain a response as a sum: explain one output of the rules, see Model.Output")
	}
	if m.Committee() {
		r, err := predictSamples(m, [][]float64{x})
		if err != nil {
			return nil, err
		}
		e := &Explanation{Prediction: r.values[0][0], Mean: m.Target.Mean}
		if !r.how[0].uncovered {
			if err := e.correct(m, x); err != nil {
				return nil, err
			}
		}
		for _, member := range m.Members {
			one, err := explainOne(member, x)
			if err != nil {
				return nil, err
			}
			e.Members = append(e.Members, *one)
		}
		if e.Neighbours != nil && !e.addUp() {
			return nil, &SampleError{0, overflows}
		}
		return e, nil
	}
	explanations, err := explainBlock(m, [][]float64{x})
	if err != nil {
		return nil, err
	}
	return explanations[0], nil
}

// Calibrate measures how far the model's predictions are from the targets of samples that
// were not used in training, see [Calibration]. A residual that overflows is an error.
//
// With weights, the k-th smallest score is the weighted quantile of k/n: the smallest
// score up to which the samples hold this share of the total weight. A new sample is
// assumed to have the mean weight (R. F. Barber, E. J. Candès, A. Ramdas, R. J. Tibshirani, Conformal prediction
// beyond exchangeability, Ann. Statist. 51 (2023)).
//
// Of a sample of a Whole, all rows of the Whole calibrate the model. Their scores are in
// memory, 8 bytes each, and so are their weights. When ctx ends, Calibrate returns its error.
func (m *Model) Calibrate(ctx context.Context, d *data.Dataset) error {
	c, err := newCalibration(ctx, m, d)
	if err == nil {
		m.Calibration = c
	}
	return err
}

// HalfWidth returns half the width of the prediction interval of a level between 0
// and 1, in the target's unit, of a model of one number: others have intervals of
// other widths for each sample, see [Model.Intervals]. If the residual of its rank was not kept, it is the next
// larger one. A model without a calibration returns [ErrNotCalibrated]; a level above
// n/(n+1) is an error that names the number of calibration samples it needs.
func (m *Model) HalfWidth(level float64) (float64, error) {
	if m != nil && !m.Number() {
		return 0, errors.New("model: its prediction intervals have no constant width")
	}
	return threshold(m, level)
}

// Score returns the largest score, see [Calibration], of the targets inside the prediction intervals of a level, or of the
// classes inside the sets. Its errors are those of [Model.HalfWidth], except that of its [Response].
func (m *Model) Score(level float64) (float64, error) {
	return threshold(m, level)
}

// Intervals returns the bounds [T][N] of the prediction intervals of a level for predictions
// of the model, with T targets. With a probability of at least the level, the targets of a new
// sample lie in its intervals, all of them if there are several. Classes have sets instead, see [Model.Sets]. Its other errors are those
// of [Model.HalfWidth].
func (m *Model) Intervals(p Predictions, level float64) (low, high [][]float64, err error) {
	score, err := scoreOf(m, level, false)
	if err == nil {
		err = checkPredictions(m, p, len(p.Values))
	}
	if err != nil {
		return nil, nil, err
	}
	low, high = m.kind().intervals(m, p, score)
	return low, high, nil
}

// Sets returns the prediction sets [K][N] of a level for predictions of a model of K classes:
// which classes they contain. With a probability of at least the level, the class of a new
// sample is in its set; the most probable class always is. Numbers have intervals instead, see
// [Model.Intervals]. Its other errors are those of [Model.HalfWidth].
func (m *Model) Sets(p Predictions, level float64) ([][]bool, error) {
	score, err := scoreOf(m, level, true)
	if err == nil {
		err = checkPredictions(m, p, len(p.Values))
	}
	if err != nil {
		return nil, err
	}
	return sets(p, score), nil
}

// Coverage measures the prediction intervals or sets of the level on the samples of d,
// weighted if it has weights: the share of those whose targets they hold, and their mean size,
// which is the width in the target's unit, of several targets the mean width in standard
// deviations, of sets the number of classes. Of a sample of a Whole, all rows of the Whole are
// measured. When ctx ends, Coverage returns its error.
func (m *Model) Coverage(ctx context.Context, d *data.Dataset, level float64) (share, size float64, err error) {
	score, err := threshold(m, level)
	if err == nil {
		err = m.Validate()
	}
	if err != nil {
		return 0, 0, err
	}
	total := 0.0
	err = eachBlock(ctx, m.Preprocessing, d, func(block *data.Dataset) error {
		p, err := m.predict(ctx, m.Fill(block).X, nil)
		if err != nil {
			return err
		}
		held, mean := coverage(m, block, p, score)
		of := shares{total, weighted.Sum(block.Weights, block.Len())}
		share, size, total = of.mean(share, held), of.mean(size, mean), of.a+of.b
		return nil
	})
	return share, size, err
}

// PredictTable copies a table of any size to w as delimited text and adds columns that
// are named after the target: y_predicted, and those that the options request (see
// [TableOptions.Columns]). Features are found by name, in any order; all columns are
// copied; the target column is optional. The format of the table must be registered, see
// [table.Format]: import _ "github.com/tskgraph/tskgraph/data/table/csv" for delimited text.
//
// Blocks of rows are read, predicted on at most GOMAXPROCS goroutines, and written
// in order: memory does not grow with the table. A fault in the table is a *data.Error
// with its line; all rows before it have been written. When ctx ends, PredictTable
// returns its error without waiting for a pending read of the table.
func (m *Model) PredictTable(ctx context.Context, table data.Input, o TableOptions, w io.Writer) (TableCounts, error) {
	return predictInto(ctx, m, table, o, w)
}
