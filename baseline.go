package tskgraph

import (
	"gonum.org/v1/gonum/mat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Baselines are the errors, on the test part, of two models that any other must
// beat.
type Baselines struct {
	Mean model.Metrics // predicts the training mean
	OLS  model.Metrics // ordinary least squares on all features
}

// FitBaselines fits the baselines to the training part and measures them on the
// test part. Where the features are collinear, least squares takes the solution
// of least norm.
func FitBaselines(train, test *data.Dataset) (Baselines, error) {
	if train == nil || test == nil {
		return Baselines{}, &data.Error{Message: "baselines need a training and a test part"}
	}
	prep, err := model.Fit(train)
	if err != nil {
		return Baselines{}, err
	}
	if err := prep.CheckFeatures(test); err != nil {
		return Baselines{}, err
	}
	x, err := prep.Scale(train.X)
	if err != nil {
		return Baselines{}, err
	}
	w := leastSquares(x, prep.Center(train.Y))
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
	return Baselines{Mean: model.Measure(mean, test.Y), OLS: model.Measure(linear, test.Y)}, nil
}

// leastSquares returns the intercept and the M slopes that minimise the sum of
// squared errors.
func leastSquares(x [][]float64, y []float64) []float64 {
	a := mat.NewDense(len(x), len(x[0])+1, nil)
	for n, row := range x {
		a.Set(n, 0, 1)
		for m, v := range row {
			a.Set(n, m+1, v)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return make([]float64, len(x[0])+1) // it did not converge: the mean
	}
	var w mat.Dense
	svd.SolveTo(&w, mat.NewDense(len(y), 1, y), svd.Rank(1e-12))
	return mat.Col(nil, 0, &w)
}
