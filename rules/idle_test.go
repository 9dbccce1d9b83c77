package rules_test

import (
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestWithoutIdle removes a rule that fires nowhere most, and one of two equal rules, of
// which neither decides until the other is gone.
func TestWithoutIdle(t *testing.T) {
	x := [][]float64{{0}, {1}, {10}, {11}}
	for name, c := range map[string]struct{ centers, left []float64 }{
		"none idle":  {[]float64{0, 10}, []float64{0, 10}},
		"far away":   {[]float64{0, 50, 10}, []float64{0, 10}},
		"two equal":  {[]float64{0, 10, 10}, []float64{0, 10}},
		"all equal":  {[]float64{5, 5, 5}, []float64{5}},
		"one rule":   {[]float64{99}, []float64{99}},
		"in between": {[]float64{0, 5, 10}, []float64{0, 10}},
	} {
		clusters := &rules.Clusters{}
		for _, center := range c.centers {
			clusters.Centers, clusters.Spreads = append(clusters.Centers, []float64{center}), append(clusters.Spreads, []float64{2})
			clusters.Targets = append(clusters.Targets, 0)
		}
		rb := rules.New(membership.Gaussian{}, clusters)
		busy, err := rules.WithoutIdle(t.Context(), rb, x)
		if err != nil {
			t.Fatal(err)
		}
		var left []float64
		for _, row := range busy.Antecedents[0] {
			left = append(left, row[0])
		}
		if !slices.Equal(left, c.left) {
			t.Errorf("%s: centers %v are left, want %v", name, left, c.left)
		}
		if rb.Rules() != len(c.centers) {
			t.Errorf("%s: the argument has changed", name)
		}
	}
}
