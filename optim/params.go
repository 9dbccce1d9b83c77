package optim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
)

// Parameter is one trainable tensor as an [Updater] sees it.
type Parameter struct {
	Value, Grad []float64   // the live elements; only Value is to be changed
	Moments     [][]float64 // in the order of their names, each of the size of Value
}

// gradLimit bounds the size of a gradient's elements: from here on their squares, which second moments are made of,
// are no longer finite.
const gradLimit = 0x1p512

// resolve finds the live elements of one parameter. It does not allocate unless it fails.
func resolve(p gorgonia.ValueGrad) (Parameter, error) {
	value, err := denseValue(p)
	if err != nil {
		return Parameter{}, err
	}
	g, err := p.Grad()
	if err != nil {
		return Parameter{}, fmt.Errorf("gradient: %w", err)
	}
	grad, err := dense(g)
	if err != nil {
		return Parameter{}, fmt.Errorf("gradient: %w", err)
	}
	if !slices.Equal(value.Shape(), grad.Shape()) || !slices.Equal(value.Strides(), grad.Strides()) {
		return Parameter{}, fmt.Errorf("gradient: shape %v, strides %v; the value has %v, %v",
			grad.Shape(), grad.Strides(), value.Shape(), value.Strides())
	}
	return Parameter{Value: value.Float64s(), Grad: grad.Float64s()}, nil
}

// denseValue returns a parameter's value.
func denseValue(p gorgonia.ValueGrad) (*tensor.Dense, error) {
	if p == nil {
		return nil, errors.New("is nil")
	}
	value, err := dense(p.Value())
	if err != nil {
		return nil, fmt.Errorf("value: %w", err)
	}
	return value, nil
}

// dense returns v as a tensor whose Float64s are its elements, live and in order.
func dense(v gorgonia.Value) (*tensor.Dense, error) {
	d, ok := v.(*tensor.Dense)
	switch {
	case !ok || d == nil:
		return nil, fmt.Errorf("%T is not a dense tensor", v)
	case d.Dtype() != tensor.Float64:
		return nil, fmt.Errorf("elements are %v, want float64", d.Dtype())
	case d.RequiresIterator():
		return nil, errors.New("elements are not contiguous (a slice or a lazy transpose)")
	}
	return d, nil
}

// checkGrad refuses a gradient that is not finite, or too large for its square to be.
func checkGrad(grad []float64) error {
	if kernel.Within(grad, gradLimit) {
		return nil
	}
	for j, g := range grad {
		if !(math.Abs(g) < gradLimit) { // also true of NaN
			return fmt.Errorf("gradient is %g at element %d", g, j)
		}
	}
	return nil
}

// label describes parameter i in error messages, by its index and its name if it has one.
func label(i int, p gorgonia.ValueGrad) string {
	if n, ok := p.(gorgonia.Namer); ok {
		return fmt.Sprintf("parameter %d (%s)", i, n.Name())
	}
	return fmt.Sprintf("parameter %d", i)
}
