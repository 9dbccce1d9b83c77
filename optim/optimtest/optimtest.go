// Package optimtest tests a method of package optim: the requirements of [optim.Solver] and the options that the method
// declares. One line tests a method of any module:
//
//	func TestLion(t *testing.T) { optimtest.Run(t, func() optim.Method { return new(Lion) }) }
package optimtest

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/optim"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Run tests a method, which construct returns with all options zero or with some set, in one subtest per claim:
//
//   - descent: with a learning rate of 0.01, 20,000 steps make a quadratic a thousand times smaller;
//   - finite steps: gradients of zero, and of the least and largest sizes, leave finite parameters;
//   - gradients: a step does not change them;
//   - gradients that are not finite: an error that names the parameter; nothing moves;
//   - state: complete, and kept by JSON to the bit;
//   - schedule: half a step moves the parameters by half ([optim.Scheduled]);
//   - allocations: none after the first step;
//   - options: the first is [optim.LearningRate]; all have a meaning, a default within their limits and an effect, and
//     refuse values beyond their limits.
func Run(t *testing.T, construct func() optim.Method) {
	t.Helper()
	if err := described(construct()); err != nil {
		t.Fatal(err)
	}
	for _, c := range claims {
		t.Run(c.name, func(t *testing.T) {
			if err := c.holds(method(construct).slow); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("options", func(t *testing.T) {
		if err := options(construct); err != nil {
			t.Error(err)
		}
	})
}

// claim is a requirement of the solvers that a constructor returns. holds returns an error if one contradicts it.
type claim struct {
	name  string
	holds func(fresh func() optim.Solver) error
}

var claims = []claim{
	{"descent", descends},
	{"finite steps", finiteSteps},
	{"gradients", keepsGradients},
	{"gradients that are not finite", refusesNotFinite},
	{"state", stateIsComplete},
	{"schedule", canBeScheduled},
	{"allocations", allocatesNothing},
}

// method constructs a method.
type method func() optim.Method

// with returns the solver with an option set.
func (construct method) with(name string, value float64) (optim.Solver, error) {
	m := construct()
	for _, o := range m.Options() {
		if o.Name == name {
			*o.Value = value
		}
	}
	return optim.New(m)
}

// slow returns the solver with a learning rate of 0.01.
func (construct method) slow() optim.Solver {
	s, err := construct.with(optim.LearningRate, 0.01)
	if err != nil {
		panic(err)
	}
	return s
}

var optionName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// described checks names, meanings and defaults.
func described(m optim.Method) error {
	if m.Name() == "" || len(m.Options()) == 0 || m.Options()[0].Name != optim.LearningRate {
		return fmt.Errorf("method %q: the first option is not %s", m.Name(), optim.LearningRate)
	}
	for _, o := range m.Options() {
		if !optionName.MatchString(o.Name) || o.Doc == "" || o.Value == nil || !o.Limits.Has(o.Default) {
			return fmt.Errorf("method %s: option %q has no such name, no meaning or value, or a default of %g, which must be %s",
				m.Name(), o.Name, o.Default, o.Limits)
		}
	}
	return nil
}

// options sets each option to values beyond its limits and within.
func options(construct method) error {
	for _, o := range construct().Options() {
		bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
		if o.Limits != nil {
			bad = append(bad, o.Limits.Low-1)
		}
		for _, v := range bad {
			_, err := construct.with(o.Name, v)
			if fault := new(optim.OptionError); !errors.As(err, &fault) || fault.Option != o.Name {
				return fmt.Errorf("%s %g: error %v", o.Name, v, err)
			}
		}
		if !slices.ContainsFunc([]float64{0.7, 7}, func(v float64) bool { return o.Limits.Has(v) && construct.moves(o, v) }) {
			return fmt.Errorf("%s has no effect", o.Name)
		}
	}
	return nil
}

// moves reports whether a value of an option changes the steps along gradients of many sizes.
func (construct method) moves(o optim.Option, v float64) bool {
	run := func(v float64) (trajectory []float64) {
		s, err := construct.with(o.Name, v)
		if err != nil {
			return nil
		}
		params := model{newParam("theta", 1, 1)}
		for k := 1; k <= 30; k++ {
			if params.step(s, func(p, i int) float64 { return wave(k)(p, i) * math.Pow10(k%4-6*i) }) != nil {
				return nil
			}
			trajectory = append(trajectory, params.values()...)
		}
		return trajectory
	}
	return !sameBits(run(v), run(0))
}

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
