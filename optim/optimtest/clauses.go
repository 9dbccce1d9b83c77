package optimtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/optim"
)

// descends minimises sum_i c_i theta_i^2 / 2 from theta = (1, -2, 0.5), with c = 1 and 3 in turn.
func descends(fresh func() optim.Solver) error {
	s, params := fresh(), two()
	curvature := func(i int) float64 { return float64(1 + 2*(i%2)) }
	loss := func() (sum float64) {
		for _, p := range params {
			for i, v := range p.value.Float64s() {
				sum += curvature(i) * v * v / 2
			}
		}
		return sum
	}
	before := loss()
	for range 20_000 {
		if err := params.step(s, func(p, i int) float64 { return curvature(i) * params[p].value.Float64s()[i] }); err != nil {
			return err
		}
	}
	if after := loss(); !(after < 1e-3*before) {
		return fmt.Errorf("from %g to %g", before, after)
	}
	return nil
}

// finiteSteps makes steps along gradients of zero and of the least and largest sizes that a solver accepts.
func finiteSteps(fresh func() optim.Solver) error {
	for _, size := range []float64{0, 5e-324, 1, 0x1p511} {
		s, params := fresh(), two()
		for k := range 50 {
			if err := params.step(s, func(p, i int) float64 { return size * float64((k+p+i)%3-1) }); err != nil {
				return err
			}
			if slices.ContainsFunc(params.values(), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
				return fmt.Errorf("gradients of size %g: parameters %v", size, params.values())
			}
		}
	}
	return nil
}

func keepsGradients(fresh func() optim.Solver) error {
	s, params := fresh(), two()
	for k := 1; k <= 5; k++ {
		if err := params.step(s, wave(k)); err != nil {
			return err
		}
		for p, of := range params {
			for i, g := range of.grad.Float64s() {
				if g != wave(k)(p, i) {
					return fmt.Errorf("step %d: gradient %g, was %g", k, g, wave(k)(p, i))
				}
			}
		}
	}
	return nil
}

// refusesNotFinite steps along gradients of which one element, of the second parameter, is not finite or has no finite
// square.
func refusesNotFinite(fresh func() optim.Solver) error {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e160} {
		s, params := fresh(), two()
		if err := params.step(s, wave(1)); err != nil {
			return err
		}
		state, before := encoded(s.State()), params.values()
		params[1].grad.Float64s()[0] = bad
		err := s.Step(params.list())
		if !errors.Is(err, optim.ErrDiverged) || !strings.Contains(err.Error(), "parameter 1 (b): gradient is") {
			return fmt.Errorf("gradient %g: error %v", bad, err)
		}
		if !sameBits(params.values(), before) || encoded(s.State()) != state {
			return fmt.Errorf("gradient %g: parameters or state changed", bad)
		}
	}
	return nil
}

// stateIsComplete continues from a state, by way of JSON, in a new solver and in one that has made other steps.
func stateIsComplete(fresh func() optim.Solver) error {
	other := fresh()
	if err := two().step(other, wave(9)); err != nil {
		return err
	}
	for _, to := range []optim.Solver{fresh(), other} {
		from, params := fresh(), two()
		for k := 1; k <= 7; k++ {
			if err := params.step(from, wave(k)); err != nil {
				return err
			}
		}
		state := from.State()
		saved, copied := encoded(state), model{newParam("a", params.values()[:2]...), newParam("b", params.values()[2])}
		var read optim.State
		if err := errors.Join(json.Unmarshal([]byte(saved), &read), to.Restore(read)); err != nil {
			return err
		}
		for k := 8; k <= 30; k++ {
			if err := errors.Join(params.step(from, wave(k)), copied.step(to, wave(k))); err != nil {
				return err
			}
		}
		if !sameBits(params.values(), copied.values()) {
			return fmt.Errorf("%v after Restore, %v without", copied.values(), params.values())
		}
		if encoded(state) != saved || encoded(read) != saved {
			return errors.New("a later step changed a state")
		}
	}
	return nil
}

// canBeScheduled compares steps with steps at half the share from the same parameters, state and gradients.
func canBeScheduled(fresh func() optim.Solver) error {
	for k := 1; k <= 3; k++ {
		full, half := fresh(), optim.Scheduled(fresh(), func(step int, _ gorgonia.ValueGrad) float64 {
			if step == k {
				return 0.5
			}
			return 1
		})
		a, b := two(), two()
		for step := 1; step < k; step++ {
			if err := errors.Join(a.step(full, wave(step)), b.step(half, wave(step))); err != nil {
				return err
			}
		}
		before := a.values()
		if err := errors.Join(a.step(full, wave(k)), b.step(half, wave(k))); err != nil {
			return err
		}
		for i, v := range before {
			moved, want := b.values()[i]-v, (a.values()[i]-v)/2
			if moved == 0 || math.Abs(moved-want) > 1e-15 {
				return fmt.Errorf("step %d moves element %d by %g, want %g", k, i, moved, want)
			}
		}
	}
	return nil
}

func allocatesNothing(fresh func() optim.Solver) error {
	s, params := fresh(), two()
	if err := params.step(s, wave(1)); err != nil {
		return err
	}
	var err error
	all := params.list()
	if n := testing.AllocsPerRun(100, func() { err = errors.Join(err, s.Step(all)) }); n != 0 {
		return fmt.Errorf("%g allocations", n)
	}
	return err
}

// encoded returns the state as JSON, or the reason why it is none.
func encoded(s optim.State) string {
	text, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
