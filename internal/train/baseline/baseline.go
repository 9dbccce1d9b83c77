// Package baseline measures the baselines that a model must beat: a constant prediction and
// a linear model of all features.
package baseline

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/train/lse"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
)

// Errors are the errors of the baselines on the test part.
type Errors struct {
	// Constant predicts the same for every sample: the training mean, the means of several
	// targets, the training quantiles, or the shares of the classes in the training part, of
	// which the largest is the class predicted.
	Constant model.Metrics

	// Linear is ordinary least squares on all features, for each of several targets, or
	// (multinomial) logistic regression for classes; nil for quantiles, counts and costs.
	Linear *model.Metrics
}

// Measure fits the baselines of a model to the training part and measures them on the test
// part, both weighted if they have weights. For collinear features, least squares is the
// solution of least norm. Of a training part with a Whole, the linear model is fitted to the
// sample; of a test part with a Whole, all rows are measured, as [model.Model.Evaluate] does. A
// missing or invalid part (see [data.Dataset.Validate]) is a *data.Error. When ctx ends, Measure
// returns its error.
func Measure(ctx context.Context, m *model.Model, train, test *data.Dataset) (e Errors, err error) {
	if train == nil || test == nil {
		return e, &data.Error{Message: "baselines need a training and a test part"}
	}
	if train, err = train.Weighed(); err != nil {
		return e, err
	}
	prep, err := model.Fit(ctx, train)
	if err != nil {
		return e, err
	}
	if err := prep.CheckFeatures(test); err != nil {
		return e, err
	}
	if e.Constant, err = m.MeasureMean(ctx, test); err != nil {
		return e, err
	}
	fit := linearOf(m)
	if fit == nil {
		return e, nil
	}
	x, err := prep.Scale(train.X)
	if err != nil {
		return e, err
	}
	predict, err := fit(m, samples{train, x})
	if err != nil {
		return e, err
	}
	linear, err := m.MeasureBy(ctx, test, func(block *data.Dataset) (model.Predictions, error) {
		x, err := prep.Scale(prep.Fill(block).X)
		if err != nil {
			return model.Predictions{}, err
		}
		return predict(x), nil
	})
	e.Linear = &linear
	return e, err
}

// samples are a data set with its scaled features x [N][M].
type samples struct {
	*data.Dataset
	x [][]float64
}

// predictor predicts samples of scaled features x [N][M].
type predictor func(x [][]float64) model.Predictions

// linearOf returns the function that fits the linear baseline of a model to the training
// samples; nil if there is none.
func linearOf(m *model.Model) func(m *model.Model, train samples) (predictor, error) {
	return map[string]func(m *model.Model, train samples) (predictor, error){"identity": leastSquares, "logit": logistic, "softmax": logistic}[m.Link()]
}

// leastSquares fits each target by ordinary least squares.
func leastSquares(m *model.Model, train samples) (predictor, error) {
	var means []float64
	var planes [][]float64 // [C][M+1]
	for c := range train.Schema.Targets() {
		y, mean := train.Target(c).Y, m.Output(c).Target.Mean
		centred := make([]float64, len(y))
		for n, v := range y {
			centred[n] = v - mean
		}
		means, planes = append(means, mean), append(planes, lse.Plane(train.x, centred, train.Weights))
	}
	return func(x [][]float64) (p model.Predictions) {
		for c, w := range planes {
			values := make([]float64, len(x))
			for n, row := range x {
				values[n] = means[c] + w[0]
				for m, v := range row {
					values[n] += float64(w[m+1] * v)
				}
			}
			p.Outputs = append(p.Outputs, values)
		}
		if p.Values = p.Outputs[0]; len(p.Outputs) == 1 {
			p.Outputs = nil
		}
		return p
	}, nil
}

// logistic fits the probabilities of the classes by logistic regression.
func logistic(m *model.Model, train samples) (predictor, error) {
	l := loss.Loss(loss.Softmax{})
	if m.OutputCount() == 1 {
		l = loss.Logistic{}
	}
	w, err := fitLinear(loss.Joint(l, nil), train.x, m.Targets(train.Dataset), train.Weights)
	if err != nil {
		return nil, err
	}
	return func(x [][]float64) model.Predictions {
		var y mat.Dense
		y.Mul(withOnes(x), w)
		p := model.Predictions{Values: make([]float64, len(x)), Outputs: make([][]float64, len(m.Schema.Classes))}
		for k := range p.Outputs {
			p.Outputs[k] = make([]float64, len(x))
		}
		for n := range x {
			row := y.RawRowView(n)
			l.Link().Response(row, row)
			if len(row) == 1 {
				row = []float64{1 - row[0], row[0]}
			}
			for k, v := range row {
				p.Outputs[k][n] = v
			}
			p.Values[n] = float64(metric.MostProbable(p.Outputs, n))
		}
		return p
	}, nil
}
