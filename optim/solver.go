package optim

import (
	"fmt"
	"math"

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

	// State returns a deep copy of all that Step remembers; options are not part of it.
	State() State

	// Restore puts back a state. It refuses, as ErrState and without changing anything, one that is malformed, of
	// another solver, or of other parameters than this solver has already stepped.
	Restore(State) error
}

// LossSolver is a Solver that goes by the loss as well, and so wants it free of chance: it is meant for batches of all
// samples. [Train] keeps the parameters of the lowest loss that it observed, unless a validation decides.
type LossSolver interface {
	Solver

	// Observe tells the loss at the present parameters, before Step moves them.
	Observe(loss float64)
}

// method is an update rule: one row of the table of solvers.
type method struct {
	name     string
	uses     []string      // names of the options it uses
	defaults SolverOptions // of those options
	moments  []string      // names of its moments, running averages of the size of the parameters

	// update makes a step on one parameter; moments are zero at first, in the order of their names.
	update func(o *SolverOptions, s step, p parameter, moments [][]float64)

	// build makes a solver that is no such update; nil: it is one.
	build func(o SolverOptions) Solver
}

// step is what all parameters share of step k >= 1: the bias corrections of running averages with beta1 and beta2.
type step struct {
	k      int
	c1, c2 float64
}

// biasCorrection is 1 / (1 - beta^k): what turns the running average of k terms that started at zero into an unbiased one.
func biasCorrection(beta float64, k int) float64 { return 1 / (1 - math.Pow(beta, float64(k))) }

// methods is the table of solvers, by name.
var methods = []method{adaBound, adam, jang, rmsProp, sgd}

// lookup finds a method by name.
func lookup(name string) (method, bool) {
	for _, m := range methods {
		if m.name == name {
			return m, true
		}
	}
	return method{}, false
}

// Solvers lists the names of all solvers, sorted.
func Solvers() []string {
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.name
	}
	return names
}

// NewSolver returns the solver of that name with its state at zero. Zero options take the solver's defaults; see
// [Resolve] for what is refused.
func NewSolver(name string, o SolverOptions) (Solver, error) {
	o, err := Resolve(name, o)
	if err != nil {
		return nil, err
	}
	m, _ := lookup(name)
	if m.build != nil {
		return m.build(o), nil
	}
	return &solver{method: m, options: o}, nil
}

// solver runs a method and keeps its state. It has moments exactly if step > 0.
type solver struct {
	method  method
	options SolverOptions
	step    int
	moments [][][]float64 // by parameter, then by moment
	sizes   []int         // elements by parameter
	params  []parameter   // of the current step
}

// Step is described at Solver.
func (s *solver) Step(model []gorgonia.ValueGrad) error {
	var err error
	if s.params, err = bind(s.params, model, s.sizes); err != nil {
		return err
	}
	if s.step == 0 {
		s.allocate()
	}
	s.step++
	at := step{s.step, biasCorrection(s.options.Beta1, s.step), biasCorrection(s.options.Beta2, s.step)}
	for i, p := range s.params {
		s.method.update(&s.options, at, p, s.moments[i])
	}
	return nil
}

// bind resolves the parameters into dst and checks that the step can be made; sizes are their numbers of elements in
// earlier steps, nil before the first.
func bind(dst []parameter, model []gorgonia.ValueGrad, sizes []int) ([]parameter, error) {
	if len(model) == 0 {
		return dst, fmt.Errorf("%w: there are none", ErrParameter)
	}
	if sizes != nil && len(model) != len(sizes) {
		return dst, fmt.Errorf("%w: got %d parameters, earlier steps had %d", ErrParameter, len(model), len(sizes))
	}
	if len(dst) != len(model) {
		dst = make([]parameter, len(model))
	}
	for i, vg := range model {
		p, err := resolve(vg)
		if err != nil {
			return dst, fmt.Errorf("%w: %s: %w", ErrParameter, label(i, vg), err)
		}
		if sizes != nil && len(p.value) != sizes[i] {
			return dst, fmt.Errorf("%w: %s has %d elements, in earlier steps %d", ErrParameter, label(i, vg), len(p.value), sizes[i])
		}
		if err := checkGrad(p.grad); err != nil {
			return dst, fmt.Errorf("%w: %s: %w", ErrDiverged, label(i, vg), err)
		}
		dst[i] = p
	}
	return dst, nil
}

// sizesOf returns the parameters' numbers of elements.
func sizesOf(params []parameter) []int {
	sizes := make([]int, len(params))
	for i, p := range params {
		sizes[i] = len(p.value)
	}
	return sizes
}

// allocate makes the moments of the bound parameters, all zero.
func (s *solver) allocate() {
	s.sizes = sizesOf(s.params)
	s.moments = make([][][]float64, len(s.params))
	for i, p := range s.params {
		s.moments[i] = make([][]float64, len(s.method.moments))
		for j := range s.moments[i] {
			s.moments[i][j] = make([]float64, len(p.value))
		}
	}
}
