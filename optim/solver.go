package optim

import (
	"fmt"

	"gorgonia.org/gorgonia"
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
