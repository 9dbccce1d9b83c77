package optimtest

import (
	"errors"
	"slices"
	"testing"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/optim"
)

// broken is a solver with another step or state.
type broken struct {
	optim.Solver
	step  func(s optim.Solver, model []gorgonia.ValueGrad) error
	state func(optim.State) optim.State
}

func (b broken) Step(model []gorgonia.ValueGrad) error {
	if b.step != nil {
		return b.step(b.Solver, model)
	}
	return b.Solver.Step(model)
}

func (b broken) State() optim.State {
	if b.state != nil {
		return b.state(b.Solver.State())
	}
	return b.Solver.State()
}

var allocated []float64

// Each claim refuses a solver that contradicts it.
func TestClaimsCatch(t *testing.T) {
	first := func(model []gorgonia.ValueGrad) *param { return model[0].(*param) }
	faults := map[string]broken{
		"descent": {step: func(s optim.Solver, model []gorgonia.ValueGrad) error {
			return optim.Scheduled(s, func(int, gorgonia.ValueGrad) float64 { return -1 }).Step(model)
		}},
		"finite steps": {step: func(s optim.Solver, model []gorgonia.ValueGrad) error {
			err, g, v := s.Step(model), first(model).grad.Float64s()[0], first(model).value.Float64s()
			v[0] += 0 / (g * g)
			return err
		}},
		"gradients": {step: func(s optim.Solver, model []gorgonia.ValueGrad) error {
			err := s.Step(model)
			first(model).grad.Float64s()[1] *= 0.5
			return err
		}},
		"gradients that are not finite": {step: func(s optim.Solver, model []gorgonia.ValueGrad) error {
			first(model).value.Float64s()[0] += 1e-3
			return s.Step(model)
		}},
		"state": {state: func(st optim.State) optim.State {
			st.Moments["v"] = slices.Clone(st.Moments["m"])
			return st
		}},
		"schedule": {step: func(s optim.Solver, model []gorgonia.ValueGrad) error {
			v := first(model).value.Float64s()
			before := v[0]
			err := s.Step(model)
			v[0] = before
			return err
		}},
		"allocations": {step: func(s optim.Solver, model []gorgonia.ValueGrad) error {
			allocated = make([]float64, len(model))
			return s.Step(model)
		}},
	}
	adam := method(func() optim.Method { return new(optim.Adam) })
	for _, c := range claims {
		fault, known := faults[c.name]
		if !known {
			t.Errorf("%s: no solver contradicts the claim", c.name)
		}
		if err := c.holds(func() optim.Solver { return broken{adam.slow(), fault.step, fault.state} }); err == nil {
			t.Errorf("%s: a solver that contradicts the claim passes", c.name)
		}
	}
}

// wrongOptions is a method with a fault of its options.
type wrongOptions struct {
	optim.SGD
	unused float64
	change func([]optim.Option) []optim.Option
}

func (w *wrongOptions) Options() []optim.Option { return w.change(w.SGD.Options()) }

func TestOptionsCatch(t *testing.T) {
	for fault, change := range map[string]func(w *wrongOptions, o []optim.Option) []optim.Option{
		"the first option is not": func(_ *wrongOptions, o []optim.Option) []optim.Option { return o[1:] },
		"no such name":            func(_ *wrongOptions, o []optim.Option) []optim.Option { o[1].Default = -1; return o },
		"momentum NaN: error":     func(_ *wrongOptions, o []optim.Option) []optim.Option { o[1].Limits = nil; return o },
		"unused has no effect": func(w *wrongOptions, o []optim.Option) []optim.Option {
			return append(o, optim.Option{Name: "unused", Doc: "nothing", Limits: interval.From(0), Value: &w.unused})
		},
	} {
		construct := method(func() optim.Method {
			w := new(wrongOptions)
			w.change = func(o []optim.Option) []optim.Option { return change(w, o) }
			return w
		})
		testenv.FailsWith(t, errors.Join(described(construct()), options(construct)), fault)
	}
}
