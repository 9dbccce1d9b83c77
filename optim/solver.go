package optim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Solver updates parameters by their gradients, and can be saved and restored at any step.
type Solver interface {
	// Step makes one update in place, of values only: gradients stay as they are. The parameters must be the same
	// ones, in the same order, at each call. Nothing is allocated after the first call.
	//
	// An error leaves values, gradients and the solver as they were. It wraps ErrDiverged if an element of a gradient
	// is not finite or so large that its square is not (2^512), and ErrParameter if a value or gradient is not a
	// contiguous float64 tensor, if the shapes of the two differ, or if they are not those of earlier steps.
	gorgonia.Solver

	// State returns a deep copy of what the solver keeps between steps; options are not part of it.
	State() State

	// Restore sets the state. It refuses, as ErrState and without changing anything, one that is malformed, of
	// another solver, or of other parameters than this solver has already stepped.
	Restore(State) error
}

// LossSolver is a Solver that uses the loss as well as the gradient. The loss must not depend on random batches: it is meant
// for batches of all samples. [Train] keeps the parameters of the lowest loss that it observed, unless a validation decides.
type LossSolver interface {
	Solver

	// Observe receives the loss at the present parameters, before Step moves them.
	Observe(loss float64)
}

// bind resolves the parameters into dst and checks that the step can be made; sizes are their numbers of elements in
// earlier steps, nil before the first.
func bind(dst []Parameter, model []gorgonia.ValueGrad, sizes []int) ([]Parameter, error) {
	if len(model) == 0 {
		return dst, fmt.Errorf("%w: there are none", ErrParameter)
	}
	if sizes != nil && len(model) != len(sizes) {
		return dst, fmt.Errorf("%w: got %d parameters, earlier steps had %d", ErrParameter, len(model), len(sizes))
	}
	if len(dst) != len(model) {
		dst = make([]Parameter, len(model))
	}
	for i, vg := range model {
		p, err := resolve(vg)
		if err != nil {
			return dst, fmt.Errorf("%w: %s: %w", ErrParameter, label(i, vg), err)
		}
		if sizes != nil && len(p.Value) != sizes[i] {
			return dst, fmt.Errorf("%w: %s has %d elements, in earlier steps %d", ErrParameter, label(i, vg), len(p.Value), sizes[i])
		}
		if err := checkGrad(p.Grad); err != nil {
			return dst, fmt.Errorf("%w: %s: %w", ErrDiverged, label(i, vg), err)
		}
		dst[i] = p
	}
	return dst, nil
}

// sizesOf returns the parameters' numbers of elements.
func sizesOf(params []Parameter) []int {
	sizes := make([]int, len(params))
	for i, p := range params {
		sizes[i] = len(p.Value)
	}
	return sizes
}

// State is all that a solver keeps from one step to the next. It keeps every bit through JSON.
type State struct {
	Solver  string                 `json:"solver"`  // name of the solver
	Step    int                    `json:"step"`    // updates made so far; k of the next one is Step+1
	Moments map[string][][]float64 `json:"moments"` // by name ("m", "v"), then by parameter; no parameters at Step 0

	StepSize float64   `json:"step_size,omitempty"` // of anfis
	Losses   []float64 `json:"losses,omitempty"`    // of anfis, those observed since it last changed its step size
}

// sameSizes returns an error if the sizes of two lists of parameters differ.
func sameSizes(got, want [][]float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d parameters against the %d", len(got), len(want))
	}
	for i := range got {
		if len(got[i]) != len(want[i]) {
			return fmt.Errorf("parameter %d has %d elements against the %d", i, len(got[i]), len(want[i]))
		}
	}
	return nil
}

// firstNotFinite finds the first element that is NaN or infinite.
func firstNotFinite(values [][]float64) (i, j int, found bool) {
	for i, row := range values {
		if kernel.Within(row, math.Inf(1)) {
			continue
		}
		for j, v := range row {
			if !numeric.Finite(v) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

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
