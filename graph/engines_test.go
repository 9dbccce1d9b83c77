package graph_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// TestEnginesFollowOneAnotherWithCurves: from the same start, on the same batches, the fused engine and autodiff have the same loss
// over the first 50 updates, with shared curves and with own ones. TestEnginesAgreeAlongTheWay compares them without curves.
func TestEnginesFollowOneAnotherWithCurves(t *testing.T) {
	testenv.SkipRace(t)
	for _, own := range []bool{false, true} {
		for _, shape := range []string{"gaussian", "trapezoid", "laplace"} { // by hand, in logarithms, not in logarithms
			t.Run(fmt.Sprintf("%s/own=%t", shape, own), func(t *testing.T) {
				t.Parallel()
				step := func(engine string) *trainStep {
					return newStepOf(t, engine, shape, 64, 7, 4, consequents{outputs: 1, k: 8, own: own}, stepAgreement, stepCurves)
				}
				fused, autodiff := step("fused"), step("autodiff")
				for k := range 50 {
					a, b := fused.run(t), autodiff.run(t)
					if !(math.Abs(a-b) <= 1e-10*math.Abs(b)) {
						t.Fatalf("update %d: loss %v, autodiff %v, relative difference %.2g", k+1, a, b, math.Abs(a-b)/b)
					}
				}
			})
		}
	}
}

// TestEnginesAgreeAlongTheWay: at every 50th point of 500 updates by the fused
// engine, autodiff has the same gradient, block by block.
func TestEnginesAgreeAlongTheWay(t *testing.T) {
	const B, R, M, updates, tolerance = 32, 8, 3, 500, 1e-10
	shapes := membership.Names()
	if testenv.Race {
		shapes = []string{"gaussian", "laplace", "trapezoid"} // by hand, in logarithms, not in logarithms
	}
	for _, shape := range shapes {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			s := newTrainStep(t, "fused", shape, B, R, M, stepAgreement)
			for k := 1; k <= updates; k++ {
				rb := s.network.RuleBase()
				x, target, mask, weight, _ := s.sampler.Next()
				testenv.OK(t, testenv.Err(s.network.Evaluate(x, target, mask, weight)))
				if k%50 == 0 {
					autodiff, err := graph.New(rb, graph.Options{Engine: "autodiff", Batch: B,
						Penalties: []penalty.Penalty{stepAgreement, penalty.Slopes{Lambda: stepLambda}}})
					testenv.OK(t, err)
					testenv.OK(t, testenv.Err(autodiff.Evaluate(x, target, mask, weight)))
					want := gradients(t, autodiff)
					for name, got := range gradients(t, s.network) {
						if d := distance(got, want[name]); !(d <= tolerance) {
							t.Errorf("update %d, gradient by %s: differs from autodiff by %.2g of its norm", k, name, d)
						}
					}
				}
				testenv.OK(t, s.solver.Step(s.network.Params()))
				s.network.Project()
			}
		})
	}
}

// gradients returns the gradients of the last Evaluate, by block.
func gradients(t *testing.T, n *graph.Network) map[string][]float64 {
	t.Helper()
	g := testenv.Must(n.Gradients())
	blocks := map[string][]float64{"w": slices.Concat(g.Consequents...)}
	for j, a := range g.Antecedents {
		blocks[fmt.Sprintf("parameter %d", j)] = slices.Concat(a...)
	}
	return blocks
}

// distance returns the norm of a-b over the norm of b; infinity if b is zero.
func distance(a, b []float64) float64 {
	difference, norm := 0.0, 0.0
	for i, v := range b {
		difference, norm = math.Hypot(difference, a[i]-v), math.Hypot(norm, v)
	}
	if norm == 0 {
		return math.Inf(1)
	}
	return difference / norm
}

// TestEdges: wrong consequents replace nothing, places out of range flatten nothing, and a closed network evaluates nothing.
func TestEdges(t *testing.T) {
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{0}, {1}}, Spreads: [][]float64{{1}, {1}},
		Targets: []float64{1, 2}})
	n := testenv.Must(graph.New(rb, graph.Options{Batch: 1}))
	for _, w := range [][][]float64{nil, {{1}}, {{1, 2}}, {{1, 2}, {3}}, {{1, 2}, {3, 4}, {5, 6}}, {{1, 2}, {3, math.NaN()}}} {
		if err := n.SetConsequents(w); !errors.Is(err, graph.ErrGraph) ||
			!slices.EqualFunc(n.RuleBase().Consequents, rb.Consequents, slices.Equal) {
			t.Errorf("consequents %v: %v, now %v", w, err, n.RuleBase().Consequents)
		}
	}
	if err := n.SetConsequents([][]float64{{1, 2}, {3, 4}}); err != nil || n.RuleBase().Consequents[1][1] != 4 {
		t.Errorf("%v, %v", n.RuleBase().Consequents, err)
	}
	for _, a := range []rules.Antecedent{{Rule: -1}, {Rule: 2}, {Feature: -1}, {Feature: 1}} {
		if err := n.Flatten([]rules.Antecedent{{}, a}); !errors.Is(err, graph.ErrGraph) || n.RuleBase().IsFlat(0, 0) {
			t.Errorf("Flatten %v: %v", a, err)
		}
	}
	testenv.OK(t, errors.Join(n.Close(), n.Close()))
	if _, _, _, err := n.Evaluate([]float64{1}, []float64{1}, []float64{1, 1}, []float64{1}); !errors.Is(err, graph.ErrGraph) {
		t.Errorf("Evaluate after Close: %v", err)
	}
	testenv.FailsIs(t, testenv.Err(n.Predict([][]float64{{1}})), graph.ErrGraph, "", "Predict after Close")
}
