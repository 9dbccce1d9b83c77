package rules_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestInitialisersRefuse: samples that cannot be clustered are an error of every initialiser, not NaN clusters or a panic.
func TestInitialisersRefuse(t *testing.T) {
	good := rules.Samples{X: [][]float64{{0, 1}, {1, 0}, {2, 2}, {3, 1}}, Y: []float64{0, 1, 0, 1}}
	for name, find := range map[string]rules.Initialiser{
		"fcm": rules.FuzzyCMeans, "kmeans": rules.KMeans, "by-class": rules.KMeansByClass, "one-feature": rules.OneFeature,
		"genfis": rules.GenFIS,
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		if _, err := find(t.Context(), good, 2, rng); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for what, s := range map[string]rules.Samples{
			"empty": {}, "no features": {X: [][]float64{{}}, Y: []float64{1}}, "ragged": {X: [][]float64{{1, 2}, {1}}, Y: []float64{1, 2}},
			"NaN":             {X: [][]float64{{1}, {math.NaN()}}, Y: []float64{1, 2}},
			"infinite target": {X: [][]float64{{1}, {2}}, Y: []float64{1, math.Inf(1)}},
			"negative weight": {X: [][]float64{{1}, {2}}, Y: []float64{1, 2}, Weight: []float64{1, -1}},
			"weights":         {X: good.X, Y: good.Y, Weight: []float64{1}},
		} {
			if c, err := find(t.Context(), s, 1, rng); err == nil {
				t.Errorf("%s, %s: %+v", name, what, c)
			}
		}
		for what, err := range map[string]error{
			"no rules": testenv.Err(find(t.Context(), good, 0, rng)), "no random numbers": testenv.Err(find(t.Context(), good, 2, nil)),
			"no context": testenv.Err(find(context.Context(nil), good, 2, rng)),
		} {
			testenv.FailsWith(t, err, "", "%s, %s: no error", name, what)
		}
	}
}

// TestForwardRefuses: wrong sizes are an error of the forward pass.
func TestForwardRefuses(t *testing.T) {
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{0, 1}, {1, 0}},
		Spreads: [][]float64{{1, 1}, {1, 1}}, Targets: []float64{1, 2}})
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

// TestSamplesRefuse: invalid rules, samples of other sizes and settings out of range are errors of what measures and reduces rules.
func TestSamplesRefuse(t *testing.T) {
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{0, 1}, {1, 0}},
		Spreads: [][]float64{{1, 1}, {1, 1}}, Targets: []float64{1, 2}})
	merged := rb.Clone()
	merged.MergeWeights = []int{1}
	good := [][]float64{{0, 1}, {1, 0}}
	activity := func(rb *rules.RuleBase, x [][]float64, weight []float64) error {
		return testenv.Err(rb.Activity(t.Context(), x, weight))
	}
	prune := func(rb *rules.RuleBase, x [][]float64, weight []float64, gamma, theta float64) error {
		_, _, err := rules.Prune(t.Context(), rb, x, weight, gamma, theta)
		return err
	}
	one := func(x [][]float64, y []float64) error {
		_, _, err := rules.PruneOne(t.Context(), rb, x, y, nil, nil)
		return err
	}
	shorten := func(x [][]float64, categories [][]int) error {
		return testenv.Err(rules.Shorten(t.Context(), rb, x, nil, 1, categories))
	}
	idle := func(rb *rules.RuleBase, x [][]float64) error {
		return testenv.Err(rules.WithoutIdle(t.Context(), rb, x))
	}
	sorted := func(x [][]float64, weight []float64) error {
		return testenv.Err(rules.SortColumns(t.Context(), x, weight))
	}
	if err := errors.Join(prune(rb, good, nil, 0.5, 0.5), one(good, []float64{1, 2}), shorten(good, [][]int{{0, 1}}),
		idle(rb, good), sorted(good, nil)); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"nil": activity(nil, good, nil), "zero": activity(&rules.RuleBase{}, good, nil), "merge weights": activity(merged, good, nil),
		"narrow": activity(rb, [][]float64{{1}}, nil), "ragged": activity(rb, [][]float64{{1, 2}, {1}}, nil),
		"weights": activity(rb, good, []float64{1}),
		"gamma":   prune(rb, good, nil, math.NaN(), 0.5), "theta": prune(rb, good, nil, 0.5, -1), "theta above 1": prune(rb, good, nil, 0.5, 2),
		"targets": one(good, []float64{1}), "category": shorten(good, [][]int{{2}}), "empty category": shorten(good, [][]int{{}}),
		"shorten narrow": shorten([][]float64{{1}}, nil), "idle nil": idle(nil, good), "idle narrow": idle(rb, [][]float64{{1}}),
		"sort nothing": sorted(nil, nil), "sort ragged": sorted([][]float64{{1, 2}, {1}}, nil), "sort weights": sorted(good, []float64{1}),
		"grid": testenv.Err(rules.Grid(nil, good, nil)),
	} {
		testenv.FailsWith(t, err, "", "%s: no error", name)
	}
}

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
		busy := testenv.Must(rules.WithoutIdle(t.Context(), rb, x))
		var left []float64
		for _, row := range busy.Antecedents[0] {
			left = append(left, row[0])
		}
		testenv.Equal(t, left, c.left, "%s: centers are left", name)
		testenv.Equal(t, rb.Rules(), len(c.centers), "%s: the argument has changed", name)
	}
}
