package optim_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/optim/optimtest"
)

// The options of all solvers, in the order of config.yaml, with the solvers that have them.
func TestOptionsOfSolvers(t *testing.T) {
	var names []string
	for _, o := range optim.OptionsOfSolvers() {
		names = append(names, o.Name)
		if o.Doc == "" || o.Limits == nil || len(o.Solvers) == 0 || len(o.Solvers) != len(o.Defaults) {
			t.Errorf("%+v", o)
		}
		for i, solver := range o.Solvers {
			m := testenv.Must(optim.Lookup(solver, nil))
			at := slices.IndexFunc(m.Options(), func(own optim.Option) bool { return own.Name == o.Name })
			if at < 0 {
				t.Errorf("%s has no %s", solver, o.Name)
				continue
			}
			own := m.Options()[at]
			if own.Doc != o.Doc || *own.Limits != *o.Limits || own.Default != o.Defaults[i] {
				t.Errorf("%s of %s is %+v, in the list %+v", o.Name, solver, own, o)
			}
		}
	}
	first := []string{"learning_rate", "final_lr", "final_gamma", "final_relative", "beta1", "beta2", "epsilon"} // of adabound
	if len(names) < len(first) || !slices.Equal(names[:len(first)], first) || !slices.IsSorted(names[len(first):]) {
		t.Errorf("the options are %v", names)
	}
}

// Values that were copied keep their elements, and survive JSON.
func TestValues(t *testing.T) {
	var none optim.Values
	one := none
	one.Set("beta1", 0.5)
	two := one
	two.Set("beta1", 0.25)
	two.Set("epsilon", 1e-300)
	if none != nil || len(one) != 1 || one["beta1"] != 0.5 || two["beta1"] != 0.25 {
		t.Errorf("%v, %v, %v", none, one, two)
	}
	if two.Set("beta1", 0); len(two) != 1 || len(one) != 1 {
		t.Errorf("%v, %v", one, two)
	}
	var read optim.Values
	if err := json.Unmarshal(testenv.Must(json.Marshal(two)), &read); err != nil || len(read) != 1 || read["epsilon"] != 1e-300 {
		t.Errorf("%v, %v", read, err)
	}
}

// A value by name and a field of the struct give the same options; zero stands for the default.
func TestLookup(t *testing.T) {
	byName := testenv.Must(optim.Lookup("sgd", optim.Values{"momentum": 0.5}))
	testenv.Equal(t, *byName.(*optim.SGD), (optim.SGD{LearningRate: 0.001, Momentum: 0.5}))
	own := &optim.SGD{Momentum: 0.5}
	testenv.Must(optim.New(own))
	testenv.Equal(t, optim.ValuesOf(byName), optim.ValuesOf(own))
	for _, name := range optim.Solvers() {
		defaults := optim.ValuesOf(testenv.Must(optim.Lookup(name, nil)))
		testenv.Equal(t, optim.ValuesOf(testenv.Must(optim.Lookup(name, defaults))), defaults, "%s: its defaults, completed", name)
	}
}

func TestLookupRefuses(t *testing.T) {
	for _, c := range []struct {
		solver string
		values optim.Values
		words  []string
	}{
		{"adamw", nil, []string{`unknown solver "adamw"`, strings.Join(optim.Solvers(), ", ")}},
		{"", nil, []string{`""`}},
		{"sgd", optim.Values{"final_lr": 0.1, "epsilon": -1}, []string{"final_lr is 0.1: solver sgd does not use it (used by adabound",
			"epsilon is -1: "}},
		{"adam", optim.Values{"momentum": 0.9}, []string{"momentum is 0.9: solver adam does not use it (used by "}},
		{"sgd", optim.Values{"epsilon": math.NaN()}, []string{"epsilon is NaN: solver sgd does not use it"}},
		{"sgd", optim.Values{"rate": 1, "beta1": 0}, []string{"rate is 1: no solver has such an option"}},
		{"adabound", optim.Values{"learning_rate": -1}, []string{"learning_rate is -1: must be above 0"}},
		{"adabound", optim.Values{"final_lr": math.Inf(1)}, []string{"final_lr is +Inf: must be finite and above 0"}},
		{"adabound", optim.Values{"final_relative": 1.5}, []string{"final_relative is 1.5: must be at least 0 and at most 1"}},
		{"adabound", optim.Values{"beta1": 1}, []string{"beta1 is 1: must be above 0 and below 1"}},
		{"adam", optim.Values{"beta2": 1.5, "epsilon": -1e-8}, []string{"beta2 is 1.5", "epsilon is -1e-08"}},
		{"rmsprop", optim.Values{"rho": 1}, []string{"rho is 1"}},
		{"sgd", optim.Values{"momentum": 1}, []string{"momentum is 1: must be at least 0 and below 1"}},
	} {
		m, err := optim.Lookup(c.solver, c.values)
		wantError(t, err, optim.ErrOption, c.words...)
		if m != nil {
			t.Errorf("%s %v: a method along with an error", c.solver, c.values)
		}
	}
	_, err := optim.New(nil)
	wantError(t, err, optim.ErrOption, "method is nil")
	s, err := optim.New(&optim.SGD{LearningRate: math.Inf(1), Momentum: 1})
	wantError(t, err, optim.ErrOption, "learning_rate is +Inf: must be finite and above 0", "momentum is 1: ")
	if s != nil {
		t.Error("a solver along with an error")
	}
}

// A state from before the first step resets a solver.
func TestStateOfFreshSolver(t *testing.T) {
	s, p, q := solver("adam", nil), twoParams(), twoParams()
	fresh := s.State()
	want := stepOn(s, p, wave(1))
	if err := errors.Join(want, s.Restore(fresh), stepOn(s, q, wave(1))); err != nil || !sameBits(values(p), values(q)) {
		t.Errorf("%v after restoring the fresh state, want %v: %v", values(q), values(p), err)
	}
}

func TestRestoreRefuses(t *testing.T) {
	s, p := solver("adam", nil), list(newParam("p", 1, 2))
	testenv.OK(t, errors.Join(stepOn(s, p, wave(1)), stepOn(s, p, wave(2))))
	before := testenv.Must(json.Marshal(s.State()))
	for _, c := range []struct {
		change func(*optim.State)
		words  []string
	}{
		{func(st *optim.State) { st.Solver = "sgd" }, []string{`"sgd"`, "adam"}},
		{func(st *optim.State) { st.Step = -1 }, []string{"step is -1"}},
		{func(st *optim.State) { st.Step = 0 }, []string{"1 parameters at step 0"}},
		{func(st *optim.State) { st.Moments = nil }, []string{"0 parameters at step 2"}},
		{func(st *optim.State) { delete(st.Moments, "v") }, []string{`moment "v" is missing`}},
		{func(st *optim.State) { st.Moments["u"] = nil }, []string{`no moment "u"`}},
		{func(st *optim.State) { st.Moments["v"] = [][]float64{{1}} }, []string{`moment "v"`, "parameter 0 has 1"}},
		{func(st *optim.State) { st.Moments["v"] = nil }, []string{`moment "v"`, "0 parameters"}},
		{func(st *optim.State) { st.Moments["m"][0][1] = math.NaN() }, []string{`moment "m" of parameter 0 is NaN at element 1`}},
		{func(st *optim.State) {
			st.Moments["m"], st.Moments["v"] = [][]float64{{1, 2, 3}}, [][]float64{{1, 2, 3}}
		}, []string{"3 elements", "2 of this solver"}},
	} {
		st := s.State()
		c.change(&st)
		wantError(t, s.Restore(st), optim.ErrState, c.words...)
		if got := testenv.Must(json.Marshal(s.State())); string(got) != string(before) {
			t.Errorf("a refused state changed the solver: %v", c.words)
		}
	}
}

// TestConformance tests every registered method, and AdaBound also with relative bounds.
func TestConformance(t *testing.T) {
	for _, name := range optim.Solvers() {
		t.Run(name, func(t *testing.T) {
			optimtest.Run(t, func() optim.Method { return testenv.Must(optim.Lookup(name, nil)) })
		})
	}
	t.Run("relative", func(t *testing.T) {
		optimtest.Run(t, func() optim.Method { return &optim.AdaBound{FinalLR: 1, Relative: 1, Gamma: 0.1} })
	})
}
