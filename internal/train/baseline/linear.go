package baseline

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/loss"
)

// linear is a generalised linear model (McCullagh and Nelder 1989): its outputs are linear in the features. It minimises
//
//	sum_n weight_n L(y(x_n), t_n) + 1/2 sum_mc w_mc^2
//
// without a penalty on the intercepts, as scikit-learn's LogisticRegression does by default for a cross-entropy of
// standardised features. The penalty keeps the coefficients of separable classes finite.
type linear struct {
	loss    loss.OfOutputs
	x       *mat.Dense // [N, M+1], ones in the first column
	targets *mat.Dense // [N, C]
	weights []float64  // [N]; nil: all one

	outputs, slopes *mat.Dense // [N, C] and [M+1, C] of the last evaluation
}

// The search ends when no derivative of the mean loss exceeds tolerance, or after mostIterations.
const (
	tolerance      = 1e-7
	mostIterations = 200
)

// fitLinear returns the coefficients [M+1, C], intercepts in the first row, for samples x [N][M] with targets [N,C] and
// weights [N] (nil: all one), by LBFGS from zero.
func fitLinear(l loss.OfOutputs, x [][]float64, targets, weights []float64) (*mat.Dense, error) {
	n, inputs, outputs := len(x), len(x[0])+1, len(targets)/len(x)
	f := &linear{
		loss: l, x: withOnes(x), targets: mat.NewDense(n, outputs, targets), weights: weights,
		outputs: mat.NewDense(n, outputs, nil), slopes: mat.NewDense(inputs, outputs, nil),
	}
	problem := optimize.Problem{
		Func: func(w []float64) float64 { return f.evaluate(mat.NewDense(inputs, outputs, w)) },
		Grad: func(grad, w []float64) { f.gradient(grad, mat.NewDense(inputs, outputs, w)) },
	}
	settings := &optimize.Settings{GradientThreshold: tolerance, MajorIterations: mostIterations, Converger: optimize.NeverTerminate{}}
	best, err := optimize.Minimize(problem, make([]float64, inputs*outputs), settings, &optimize.LBFGS{})
	if best == nil { // a line search that ends for lack of digits is an error, too, but of a minimum
		return nil, fmt.Errorf("baseline: linear model: %w", err)
	}
	return mat.NewDense(inputs, outputs, best.X), nil
}

// withOnes returns the samples x [N][M] with a column of ones before the others.
func withOnes(x [][]float64) *mat.Dense {
	a := mat.NewDense(len(x), len(x[0])+1, nil)
	for n, row := range x {
		a.Set(n, 0, 1)
		for m, v := range row {
			a.Set(n, m+1, v)
		}
	}
	return a
}

// evaluate returns the loss over the sum of the weights.
func (f *linear) evaluate(w *mat.Dense) float64 {
	f.outputs.Mul(f.x, w)
	sum := 0.0
	for n := range f.outputs.RawMatrix().Rows {
		sum += float64(weighted.At(f.weights, n) * f.loss.Value(f.outputs.RawRowView(n), f.targets.RawRowView(n)))
	}
	for m := 1; m < w.RawMatrix().Rows; m++ { // not the intercepts
		norm := floats.Norm(w.RawRowView(m), 2)
		sum += float64(norm * norm / 2)
	}
	return sum / f.total()
}

// gradient writes the derivatives of evaluate to grad [(M+1) C].
func (f *linear) gradient(grad []float64, w *mat.Dense) {
	f.outputs.Mul(f.x, w)
	rows, columns := f.outputs.Dims()
	slope := make([]float64, columns)
	for n := range rows {
		y := f.outputs.RawRowView(n)
		f.loss.Gradient(slope, y, f.targets.RawRowView(n))
		floats.ScaleTo(y, weighted.At(f.weights, n), slope)
	}
	f.slopes.Mul(f.x.T(), f.outputs)
	inputs, _ := w.Dims()
	for m := 1; m < inputs; m++ {
		floats.Add(f.slopes.RawRowView(m), w.RawRowView(m))
	}
	floats.ScaleTo(grad, 1/f.total(), f.slopes.RawMatrix().Data)
}

// total is the sum of the weights.
func (f *linear) total() float64 {
	rows, _ := f.x.Dims()
	return weighted.Sum(f.weights, rows)
}
