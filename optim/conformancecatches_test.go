package optim_test

import (
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/optim"
	"gorgonia.org/gorgonia"
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

// Each clause refuses a solver that breaks it.
func TestConformanceCatches(t *testing.T) {
	first := func(model []gorgonia.ValueGrad) *param { return model[0].(*param) }
	faults := map[string]broken{
		"it descends a quadratic": {step: func(s optim.Solver, model []gorgonia.ValueGrad) error {
			return optim.Scheduled(s, func(int, gorgonia.ValueGrad) float64 { return -1 }).Step(model)
		}},
		"its steps are finite": {step: func(s optim.Solver, model []gorgonia.ValueGrad) error {
			err, g, v := s.Step(model), first(model).grad.Float64s()[0], first(model).value.Float64s()
			v[0] += 0 / (g * g)
			return err
		}},
		"it keeps gradients as they are": {step: func(s optim.Solver, model []gorgonia.ValueGrad) error {
			err := s.Step(model)
			first(model).grad.Float64s()[1] *= 0.5
			return err
		}},
		"a gradient that is not finite moves nothing": {step: func(s optim.Solver, model []gorgonia.ValueGrad) error {
			first(model).value.Float64s()[0] += 1e-3
			return s.Step(model)
		}},
		"its state is complete": {state: func(st optim.State) optim.State {
			st.Moments["v"] = slices.Clone(st.Moments["m"])
			return st
		}},
		"its steps can be scheduled": {step: func(s optim.Solver, model []gorgonia.ValueGrad) error {
			v := first(model).value.Float64s()
			before := v[0]
			err := s.Step(model)
			v[0] = before
			return err
		}},
		"a step allocates nothing": {step: func(s optim.Solver, model []gorgonia.ValueGrad) error {
			allocated = make([]float64, len(model))
			return s.Step(model)
		}},
	}
	for clause, check := range clauses {
		fault, known := faults[clause]
		if !known {
			t.Errorf("%s: no solver breaks the clause", clause)
		}
		if err := check(func() optim.Solver {
			return broken{solver("adam", optim.Values{optim.LearningRate: 0.01}), fault.step, fault.state}
		}); err == nil {
			t.Errorf("%s: a solver that breaks the clause passes", clause)
		}
	}
}
