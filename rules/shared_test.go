package rules

import (
	"context"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

var infinite = math.Inf(1)

// leaves are the rules of a tree over three features, of which the last two are the levels
// of a category. Splits: of rules 0, 1, 2 from 3, 4 at x_0 = 1; of 0 from 1, 2 at x_0 = -1; of
// 1 from 2 by the category; of 3 from 4 at x_0 = 4.
func leaves(t *testing.T, shape membership.Function) *RuleBase {
	t.Helper()
	rb := &RuleBase{Shape: shape, Parameters: NewParameters(len(shape.Params()), 5, 3), SpreadFloor: 1e-3}
	for r, sides := range [][3][2]float64{
		{{-infinite, -1}}, {{-1, 1}, {}, {-infinite, 0.5}}, {{-1, 1}, {-infinite, 0.5}}, {{1, 4}}, {{4, infinite}},
	} {
		rb.Consequents[r][0] = float64(r)
		for m, side := range sides {
			if side == [2]float64{} {
				rb.Flatten(r, m)
				continue
			}
			for j, v := range covering(shape, side[0], side[1]) {
				rb.Antecedents[j][r][m] = v
			}
		}
	}
	rb.Splits = []Split{
		{Threshold: 1, Below: []int{0, 1, 2}, Above: []int{3, 4}},
		{Threshold: -1, Below: []int{0}, Above: []int{1, 2}},
		{Feature: 1, Not: [2][]int{{2}, {1}}, Below: []int{1}, Above: []int{2}},
		{Threshold: 4, Below: []int{3}, Above: []int{4}},
	}
	rb.Project()
	testenv.OK(t, rb.Validate())
	return rb
}

// covering returns a function from low to high, open if the shape can be.
func covering(shape membership.Function, low, high float64) []float64 {
	if s, ok := shape.(membership.Between); ok {
		return s.Between(low, high, 0.3)
	}
	return shape.Place(max(low, -3)/2+min(high, 6)/2, 1)
}

// eachShape runs a test on every registered shape.
func eachShape(t *testing.T, test func(t *testing.T, shape membership.Function)) {
	for _, name := range membership.Names() {
		t.Run(name, func(t *testing.T) { test(t, testenv.Must(membership.Lookup(name))) })
	}
}

// TestSharedBorders: the rules that a split governs share its border; a deeper split by the
// same feature, a flat function and a category share nothing.
func TestSharedBorders(t *testing.T) {
	rb := leaves(t, membership.Sigmoid{})
	want := [][]Element{
		{{2, 1, 0}, {2, 2, 0}, {0, 3, 0}}, {{3, 1, 0}, {3, 2, 0}, {1, 3, 0}}, // at 1
		{{2, 0, 0}, {0, 1, 0}, {0, 2, 0}}, {{3, 0, 0}, {1, 1, 0}, {1, 2, 0}}, // at -1
		{{2, 3, 0}, {0, 4, 0}}, {{3, 3, 0}, {1, 4, 0}}, // at 4
	}
	testenv.Equal(t, rb.Shared(), want, "shared")
	rb.Flatten(2, 0)
	want[0], want[1], want[2], want[3] = []Element{{2, 1, 0}, {0, 3, 0}}, []Element{{3, 1, 0}, {1, 3, 0}},
		[]Element{{2, 0, 0}, {0, 1, 0}}, []Element{{3, 0, 0}, {1, 1, 0}}
	testenv.Equal(t, rb.Shared(), want, "shared with a flat function")
	testenv.OK(t, rb.Validate())
	eachShape(t, func(t *testing.T, shape membership.Function) {
		if _, ok := shape.(membership.Bordered); !ok && leaves(t, shape).Shared() != nil {
			t.Error("rules share parameters")
		}
	})
}

// TestPruningSplits: deleting a rule keeps the tree of the others; a rule merged across a
// split leaves it. Open sides stay open in averages.
func TestPruningSplits(t *testing.T) { eachShape(t, testPruningSplits) }

func testPruningSplits(t *testing.T, shape membership.Function) {
	valid := func(rb *RuleBase) {
		t.Helper()
		testenv.OK(t, rb.Validate())
	}
	rb := leaves(t, shape)
	deleteRule(rb, 0)
	want := []Split{
		{Threshold: 1, Below: []int{0, 1}, Above: []int{2, 3}},
		{Threshold: -1, Below: []int{}, Above: []int{0, 1}},
		{Feature: 1, Not: [2][]int{{2}, {1}}, Below: []int{0}, Above: []int{1}},
		{Threshold: 4, Below: []int{2}, Above: []int{3}},
	}
	testenv.Equal(t, rb.Splits, want, "splits")
	valid(rb)

	rb = leaves(t, shape)
	before := rb.Clone()
	mergeRules(rb, 0, 3)
	deleteRule(rb, 3)
	valid(rb)
	for _, s := range rb.Splits {
		if s.side(0) >= 0 {
			t.Errorf("the merged rule is on a side of %+v", s)
		}
	}
	if len(rb.Splits) != 4 || !rb.IsFlat(0, 1) || !rb.IsFlat(0, 2) {
		t.Errorf("splits %+v, flat %t, %t", rb.Splits, rb.IsFlat(0, 1), rb.IsFlat(0, 2))
	}
	if _, ok := shape.(membership.Between); ok {
		g := []float64{-1e6}
		shape.Grades(g, g, rb.Function(make([]float64, len(rb.Antecedents)), 0, 0))
		testenv.Equal(t, g[0], 1, "grade on the open side of one of the merged rules")
	}
	testenv.Equal(t, before, leaves(t, shape), "merging changed a clone")

	rb = leaves(t, shape)
	for rb.Rules() > 1 {
		mergeRules(rb, 0, rb.Rules()-1)
		deleteRule(rb, rb.Rules()-1)
		valid(rb)
	}
	if rb.Splits != nil {
		t.Errorf("splits %+v of a single rule", rb.Splits)
	}
	x := [][]float64{{-2, 1, 0}, {-2, 0, 1}, {0, 1, 0}, {0, 0, 1}, {2, 0, 1}, {6, 1, 0}}
	rb = leaves(t, shape)
	for rb.Rules() > 1 {
		rb, _ = must2(PruneOne(context.Background(), rb, x, []float64{1, 2, 3, 4, 5, 6}, nil, nil))
		valid(rb)
	}
}
