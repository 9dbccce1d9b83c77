// Package baseline measures the two baselines that a model must beat: the training mean
// and ordinary least squares on all features.
package baseline

import (
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/lse"
	"github.com/tskgraph/tskgraph/model"
)

// Errors are the errors of the baselines on the test part.
type Errors struct {
	Mean model.Metrics // predicts the training mean
	OLS  model.Metrics // ordinary least squares on all features
}

// Measure fits the baselines to the training part and measures them on the test part,
// both weighted if they have weights. For collinear features, least squares is the
// solution of least norm. A missing or invalid part (see [data.Dataset.Validate]) is a
// *data.Error.
func Measure(train, test *data.Dataset) (Errors, error) {
	if train == nil || test == nil {
		return Errors{}, &data.Error{Message: "baselines need a training and a test part"}
	}
	train, err := train.Weighed()
	if err != nil {
		return Errors{}, err
	}
	prep, err := model.Fit(train)
	if err != nil {
		return Errors{}, err
	}
	if err := prep.CheckFeatures(test); err != nil {
		return Errors{}, err
	}
	if test, err = test.Weighed(); err != nil {
		return Errors{}, err
	}
	x, err := prep.Scale(train.X)
	if err != nil {
		return Errors{}, err
	}
	w := lse.Plane(x, prep.Center(train.Y), train.Weights)
	if x, err = prep.Scale(prep.Fill(test).X); err != nil {
		return Errors{}, err
	}
	mean, linear := make([]float64, test.Len()), make([]float64, test.Len())
	for n, row := range x {
		mean[n] = prep.Target.Mean
		linear[n] = prep.Target.Mean + w[0]
		for m, v := range row {
			linear[n] += float64(w[m+1] * v)
		}
	}
	return Errors{Mean: model.Measure(mean, test.Y, test.Weights), OLS: model.Measure(linear, test.Y, test.Weights)}, nil
}
