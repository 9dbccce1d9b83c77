package optim_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/optim"
	"gorgonia.org/gorgonia"
)

// clauses are what every solver keeps to, each tested with solvers from one constructor.
var clauses = map[string]func(fresh func() optim.Solver) error{
	"it descends a quadratic":                     descends,
	"its steps are finite":                        finiteSteps,
	"it keeps gradients as they are":              keepsGradients,
	"a gradient that is not finite moves nothing": refusesNotFinite,
	"its state is complete":                       stateIsComplete,
	"its steps can be scheduled":                  canBeScheduled,
	"a step allocates nothing":                    allocatesNothing,
}

// TestConformance holds the solver of every registered method to the clauses, and AdaBound also with relative bounds.
func TestConformance(t *testing.T) {
	for _, name := range optim.Solvers() {
		conforms(t, name, optim.Values{optim.LearningRate: 0.01})
	}
	conforms(t, "adabound", optim.Values{optim.LearningRate: 0.01, "final_lr": 1, "final_relative": 1, "final_gamma": 0.1})
}

func conforms(t *testing.T, name string, v optim.Values) {
	t.Helper()
	for clause, check := range clauses {
		if err := check(func() optim.Solver { return solver(name, v) }); err != nil {
			t.Errorf("%s %v: %s: %v", name, v, clause, err)
		}
	}
}

// solver returns a solver by name.
func solver(name string, v optim.Values) optim.Solver {
	return must(optim.New(must(optim.Lookup(name, v))))
}

// stepOn makes a step of s on params with the given gradients; a LossSolver observes a loss first.
func stepOn(s optim.Solver, params []gorgonia.ValueGrad, gradient func(p, i int) float64) error {
	loss := 0.0
	for p, vg := range params {
		for i, v := range vg.(*param).value.Float64s() {
			vg.(*param).grad.Float64s()[i] = gradient(p, i)
			loss += v * v
		}
	}
	if s, ok := s.(optim.LossSolver); ok {
		s.Observe(loss)
	}
	return s.Step(params)
}

// wave is a gradient that depends on the step alone.
func wave(k int) func(p, i int) float64 {
	return func(p, i int) float64 { return math.Sin(float64(k*(i+3))) / float64(3+p) }
}

// values are all elements of the parameters.
func values(params []gorgonia.ValueGrad) (all []float64) {
	for _, p := range params {
		all = append(all, p.(*param).value.Float64s()...)
	}
	return all
}

func twoParams() []gorgonia.ValueGrad { return list(newParam("a", 1, -2), newParam("b", 0.5)) }

// descends minimises sum_i c_i theta_i^2 / 2 from theta = (1, -2, 0.5), with c = 1 and 3 in turn.
func descends(fresh func() optim.Solver) error {
	s, params := fresh(), twoParams()
	curvature := func(i int) float64 { return float64(1 + 2*(i%2)) }
	loss := func() (sum float64) {
		for _, p := range params {
			for i, v := range p.(*param).value.Float64s() {
				sum += curvature(i) * v * v / 2
			}
		}
		return sum
	}
	before := loss()
	for range 20_000 {
		if err := stepOn(s, params, func(p, i int) float64 { return curvature(i) * params[p].(*param).value.Float64s()[i] }); err != nil {
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
		s, params := fresh(), twoParams()
		for k := range 50 {
			if err := stepOn(s, params, func(p, i int) float64 { return size * float64((k+p+i)%3-1) }); err != nil {
				return err
			}
			if slices.ContainsFunc(values(params), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
				return fmt.Errorf("gradients of size %g: parameters %v", size, values(params))
			}
		}
	}
	return nil
}

func keepsGradients(fresh func() optim.Solver) error {
	s, params := fresh(), twoParams()
	for k := 1; k <= 5; k++ {
		if err := stepOn(s, params, wave(k)); err != nil {
			return err
		}
		for p, vg := range params {
			for i, g := range vg.(*param).grad.Float64s() {
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
		s, params := fresh(), twoParams()
		if err := stepOn(s, params, wave(1)); err != nil {
			return err
		}
		state, before := must(json.Marshal(s.State())), values(params)
		params[1].(*param).grad.Float64s()[0] = bad
		err := s.Step(params)
		if !errors.Is(err, optim.ErrDiverged) || !strings.Contains(err.Error(), "parameter 1 (b): gradient is") {
			return fmt.Errorf("gradient %g: error %v", bad, err)
		}
		if !sameBits(values(params), before) || string(must(json.Marshal(s.State()))) != string(state) {
			return fmt.Errorf("gradient %g: parameters or state changed", bad)
		}
	}
	return nil
}

// stateIsComplete continues from a state, by way of JSON, in a new solver and in one that has made other steps.
func stateIsComplete(fresh func() optim.Solver) error {
	other := fresh()
	if err := stepOn(other, twoParams(), wave(9)); err != nil {
		return err
	}
	for _, to := range []optim.Solver{fresh(), other} {
		from, params := fresh(), twoParams()
		for k := 1; k <= 7; k++ {
			if err := stepOn(from, params, wave(k)); err != nil {
				return err
			}
		}
		state := from.State()
		saved, copied := must(json.Marshal(state)), list(newParam("a", values(params)[:2]...), newParam("b", values(params)[2]))
		var read optim.State
		if err := errors.Join(json.Unmarshal(saved, &read), to.Restore(read)); err != nil {
			return err
		}
		for k := 8; k <= 30; k++ {
			if err := errors.Join(stepOn(from, params, wave(k)), stepOn(to, copied, wave(k))); err != nil {
				return err
			}
		}
		if !sameBits(values(params), values(copied)) {
			return fmt.Errorf("%v after Restore, %v without", values(copied), values(params))
		}
		if string(must(json.Marshal(state))) != string(saved) || string(must(json.Marshal(read))) != string(saved) {
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
		a, b := twoParams(), twoParams()
		for step := 1; step < k; step++ {
			if err := errors.Join(stepOn(full, a, wave(step)), stepOn(half, b, wave(step))); err != nil {
				return err
			}
		}
		before := values(a)
		if err := errors.Join(stepOn(full, a, wave(k)), stepOn(half, b, wave(k))); err != nil {
			return err
		}
		for i, v := range before {
			moved, want := values(b)[i]-v, (values(a)[i]-v)/2
			if moved == 0 || math.Abs(moved-want) > 1e-15 {
				return fmt.Errorf("step %d moves element %d by %g, want %g", k, i, moved, want)
			}
		}
	}
	return nil
}

func allocatesNothing(fresh func() optim.Solver) error {
	s, params := fresh(), twoParams()
	if err := stepOn(s, params, wave(1)); err != nil {
		return err
	}
	var err error
	if n := testing.AllocsPerRun(100, func() { err = errors.Join(err, s.Step(params)) }); n != 0 {
		return fmt.Errorf("%g allocations", n)
	}
	return err
}

// TestOptionsConform holds the options of every registered method to what they declare.
func TestOptionsConform(t *testing.T) {
	for _, name := range optim.Solvers() {
		m := must(optim.Lookup(name, nil))
		if m.Name() != name || len(m.Options()) == 0 || m.Options()[0].Name != optim.LearningRate {
			t.Errorf("%s: the first option is not %s", name, optim.LearningRate)
		}
		for _, o := range m.Options() {
			if !regexp.MustCompile(`^[a-z][a-z0-9_]*$`).MatchString(o.Name) || o.Doc == "" || !o.Limits.Has(o.Default) || *o.Value != o.Default {
				t.Errorf("%s: %+v", name, o)
			}
			for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), o.Limits.Low - 1} {
				_, err := optim.Lookup(name, optim.Values{o.Name: bad})
				fault := new(optim.OptionError)
				if !errors.As(err, &fault) || fault.Option != o.Name {
					t.Errorf("%s: %s %g: error %v", name, o.Name, bad, err)
				}
			}
			if !hasEffect(name, o) {
				t.Errorf("%s: %s has no effect", name, o.Name)
			}
		}
	}
}

// hasEffect reports whether another value of an option changes the steps along gradients of many sizes: no option is accepted
// and ignored.
func hasEffect(name string, o optim.Option) bool {
	run := func(v optim.Values) (trajectory []float64) {
		s, params := solver(name, v), list(newParam("theta", 1, 1))
		for k := 1; k <= 30; k++ {
			_ = must(0, stepOn(s, params, func(p, i int) float64 { return wave(k)(p, i) * math.Pow10(k%4-6*i) }))
			trajectory = append(trajectory, values(params)...)
		}
		return trajectory
	}
	return slices.ContainsFunc([]float64{0.7, 7}, func(v float64) bool { return o.Limits.Has(v) && !sameBits(run(optim.Values{o.Name: v}), run(nil)) })
}
