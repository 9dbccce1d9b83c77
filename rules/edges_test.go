package rules_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestInitialisersRefuse: samples that cannot be clustered are an error of every initialiser, not NaN clusters or a panic.
func TestInitialisersRefuse(t *testing.T) {
	good := rules.Samples{X: [][]float64{{0, 1}, {1, 0}, {2, 2}, {3, 1}}, Y: []float64{0, 1, 0, 1}}
	for name, find := range map[string]rules.Initialiser{
		"fcm": rules.FuzzyCMeans, "kmeans": rules.KMeans, "by-class": rules.KMeansByClass, "one-feature": rules.OneFeature, "genfis": rules.GenFIS,
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		if _, err := find(t.Context(), good, 2, rng); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for what, s := range map[string]rules.Samples{
			"empty": {}, "no features": {X: [][]float64{{}}, Y: []float64{1}}, "ragged": {X: [][]float64{{1, 2}, {1}}, Y: []float64{1, 2}},
			"NaN": {X: [][]float64{{1}, {math.NaN()}}, Y: []float64{1, 2}}, "infinite target": {X: [][]float64{{1}, {2}}, Y: []float64{1, math.Inf(1)}},
			"negative weight": {X: [][]float64{{1}, {2}}, Y: []float64{1, 2}, Weight: []float64{1, -1}}, "weights": {X: good.X, Y: good.Y, Weight: []float64{1}},
		} {
			if c, err := find(t.Context(), s, 1, rng); err == nil {
				t.Errorf("%s, %s: %+v", name, what, c)
			}
		}
		for what, err := range map[string]error{
			"no rules": second(find(t.Context(), good, 0, rng)), "no random numbers": second(find(t.Context(), good, 2, nil)),
			"no context": second(find(context.Context(nil), good, 2, rng)),
		} {
			if err == nil {
				t.Errorf("%s, %s: no error", name, what)
			}
		}
	}
}

func second(_ *rules.Clusters, err error) error { return err }

// TestForwardRefuses: wrong sizes are an error of the forward pass.
func TestForwardRefuses(t *testing.T) {
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{0, 1}, {1, 0}}, Spreads: [][]float64{{1, 1}, {1, 1}}, Targets: []float64{1, 2}})
	if y, covered, err := rb.Forward(nil, nil); err != nil || len(y)+len(covered) != 0 {
		t.Errorf("no samples: %v, %v, %v", y, covered, err)
	}
	short := rb.Clone()
	short.Consequents = short.Consequents[:1]
	x := [][]float64{{0, 1}, {1, 0}}
	for name, c := range map[string]struct {
		rb      *rules.RuleBase
		x, mask [][]float64
	}{
		"narrow": {rb, [][]float64{{1}}, nil}, "wide": {rb, [][]float64{{1, 2, 3}}, nil}, "ragged": {rb, [][]float64{{1, 2}, {1, 2, 3, 4}}, nil},
		"short mask": {rb, x, [][]float64{{1, 1}}}, "narrow mask": {rb, x, [][]float64{{1}, {1}}},
		"nil": {nil, x, nil}, "zero": {&rules.RuleBase{}, x, nil}, "sizes": {short, x, nil},
	} {
		if y, _, err := c.rb.Forward(c.x, c.mask); !errors.Is(err, rules.ErrInvalid) {
			t.Errorf("%s: %v, %v", name, y, err)
		}
	}
}
