package optimtest

import (
	"math"
	"slices"

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

// model is the parameters of a model.
type model []*param

// two returns a model of two parameters, of two elements and one.
func two() model { return model{newParam("a", 1, -2), newParam("b", 0.5)} }

// list returns the parameters for a solver.
func (m model) list() (all []gorgonia.ValueGrad) {
	for _, p := range m {
		all = append(all, p)
	}
	return all
}

// values returns a copy of all elements.
func (m model) values() (all []float64) {
	for _, p := range m {
		all = append(all, p.value.Float64s()...)
	}
	return all
}

// step makes a step of s with the given gradients; a LossSolver observes a loss first.
func (m model) step(s optim.Solver, gradient func(p, i int) float64) error {
	loss := 0.0
	for p, of := range m {
		for i, v := range of.value.Float64s() {
			of.grad.Float64s()[i] = gradient(p, i)
			loss += v * v
		}
	}
	if s, ok := s.(optim.LossSolver); ok {
		s.Observe(loss)
	}
	return s.Step(m.list())
}

// wave is a gradient that depends on the step alone.
func wave(k int) func(p, i int) float64 {
	return func(p, i int) float64 { return math.Sin(float64(k*(i+3))) / float64(3+p) }
}

// sameBits reports whether two slices are equal to the bit.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}
