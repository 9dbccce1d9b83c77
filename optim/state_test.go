package optim_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/optim"
)

// steps makes steps from..to on p with gradients that depend on the step alone.
func steps(t *testing.T, s optim.Solver, p *param, from, to int) {
	t.Helper()
	for k := from; k <= to; k++ {
		for i := range p.grad.Float64s() {
			p.grad.Float64s()[i] = math.Sin(float64(k*(i+3))) / 3
		}
		if err := s.Step(list(p)); err != nil {
			t.Fatal(err)
		}
	}
}

// A state from before the first step resets a solver.
func TestStateOfFreshSolver(t *testing.T) {
	fresh := solver("adam", nil).State()
	s, p := solver("adam", nil), newParam("p", 1, 2)
	steps(t, s, p, 1, 3)
	want := append([]float64(nil), p.value.Float64s()...)
	if err := s.Restore(fresh); err != nil {
		t.Fatal(err)
	}
	q := newParam("q", 1, 2)
	steps(t, s, q, 1, 3)
	if !sameBits(want, q.value.Float64s()) {
		t.Errorf("%v after restoring the fresh state, want %v", q.value.Float64s(), want)
	}
}

func TestRestoreRefuses(t *testing.T) {
	s, p := solver("adam", nil), newParam("p", 1, 2)
	steps(t, s, p, 1, 2)
	before := must(json.Marshal(s.State()))
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
		if got := must(json.Marshal(s.State())); string(got) != string(before) {
			t.Errorf("a refused state changed the solver: %v", c.words)
		}
	}
}
