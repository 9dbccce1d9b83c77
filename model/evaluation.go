package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/rules"
)

// measurable returns the weighed samples of a data set that is valid and has the features,
// targets and classes of a preprocessing; otherwise a *data.Error.
func measurable(p Preprocessing, d *data.Dataset) (*data.Dataset, error) {
	if err := p.CheckFeatures(d); err != nil {
		return nil, err
	}
	for _, list := range []struct {
		what      string
		got, want []string
	}{{"targets", d.Schema.Targets()[1:], p.Schema.Targets()[1:]}, {"classes", d.Schema.Classes, p.Schema.Classes}} {
		if !slices.Equal(list.got, list.want) {
			return nil, tableError("the data have the %s %s, the training part %s", list.what,
				escape.List(list.got), escape.List(list.want))
		}
	}
	return d.Weighed()
}

// Evaluate predicts a data set of the model's schema and measures the errors. With weights, the errors are weighted and samples of weight
// zero are ignored. A data set that is invalid or has other features is a *data.Error. Missing values are filled in if the data set was
// read with a policy that allows them, see [Preprocessing.Fill]. Of a sample of a Whole, Evaluate predicts all rows of the Whole, with
// those of one bucket in memory at a time, and merges the errors: they are those of all rows at once except for rounding, and for AUC and
// calibration of classes, see [metric.Histogram]. When ctx ends, Evaluate returns its error.
func (m *Model) Evaluate(ctx context.Context, d *data.Dataset) (Metrics, error) {
	return m.evaluate(ctx, d, false)
}

// EvaluateTraining is Evaluate for the training part: of a model with neighbours, each sample is predicted without itself among them.
func (m *Model) EvaluateTraining(ctx context.Context, d *data.Dataset) (Metrics, error) {
	return m.evaluate(ctx, d, true)
}

func (m *Model) evaluate(ctx context.Context, d *data.Dataset, training bool) (Metrics, error) {
	if err := m.Validate(); err != nil {
		return Metrics{}, err
	}
	return m.MeasureBy(ctx, d, func(block *data.Dataset) (Predictions, error) {
		var own []float64
		if training {
			own = block.Y
		}
		return m.predict(ctx, m.Fill(block).X, own)
	})
}

// Measure compares predictions of the model with the targets of a data set, of its own samples if it
// has a Whole. Weights must be positive.
func (m *Model) Measure(p Predictions, d *data.Dataset) Metrics {
	e := m.kind().measure(m.Criterion(), p, d)
	e.Uncovered, e.OutOfRange, e.Limited = p.Uncovered, p.OutOfRange, p.Limited
	if m.Schema.Time != nil {
		e.Time = m.measureTime(e, p, d)
	}
	return e
}

// MeasureMean measures predicting for every sample of a data set what one gets that no rule covers: the training mean, the training
// quantiles, or the shares of the classes. Its errors are those of [Model.Evaluate].
func (m *Model) MeasureMean(ctx context.Context, d *data.Dataset) (Metrics, error) {
	return m.MeasureBy(ctx, d, func(block *data.Dataset) (Predictions, error) {
		row := m.Uncovered()
		r := newResponses(len(row), block.Len())
		for n := range block.Len() {
			r.set(n, row)
		}
		return m.kind().predictions(r), nil
	})
}

// MeasureBy measures other predictions than those of the model, of the same response, on a data set as [Model.Evaluate] does. The
// function predict gets blocks of samples of positive weight; predictions of another number of samples or values are an error.
func (m *Model) MeasureBy(ctx context.Context, d *data.Dataset, predict func(block *data.Dataset) (Predictions,
	error)) (all Metrics, err error) {
	if m == nil {
		return Metrics{}, fmt.Errorf("%w: nil model", ErrInvalid)
	}
	var t totals
	if m.kind().sets() {
		t.classes = metric.NewHistogram(len(m.Response.Classes))
	}
	err = eachBlock(ctx, m.Preprocessing, d, func(block *data.Dataset) error {
		p, err := predict(block)
		if err == nil {
			err = checkPredictions(m, p, block.Len())
		}
		switch {
		case err != nil:
		case d.Whole == nil:
			all = m.Measure(p, block)
		default:
			t.add(m, p, block)
		}
		return err
	})
	if err == nil && d.Whole != nil {
		all = t.metrics(m, d.Whole)
	}
	return all, err
}

// totals are the errors of blocks of samples together. Means and root mean squares merge by weight; squares do not overflow.
type totals struct {
	sum     Metrics // without R2
	weight  float64
	classes *metric.Histogram // nil unless the target has classes
}

// add adds the errors of predictions of a block.
func (t *totals) add(m *Model, p Predictions, d *data.Dataset) {
	e := Metrics{Samples: d.Len(), Weighted: d.Weights != nil}
	if t.classes != nil {
		t.classes.Add(p.Outputs, d.Y, d.Weights)
	} else {
		e = m.kind().measure(m.Criterion(), p, d)
	}
	e.Uncovered, e.OutOfRange, e.Limited = p.Uncovered, p.OutOfRange, p.Limited
	weight := numeric.WeightSum(d.Weights, d.Len())
	if t.weight > 0 {
		e = twoBlocks{t.weight, weight}.merge(t.sum, e, m.Criterion().Root())
	}
	t.sum, t.weight = e, t.weight+weight
}

// metrics returns the errors of all samples of w.
func (t *totals) metrics(m *Model, w data.Whole) Metrics {
	e := t.sum
	if t.classes != nil {
		classes := t.classes.Classes()
		e.Classes, e.Loss = &classes, classes.LogLoss
		return e
	}
	if e.Deviance != nil {
		e.Deviance = numeric.OrNil(e.Loss)
	}
	targets := w.Targets()
	if e.Targets == nil {
		e.R2 = determination(e.RMSE, targets[0].SD, w.Len())
		return e
	}
	total := 0.0
	e.R2 = 0
	for c := range e.Targets {
		e.Targets[c].R2 = determination(e.Targets[c].RMSE, targets[c].SD, w.Len())
		weight := numeric.WeightAt(m.Response.Weights, c)
		e.R2 += float64(weight * e.Targets[c].R2)
		total += weight
	}
	e.R2 /= total
	return e
}

// twoBlocks are the weights of two blocks of samples.
type twoBlocks struct{ a, b float64 }

// mean returns the mean of both from the means of each.
func (s twoBlocks) mean(a, b float64) float64 {
	total := s.a + s.b
	return float64(a*(s.a/total)) + float64(b*(s.b/total))
}

// root is mean for root mean squares.
func (s twoBlocks) root(a, b float64) float64 {
	largest := max(a, b)
	if largest == 0 {
		return 0
	}
	a, b = a/largest, b/largest
	return largest * math.Sqrt(s.mean(a*a, b*b))
}

// merge returns the errors of both blocks, without R2, for a criterion that is the root of a mean or not.
func (s twoBlocks) merge(a, b Metrics, root bool) Metrics {
	all := Metrics{
		Target: a.Target, Samples: a.Samples + b.Samples, Weighted: a.Weighted || b.Weighted, RMSE: s.root(a.RMSE, b.RMSE),
		MAE:       s.mean(a.MAE, b.MAE),
		Uncovered: a.Uncovered + b.Uncovered, OutOfRange: a.OutOfRange + b.OutOfRange, Limited: a.Limited + b.Limited,
		Loss: s.mean(a.Loss, b.Loss), Deviance: a.Deviance,
	}
	if root {
		all.Loss = s.root(a.Loss, b.Loss)
	}
	for i := range a.Pinball {
		all.Pinball = append(all.Pinball, s.mean(a.Pinball[i], b.Pinball[i]))
	}
	for c := range a.Targets {
		all.Targets = append(all.Targets, s.merge(a.Targets[c], b.Targets[c], true))
	}
	return all
}

// eachBlock calls do with the weighed samples of a data set, see [measurable]: with all of them or, if the data set is a sample
// of a Whole, with those of each bucket, whose weights are of mean one over the Whole. It ends with the error of ctx when that ends.
func eachBlock(ctx context.Context, p Preprocessing, d *data.Dataset, do func(block *data.Dataset) error) error {
	d, err := measurable(p, d)
	if err != nil {
		return err
	}
	if d.Whole == nil {
		return do(d)
	}
	unit := d.Whole.Weight() / float64(d.Whole.Len())
	for i := range d.Whole.Buckets() {
		if err := ctx.Err(); err != nil {
			return err
		}
		bucket, err := d.Whole.Bucket(i)
		if err != nil {
			return err
		}
		if bucket == nil {
			continue
		}
		block := *bucket
		block.Schema, block.Missing, block.Weights = d.Schema, d.Missing, nil
		for _, w := range bucket.Weights {
			block.Weights = append(block.Weights, w/unit) // not rounded as those that are trained with
		}
		if err := block.Validate(); err != nil {
			return err
		}
		if err := do(&block); err != nil {
			return fmt.Errorf("bucket %d: %w", i+1, err)
		}
	}
	return nil
}

// Losses returns the losses [N] of the criterion of predictions of a model for a data set.
// Errors of a single target are divided by unit before losses are computed.
func Losses(m *Model, p Predictions, d *data.Dataset, unit float64) []float64 {
	values := p.All()
	s := newScoring(m.kind(), m.Criterion(), d, unit)
	losses, response := make([]float64, d.Len()), make([]float64, len(values))
	for n := range losses {
		for j, v := range values {
			response[j] = v[n]
		}
		losses[n] = s.of(s, response, n)
	}
	return losses
}

// checkPredictions checks that predictions have the values of the model's response to N samples.
func checkPredictions(m *Model, p Predictions, N int) error {
	if got, want := len(p.All()), len(m.Values()); got != want {
		return fmt.Errorf("model: predictions of %d values; those of the model have %d", got, want)
	}
	for _, values := range append(p.All(), p.Values) {
		if len(values) != N {
			return fmt.Errorf("model: %d predictions of %d samples", len(values), N)
		}
	}
	return nil
}

// HeldOutLosses returns the losses [N] of the criterion of a single model on a weighed data set (see [data.Dataset.Weighed]), and those
// of the strongest rule read alone, see [Readability]: NaN for a sample that no rule covers. Errors of a single target are divided by
// unit before losses are computed, and losses are multiplied by the weights. Both come from one forward pass. A committee is an error,
// and so is a data set that is invalid or has other features, targets or classes; if ctx ends, the error is that of ctx.
func HeldOutLosses(ctx context.Context, m *Model, d *data.Dataset, unit float64) (whole, alone []float64, err error) {
	if err := m.Validate(); err != nil {
		return nil, nil, err
	}
	if m.Committee() {
		return nil, nil, errors.New("model: a committee has no strongest rule: only its members have rules")
	}
	if _, err := measurable(m.Preprocessing, d); err != nil {
		return nil, nil, err
	}
	s := newScoring(m.kind(), m.Criterion(), d, unit)
	whole, alone = make([]float64, d.Len()), make([]float64, d.Len())
	err = fireBlocks(ctx, m, d, func(_, start int, f fired) {
		var which []int
		for i := range f.how {
			n := start + i
			w := numeric.WeightAt(d.Weights, n)
			whole[n], alone[n] = w*s.whole(f, i, n), math.NaN()
			if which = rules.Strongest(f.levels[i], which[:0]); len(which) > 0 {
				alone[n] = w * s.alone(f, i, n, which)
			}
		}
	})
	return whole, alone, err
}
