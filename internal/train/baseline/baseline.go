// Package baseline measures the baselines that a model must beat: a constant prediction and
// a linear model of all features.
package baseline

import (
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
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

	// Naive are the naive and the seasonal naive forecast of a model of a table of time stamps, see [model.Preprocessing.Naive].
	Naive []Named
}

// Named are errors of a baseline of a name.
type Named struct {
	Name string
	model.Metrics
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
	if e.Naive, err = naive(ctx, m, prep, test); err != nil {
		return e, err
	}
	fit := linearFits[m.Link()]
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

// naive measures the forecasts that are features.
func naive(ctx context.Context, m *model.Model, prep model.Preprocessing, test *data.Dataset) (all []Named, err error) {
	features, names := prep.Naive()
	if !m.Number() {
		return nil, nil // of counts and quantiles, predictions are not values alone
	}
	for i, at := range features {
		e, err := m.MeasureBy(ctx, test, func(block *data.Dataset) (p model.Predictions, err error) {
			for _, x := range prep.Fill(block).X {
				p.Values = append(p.Values, x[at])
			}
			return p, nil
		})
		if err != nil {
			return nil, err
		}
		all = append(all, Named{names[i], e})
	}
	return all, nil
}

// samples are a data set with its scaled features x [N][M].
type samples struct {
	*data.Dataset
	x [][]float64
}

// predictor predicts samples of scaled features x [N][M].
type predictor func(x [][]float64) model.Predictions

// linearFits fit the linear baseline of a model to the training samples, by the link of its loss; others have none.
var linearFits = map[string]func(m *model.Model, train samples) (predictor, error){"identity": leastSquares, "logit": logistic,
	"softmax": logistic}

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
		sum += float64(numeric.WeightAt(f.weights, n) * f.loss.Value(f.outputs.RawRowView(n), f.targets.RawRowView(n)))
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
		floats.ScaleTo(y, numeric.WeightAt(f.weights, n), slope)
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
	return numeric.WeightSum(f.weights, rows)
}

// Verdict compares a model with the baselines on rows outside its training part, by the
// figure by which models of its task are compared, see [model.Criterion].
type Verdict struct {
	Part          string   `json:"part"`             // the test part, without one the validation part, or the table that was evaluated
	Measure       string   `json:"measure"`          // name of the figure, such as RMSE or log loss
	Model         float64  `json:"model"`            // figure of the model
	Constant      float64  `json:"constant"`         // of the constant prediction, see Errors
	Linear        *float64 `json:"linear,omitempty"` // of the linear model; null: none, or unknown
	BeatsConstant bool     `json:"beats_mean"`       // the key is that of the training mean
	BeatsLinear   *bool    `json:"beats_ols,omitempty"`

	names Names
}

// Compare returns the verdict on model m with the errors e, given those of the baselines. A
// model whose figure is zero beats both.
func Compare(part string, m *model.Model, e model.Metrics, b Errors) *Verdict {
	beats := func(other model.Metrics) bool { return e.Loss < other.Loss || e.Loss == 0 }
	v := &Verdict{
		Part: part, Measure: m.Criterion().Name, Model: e.Loss, Constant: b.Constant.Loss, BeatsConstant: beats(b.Constant), names: NamesOf(m),
	}
	if b.Linear != nil {
		better := beats(*b.Linear)
		v.Linear, v.BeatsLinear = &b.Linear.Loss, &better
	}
	return v
}

// Of returns the verdict, which was read from a file, as one on model m: with the names of its baselines. It returns nil for nil.
func (v *Verdict) Of(m *model.Model) *Verdict {
	if v == nil {
		return nil
	}
	named := *v
	named.names = NamesOf(m)
	return &named
}

// Warning names the baseline that the model does not beat; it is empty if the model beats both, and for nil.
func (v *Verdict) Warning() string {
	switch {
	case v == nil:
		return ""
	case !v.BeatsConstant:
		return fmt.Sprintf("the model is no better than the %s on %s: %s %.5g, that of the %s %.5g. Do not trust its predictions: try fewer "+
			"rules (model.rules), more rows%s",
			v.names.Constant, v.Part, v.Measure, v.Model, v.names.Short, v.Constant, v.names.advice)
	case v.BeatsLinear != nil && !*v.BeatsLinear:
		return fmt.Sprintf("the model does not beat %s, %s, on %s: %s %.5g, that of %s %.5g",
			v.names.Linear, v.names.what, v.Part, v.Measure, v.Model, v.names.Linear, *v.Linear)
	}
	return ""
}

// Names are the names of the baselines of a model.
type Names struct {
	Constant string // such as training mean
	Linear   string // such as least squares
	Short    string // Constant without "training"

	what   string // Linear is
	advice string // also given where the model is no better than Constant
}

// NamesOf returns the names of the baselines of a model.
func NamesOf(m *model.Model) Names {
	const limits = ", or limits of predictions (model.margin: 0, model.range)"
	words, of := m.Words(), Names{Linear: "logistic regression", what: "linear in the logarithm of the odds"}
	one := Names{Linear: "least squares", what: "one linear formula", advice: limits}
	n := map[string]Names{"number": one, "count": one, "two classes": of, "classes": of, "quantiles": {advice: limits},
		"targets": {Linear: "least squares", what: "one linear formula for each target", advice: limits}}[words.Kind]
	n.Constant, n.Short = words.Constant, strings.TrimPrefix(words.Constant, "training ")
	return n
}
