package model

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/escape"
	"github.com/tskgraph/tskgraph/internal/parallel"
	"github.com/tskgraph/tskgraph/internal/weighted"
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
// not finite and a row of the wrong length are a *SampleError for the first such
// sample. Constant features are ignored. A model that cannot predict is an error, see
// [Model.Validate].
func (m *Model) Predict(x [][]float64) (Predictions, error) {
	return m.predict(x, nil)
}

// predict is Predict; with targets y [N], each sample is predicted without itself among the
// neighbours.
func (m *Model) predict(x [][]float64, y []float64) (Predictions, error) {
	if err := m.Validate(); err != nil {
		return Predictions{}, err
	}
	p := Predictions{Values: []float64{}}
	blocks := make([]Predictions, parallel.Blocks(len(x), blockRows))
	errs := make([]error, len(blocks))
	parallel.For(len(x), blockRows, func(block, start, end int) {
		blocks[block], errs[block] = predictSamples(m, x[start:end], y[min(start, len(y)):min(end, len(y))], start)
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
// if the data set was read with a policy that allows them, see [Preprocessing.Fill].
func (m *Model) Evaluate(d *data.Dataset) (Metrics, error) { return m.evaluate(d, false) }

// EvaluateTraining is Evaluate for the training part: of a model with neighbours, each sample
// is predicted without itself among them.
func (m *Model) EvaluateTraining(d *data.Dataset) (Metrics, error) { return m.evaluate(d, true) }

func (m *Model) evaluate(d *data.Dataset, training bool) (Metrics, error) {
	if err := m.Validate(); err != nil {
		return Metrics{}, err
	}
	d, err := measurable(m.Preprocessing, d)
	if err != nil {
		return Metrics{}, err
	}
	var own []float64
	if training {
		own = d.Y
	}
	p, err := m.predict(m.Fill(d).X, own)
	if err != nil {
		return Metrics{}, err
	}
	return m.Measure(p, d), nil
}

// Explain explains the prediction of one sample by its rules, features in their own units and in the order of
// Schema.Features(). It returns the errors of [Model.Predict], and a *SampleError if the
// output of a rule overflows. A model with a [Response] is an error: explain its outputs, see [Model.Output].
func (m *Model) Explain(x []float64) (*Explanation, error) {
	if m.Response != nil {
		return nil, errors.New("model: cannot explain a response as a sum: explain one output of the rules, see Model.Output")
	}
	if m.Committee() {
		r, err := predictBlock(m, [][]float64{x}, 0)
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
			one, err := member.Explain(x)
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

// Calibrate measures the model's residuals on samples that were not used in training. A
// residual that overflows is an error.
//
// With weights, the k-th smallest residual is the weighted quantile of k/n: the smallest
// residual up to which the samples hold this share of the total weight. A new sample is
// assumed to have the mean weight (R. F. Barber, E. J. Candès, A. Ramdas, R. J. Tibshirani, Conformal prediction
// beyond exchangeability, Ann. Statist. 51 (2023)).
func (m *Model) Calibrate(d *data.Dataset) error {
	if err := m.Validate(); err != nil {
		return err
	}
	d, err := measurable(m.Preprocessing, d)
	if err != nil {
		return err
	}
	p, err := m.Predict(m.Fill(d).X)
	if err != nil {
		return err
	}
	residuals := make([]float64, len(d.Y))
	for i, y := range d.Y {
		if residuals[i] = math.Abs(y - p.Values[i]); math.IsInf(residuals[i], 0) {
			return fmt.Errorf("model: calibration sample %d: the residual of %v overflows", i, y)
		}
	}
	residuals = weighted.Sorted(residuals, d.Weights)
	m.Calibration = &Calibration{Samples: len(residuals), Residuals: thin(residuals)}
	return nil
}

// HalfWidth returns half the width of the prediction interval of a level between 0
// and 1, in the target's unit. If the residual of its rank was not kept, it is the next
// larger one. A model without a calibration returns [ErrNotCalibrated]; a level above
// n/(n+1) is an error that names the number of calibration samples it needs.
func (m *Model) HalfWidth(level float64) (float64, error) {
	c := m.Calibration
	switch {
	case !(level > 0 && level < 1):
		return 0, fmt.Errorf("model: interval level %v: must lie between 0 and 1, such as 0.9", level)
	case c == nil:
		return 0, ErrNotCalibrated
	}
	rank := int(math.Ceil(float64(float64(c.Samples+1)*level) - 1e-9)) // 0.9 of 10 is 9, despite rounding
	if rank > c.Samples {
		return 0, fmt.Errorf("model: interval level %v needs at least %.0f calibration samples; there were %d, enough for levels up to %.4g",
			level, math.Ceil(level/(1-level)-1e-9), c.Samples, float64(c.Samples)/float64(c.Samples+1))
	}
	return c.Residuals[ceilDiv(rank*len(c.Residuals), c.Samples)-1], nil
}

// Coverage returns the share of the samples of d, weighted if it has weights, whose
// target lies within the prediction interval of the level.
func (m *Model) Coverage(d *data.Dataset, level float64) (float64, error) {
	half, err := m.HalfWidth(level)
	if err != nil {
		return 0, err
	}
	if d, err = measurable(m.Preprocessing, d); err != nil {
		return 0, err
	}
	p, err := m.Predict(m.Fill(d).X)
	if err != nil {
		return 0, err
	}
	covered := 0.0
	for i, y := range d.Y {
		if math.Abs(y-p.Values[i]) <= half {
			covered += weighted.At(d.Weights, i)
		}
	}
	return covered / weighted.Sum(d.Weights, len(d.Y)), nil
}

// PredictTable copies a table of any size to w as delimited text and adds columns that
// are named after the target: y_predicted, and those that the options request (see
// [TableOptions.Columns]). Features are found by name, in any order; all columns are
// copied; the target column is optional. The format of the table must be registered, see
// [data.Format]: import _ "github.com/tskgraph/tskgraph/data/csv" for delimited text.
//
// Blocks of rows are read, predicted on at most GOMAXPROCS goroutines, and written
// in order: memory does not grow with the table. A fault in the table is a *data.Error
// with its line; all rows before it have been written. When ctx ends, PredictTable
// returns its error without waiting for a pending read of the table.
func (m *Model) PredictTable(ctx context.Context, table data.Input, o TableOptions, w io.Writer) (TableCounts, error) {
	done := TableCounts{Missing: data.Missing{Policy: missing(!o.Strict)}}
	if err := m.Validate(); err != nil {
		return done, err
	}
	columns, err := o.Columns(m)
	if err != nil {
		return done, err
	}
	in, err := newReader(ctx, m, table, o)
	if err != nil {
		return done, err
	}
	defer in.Close()
	for _, column := range columns {
		if slices.Contains(in.Header(), column) {
			return done, &data.Error{File: table.Name, Line: 1, Message: fmt.Sprintf("column %s already exists: rename or remove it", escape.Quote(column))}
		}
	}
	names := append(slices.Clone(in.Header()), columns...)
	if o.SafeCells {
		for i, name := range names {
			names[i] = data.SafeCell(name)
		}
	}
	header := csv.NewWriter(w)
	header.Comma = in.Delimiter()
	if err := header.WriteAll([][]string{names}); err != nil {
		return done, err
	}
	ctx, cancel := context.WithCancel(ctx)
	line := newAssembly(in, table.Name, o)
	defer line.workers.Wait()
	defer cancel()
	line.start(ctx, m)
	for {
		p, err := line.next(ctx)
		if err == io.EOF {
			done.Commas, err = in.Commas()
			return done, err
		}
		if err != nil {
			return done, err
		}
		if _, err := w.Write(p.out); err != nil {
			return done, err
		}
		done.Rows += len(p.predicted.Values)
		done.OutOfRange += p.predicted.OutOfRange
		done.Uncovered += p.predicted.Uncovered
		done.Limited += p.predicted.Limited
		done.Missing.Add(p.batch.Missing)
		if p.err != nil {
			return done, p.err
		}
		line.free <- p
	}
}
