package optim_test

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/optim"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
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

// inOrder draws batches of B samples in their order, pass after pass, without masks. What it keeps between draws is the place
// of the next sample.
type inOrder struct {
	optim.Data
	B, next           int
	x, target, weight []float64
}

func (b *inOrder) Batch() int         { return b.B }
func (b *inOrder) Sample() optim.Data { return b.Data }

func (b *inOrder) Next() (x, target, mask, weight []float64, err error) {
	b.x, b.target, b.weight = b.x[:0], b.target[:0], b.weight[:0]
	for range b.B {
		b.x, b.target, b.weight = append(b.x, b.X[b.next]...), append(b.target, b.Y[b.next]), append(b.weight, 1)
		b.next = (b.next + 1) % len(b.X)
	}
	return b.x, b.target, nil, b.weight, nil
}

func (b *inOrder) State() optim.SamplerState {
	return optim.SamplerState{Batch: b.B, Order: []int{b.next}}
}

func (b *inOrder) Restore(s optim.SamplerState) error {
	if len(s.Order) != 1 || s.Order[0] < 0 || s.Order[0] >= len(b.X) || s.Batch != b.B {
		return optim.ErrState
	}
	b.next = s.Order[0]
	return nil
}

// Train on batches of one's own: here in the order of the samples. Training that is interrupted continues with the same bits.
func ExampleBatches() {
	var d optim.Data
	for i := range 100 {
		x := float64(i)/50 - 1
		d.X, d.Y = append(d.X, []float64{x}), append(d.Y, 2*x-1)
	}
	var saved optim.Checkpoint
	train := func(l *line, o optim.Options) error {
		solver, err := optim.New(&optim.SGD{LearningRate: 0.01})
		if err != nil {
			return err
		}
		_, err = optim.Train(context.Background(), l, solver, &inOrder{Data: d, B: 30}, o)
		return err
	}
	whole, first, rest := newLine(1), newLine(1), newLine(1)
	fmt.Println(train(whole, optim.Options{Iterations: 50}))
	drawn := 0
	fmt.Println(train(first, optim.Options{
		Iterations: 20, Due: func() bool { drawn++; return drawn == 20 }, Save: func(c optim.Checkpoint) { saved = c },
	}))
	copy(rest.slope.value.Float64s(), first.slope.value.Float64s())
	copy(rest.intercept.value.Float64s(), first.intercept.value.Float64s())
	fmt.Println(train(rest, optim.Options{Iterations: 50, From: &saved}))
	fmt.Println(sameBits(rest.theta(), whole.theta()))
	// Output:
	// <nil>
	// <nil>
	// <nil>
	// true
}
