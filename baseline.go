package tskgraph

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/weighted"
	"github.com/tskgraph/tskgraph/model"
)

// Baselines are the errors, on the test part, of two models that any other must
// beat.
type Baselines struct {
	Mean model.Metrics // predicts the training mean
	OLS  model.Metrics // ordinary least squares on all features
}

// FitBaselines fits the baselines to the training part and measures them on the
// test part, both weighted if they have weights. Where the features are collinear, least squares takes the solution
// of least norm.
func FitBaselines(train, test *data.Dataset) (Baselines, error) {
	if train == nil || test == nil {
		return Baselines{}, &data.Error{Message: "baselines need a training and a test part"}
	}
	train, err := train.Weighed()
	if err != nil {
		return Baselines{}, err
	}
	prep, err := model.Fit(train)
	if err != nil {
		return Baselines{}, err
	}
	if err := prep.CheckFeatures(test); err != nil {
		return Baselines{}, err
	}
	if test, err = test.Weighed(); err != nil {
		return Baselines{}, err
	}
	x, err := prep.Scale(train.X)
	if err != nil {
		return Baselines{}, err
	}
	w := leastSquares(x, prep.Center(train.Y), train.Weights)
	if x, err = prep.Scale(prep.Fill(test).X); err != nil {
		return Baselines{}, err
	}
	mean, linear := make([]float64, test.Len()), make([]float64, test.Len())
	for n, row := range x {
		mean[n] = prep.Target.Mean
		linear[n] = prep.Target.Mean + w[0]
		for m, v := range row {
			linear[n] += float64(w[m+1] * v)
		}
	}
	return Baselines{Mean: model.Measure(mean, test.Y, test.Weights), OLS: model.Measure(linear, test.Y, test.Weights)}, nil
}

// leastSquares returns the intercept and the M slopes that minimise the weighted sum of
// squared errors.
func leastSquares(x [][]float64, y, weights []float64) []float64 {
	a, b := mat.NewDense(len(x), len(x[0])+1, nil), mat.NewDense(len(y), 1, nil)
	for n, row := range x {
		root := math.Sqrt(weighted.At(weights, n))
		a.Set(n, 0, root)
		for m, v := range row {
			a.Set(n, m+1, root*v)
		}
		b.Set(n, 0, root*y[n])
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return make([]float64, len(x[0])+1) // it did not converge: the mean
	}
	var w mat.Dense
	svd.SolveTo(&w, b, svd.Rank(1e-12))
	return mat.Col(nil, 0, &w)
}
