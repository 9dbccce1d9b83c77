package graph_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestEdges: wrong consequents replace nothing, places out of range flatten nothing, and a closed network evaluates nothing.
func TestEdges(t *testing.T) {
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{0}, {1}}, Spreads: [][]float64{{1}, {1}}, Targets: []float64{1, 2}})
	n, err := graph.New(rb, graph.Options{Batch: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range [][][]float64{nil, {{1}}, {{1, 2}}, {{1, 2}, {3}}, {{1, 2}, {3, 4}, {5, 6}}, {{1, 2}, {3, math.NaN()}}} {
		if err := n.SetConsequents(w); !errors.Is(err, graph.ErrGraph) || !slices.EqualFunc(n.RuleBase().Consequents, rb.Consequents, slices.Equal) {
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
	if err := errors.Join(n.Close(), n.Close()); err != nil {
		t.Error(err)
	}
	if _, _, _, err := n.Evaluate([]float64{1}, []float64{1}, []float64{1, 1}, []float64{1}); !errors.Is(err, graph.ErrGraph) {
		t.Errorf("Evaluate after Close: %v", err)
	}
	if _, _, err := n.Predict([][]float64{{1}}); !errors.Is(err, graph.ErrGraph) {
		t.Errorf("Predict after Close: %v", err)
	}
}
