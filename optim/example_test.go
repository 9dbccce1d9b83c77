package optim_test

import (
	"context"
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/optim"
)

// param is a trainable tensor with its gradient.
type param struct {
	name        string
	value, grad *tensor.Dense
}

func newParam(name string, values ...float64) *param {
	shape := tensor.WithShape(len(values))
	return &param{name, tensor.New(shape, tensor.WithBacking(values)), tensor.New(shape, tensor.Of(tensor.Float64))}
}

func (p *param) Name() string                  { return p.name }
func (p *param) Value() gorgonia.Value         { return p.value }
func (p *param) Grad() (gorgonia.Value, error) { return p.grad, nil }

// line is weighted linear least squares, y = intercept + sum_m slope_m x_m: the simplest Objective.
type line struct {
	slope, intercept *param
	params           []gorgonia.ValueGrad
}

func newLine(features int) *line {
	l := &line{slope: newParam("slope", make([]float64, features)...), intercept: newParam("intercept", 0)}
	l.params = []gorgonia.ValueGrad{l.slope, l.intercept}
	return l
}

func (l *line) Params() []gorgonia.ValueGrad { return l.params }

func (l *line) Project() {} // any slope and intercept will do

func (l *line) Evaluate(x, target, _, weight []float64) (data, penalty float64, skipped int, err error) {
	w, b := l.slope.value.Float64s(), l.intercept.value.Float64s()
	gw, gb := l.slope.grad.Float64s(), l.intercept.grad.Float64s()
	clear(gw)
	clear(gb)
	for n, t := range target {
		row := x[n*len(w) : (n+1)*len(w)]
		e := b[0] - t
		for m := range w {
			e += w[m] * row[m]
		}
		data += weight[n] * e * e / 2
		gb[0] += weight[n] * e
		for m := range w {
			gw[m] += weight[n] * e * row[m]
		}
	}
	return data, 0, 0, nil
}

// Fit y = 2x - 1.
func Example() {
	var d optim.Data
	for i := range 100 {
		x := float64(i)/50 - 1
		d.X, d.Y = append(d.X, []float64{x}), append(d.Y, 2*x-1)
	}
	masks, err := optim.NewDropRule(1, 1, 42) // one rule, always kept
	if err != nil {
		fmt.Println(err)
		return
	}
	sampler, err := optim.NewSampler(d, 16, masks, 42) // batches of 16
	if err != nil {
		fmt.Println(err)
		return
	}
	solver, err := optim.New(&optim.AdaBound{LearningRate: 0.05})
	if err != nil {
		fmt.Println(err)
		return
	}
	l := newLine(1)
	result, err := optim.Train(context.Background(), l, solver, sampler, optim.Options{Iterations: 500})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s after %d iterations: y = %.3fx %+.3f\n", result.Stopped, result.Iterations,
		l.slope.value.Float64s()[0], l.intercept.value.Float64s()[0])
	// Output: completed after 500 iterations: y = 2.000x -1.000
}
