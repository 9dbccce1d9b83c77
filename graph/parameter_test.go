package graph

import (
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// TestHoldZeroSlopesFreesCurves: curves that are zero are trained.
func TestHoldZeroSlopesFreesCurves(t *testing.T) { bothEngines(t, testHoldZeroSlopesFreesCurves) }

func testHoldZeroSlopesFreesCurves(t *testing.T, engine string) {
	for _, own := range []bool{false, true} {
		p := newProblem(t, "gaussian", 3, 2, 9, false, 0.05).on(engine)
		p.rb.Consequents[1][2] = 0
		rules.AddCurves(p.rb, [][]float64{{-1, 0, 1}, nil}, own)
		n := p.network(t)
		n.HoldZeroSlopes()
		p.evaluate(t, n)
		got := gradients(t, n)
		if got.Consequents[1][2] != 0 {
			t.Error("the slope is not held")
		}
		for c, values := range got.Curves {
			for q, d := range values {
				if d == 0 {
					t.Errorf("own=%v: no gradient of curve %d at knot %d", own, c, q)
				}
			}
		}
	}
}

// TestHoldZeroSlopes: with every solver, slopes that are zero stay zero, the gradients of the
// other parameters are those without, and a step allocates nothing more.
func TestHoldZeroSlopes(t *testing.T) { bothEngines(t, testHoldZeroSlopes) }

func testHoldZeroSlopes(t *testing.T, engine string) {
	p := newProblem(t, "gaussian", 3, 2, 9, true, 0.05).on(engine)
	p.rb.Consequents[0][1], p.rb.Consequents[2][2] = 0, 0
	free := p.network(t)
	p.evaluate(t, free)
	want := gradients(t, free)
	if want.Consequents[0][1] == 0 || want.Consequents[2][2] == 0 {
		t.Fatal("the slopes have no gradient: nothing is tested")
	}
	want.Consequents[0][1], want.Consequents[2][2] = 0, 0
	for _, name := range optim.Solvers() {
		n := p.network(t)
		n.HoldZeroSlopes()
		p.evaluate(t, n)
		got := gradients(t, n)
		for j, a := range append(slices.Clone(got.Antecedents), got.Consequents) {
			if w := append(slices.Clone(want.Antecedents), want.Consequents)[j]; !slices.EqualFunc(a, w, slices.Equal) {
				t.Errorf("%s, parameter %d: gradient %v, want %v", name, j, a, w)
			}
		}
		method, err := optim.Lookup(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		solver, err := optim.New(method)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			data, penalty, _ := p.evaluate(t, n)
			if s, ok := solver.(optim.LossSolver); ok {
				s.Observe(data + penalty)
			}
			if err := solver.Step(n.Params()); err != nil {
				t.Fatal(err)
			}
			n.Project()
		}
		for r, w := range n.RuleBase().Consequents {
			for m, v := range w[1:] {
				held := r == 0 && m == 0 || r == 2 && m == 1
				if (v == 0) != held || v == p.rb.Consequents[r][m+1] && !held {
					t.Errorf("%s: slope of rule %d, feature %d: %v", name, r, m, v)
				}
			}
		}
		slope := n.raw[len(n.raw)-1]
		if allocated := testing.AllocsPerRun(10, func() { _, _ = slope.Grad() }); allocated != 0 {
			t.Errorf("%v allocations for a gradient", allocated)
		}
	}
}
