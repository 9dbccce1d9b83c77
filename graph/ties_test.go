package graph

import (
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// tied ties rules of a problem to the functions of the first: rules 0, 2 and 3 at
// feature 0, rules 1 and 2 at feature 1. Rules of a bordered shape share the borders of
// splits: of rules 0 and 1 from 2 and 3 at feature 0, and of 0 from 1.
func (p *problem) tied() *problem {
	if _, ok := p.rb.Shape.(membership.Bordered); ok {
		p.rb.Splits = []rules.Split{{Below: []int{0, 1}, Above: []int{2, 3}}, {Below: []int{0}, Above: []int{1}}}
	} else {
		p.rb.Tie = [][]int{{0, 0}, {1, 1}, {0, 1}, {0, 3}}
	}
	for _, group := range p.rb.Shared() {
		for _, e := range group {
			*p.rb.At(e) = *p.rb.At(group[0])
		}
	}
	return p
}

// TestTiedGradientIsTheSum checks that the gradient of every copy is the sum of those of
// untied copies, and that the other gradients are those without ties.
func TestTiedGradientIsTheSum(t *testing.T) { bothEngines(t, testTiedGradientIsTheSum) }

func testTiedGradientIsTheSum(t *testing.T, engine string) {
	for _, shape := range []string{"gaussian", "trapezoid", "psigmoid", "sigmoid"} {
		p := newProblem(t, shape, 4, 2, 9, true, 0.05).on(engine).tied()
		n := p.network(t)
		testenv.FailsWith(t, testenv.Err(n.Gradients()), "", "gradients before the first Evaluate")
		p.evaluate(t, n)
		p.evaluate(t, n) // a second run must not add to the gradients
		got := testenv.Must(n.Gradients())
		free := *p
		free.rb = p.rb.Clone()
		free.rb.Tie, free.rb.Splits = nil, nil
		f := free.network(t)
		free.evaluate(t, f)
		want := testenv.Must(f.Gradients())
		for _, group := range p.rb.Shared() {
			sum := 0.0
			for _, e := range group {
				sum += *want.At(e)
			}
			for _, e := range group {
				*want.At(e) = sum
			}
		}
		for j := range want.Antecedents {
			if e := relativeError(got.Antecedents[j], want.Antecedents[j]); e > 1e-12 {
				t.Errorf("%s, parameter %d: relative difference %g from the sums", shape, j, e)
			}
		}
		for r, w := range got.Consequents {
			testenv.Equal(t, w, want.Consequents[r], "%s: gradient of consequents", shape)
		}
	}
}

// TestFlatFunctionsShareNoBorder: a function made flat in training leaves its group,
// so that its gradients are zero, with logarithms of spreads, too.
func TestFlatFunctionsShareNoBorder(t *testing.T) { bothEngines(t, testFlatFunctionsShareNoBorder) }

func testFlatFunctionsShareNoBorder(t *testing.T, engine string) {
	p := newProblem(t, "sigmoid", 4, 2, 9, true, 0.05).on(engine).tied()
	n := testenv.Must(New(p.rb, Options{Engine: engine, Batch: len(p.x), LogSpreads: true}))
	testenv.OK(t, n.Flatten([]rules.Antecedent{{Rule: 2, Feature: 0}}))
	p.evaluate(t, n)
	got := testenv.Must(n.Gradients())
	for j, a := range got.Antecedents {
		testenv.Equal(t, a[2][0], 0, "gradient by parameter %d of a flat function", j)
	}
	if a := got.Antecedents; a[0][3][0] == 0 || a[0][3][0] != a[2][1][0] || a[2][0][0] == a[2][1][0] {
		t.Errorf("gradients by borders on feature 0: lower %v, upper %v", a[0], a[2])
	}
	testenv.OK(t, n.RuleBase().Validate())
}

// TestProjectUnitesCopies: copies that a solver moved by different steps are equal after
// Project, and the rulebase is valid, with and without logarithms of spreads.
func TestProjectUnitesCopies(t *testing.T) {
	for _, shape := range []string{"gaussian", "sigmoid"} {
		for _, logs := range []bool{false, true} {
			p := newProblem(t, shape, 4, 2, 9, true, 0.05).tied()
			n := testenv.Must(New(p.rb, Options{Engine: "auto", Batch: len(p.x), LogSpreads: logs}))
			for j, param := range n.Params() {
				for i := range param.Value().Data().([]float64) {
					param.Value().Data().([]float64)[i] += 0.01 * float64(i+j)
				}
			}
			testenv.FailsWith(t, n.RuleBase().Validate(), "", "%s: copies that differ are valid", shape)
			n.Project()
			if err := n.RuleBase().Validate(); err != nil {
				t.Errorf("%s, logarithms %v: %v", shape, logs, err)
			}
			testenv.OK(t, n.Close())
		}
	}
}

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
		got := testenv.Must(n.Gradients())
		testenv.Equal(t, got.Consequents[1][2], 0, "the slope is not held")
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
	want := testenv.Must(free.Gradients())
	if want.Consequents[0][1] == 0 || want.Consequents[2][2] == 0 {
		t.Fatal("the slopes have no gradient: nothing is tested")
	}
	want.Consequents[0][1], want.Consequents[2][2] = 0, 0
	for _, name := range optim.Solvers() {
		n := p.network(t)
		n.HoldZeroSlopes()
		p.evaluate(t, n)
		got := testenv.Must(n.Gradients())
		for j, a := range append(slices.Clone(got.Antecedents), got.Consequents) {
			if w := append(slices.Clone(want.Antecedents), want.Consequents)[j]; !slices.EqualFunc(a, w, slices.Equal) {
				t.Errorf("%s, parameter %d: gradient %v, want %v", name, j, a, w)
			}
		}
		p.steps(t, n, testenv.Must(optim.New(testenv.Must(optim.Lookup(name, nil)))), 5)
		for r, w := range n.RuleBase().Consequents {
			for m, v := range w[1:] {
				held := r == 0 && m == 0 || r == 2 && m == 1
				if (v == 0) != held || v == p.rb.Consequents[r][m+1] && !held {
					t.Errorf("%s: slope of rule %d, feature %d: %v", name, r, m, v)
				}
			}
		}
		slope := n.raw[len(n.raw)-1]
		testenv.Equal(t, testing.AllocsPerRun(10, func() { _, _ = slope.Grad() }), 0, "allocations for a gradient")
	}
}
