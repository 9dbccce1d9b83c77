// Package tree grows a tree of linear models and makes rules of its leaves: the start
// "tree" of a rulebase.
//
// The tree begins as one leaf with a plane, and splits the leaf whose best split lowers
// the error most, until it has R leaves, as LOLIMOT (Nelles, Nonlinear System
// Identification, 2001) and model trees do. A leaf becomes a rule that mentions only the
// features that were split on the way to it; its consequent starts at the plane of the
// leaf. [Tree.Rules] places the membership functions: boxes that fill the leaves, or
// sigmoids of which the two sides of a split share one (Hartmann and Nelles, "On the
// smoothness in local model networks", ACC 2009).
package tree

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// Samples are the training samples of a tree, N of M inputs.
type Samples struct {
	X      [][]float64 // [N][M], inputs of the antecedents, which are split
	Z      [][]float64 // [N][M], inputs of the consequents, in which the planes are linear; nil: X
	Y      []float64   // [N C], targets of C outputs, row-major
	Weight []float64   // [N], all positive and of mean one; nil: all one

	Constant bool // a leaf has a constant instead of a plane

	Splits func(inputs []int) bool // whether the splits on the way to one leaf may be by these inputs; nil: by any
	Slopes []bool                  // [M] whether planes may have a slope of an input; nil: of all

	// Categories lists the indicator columns of each category, two or more. They are
	// split together, as sets of levels.
	Categories [][]int
}

// Tree is a tree of linear models.
type Tree struct {
	M         int
	notes     string
	columns   []int   // inputs of the planes
	leaves    []*node // in the order of the splits' sides: those below a split, then those above
	splits    []*node // a node before those below it
	low, high []float64
}

// node is a node of the tree; below and above are nil for a leaf.
type node struct {
	rows         []int       // of its samples
	planes       [][]float64 // of each output
	squares      float64     // the error that the planes minimise, over all outputs
	conditions   []condition // on the way to it
	best         split       // the best split found, of gain 0 if there is none
	below, above *node
}

// condition is a side of a split.
type condition struct {
	split split
	above bool
}

// Grow grows a tree of at most R leaves; it has fewer if no leaf has a split that lowers
// the error with at least max(10, N/4R) samples on either side. Neighbours that say the same
// are then merged, by a Chow test. More samples than the growth needs are thinned out
// evenly. If ctx ends, the error wraps that of ctx.
func Grow(ctx context.Context, s Samples, R int) (*Tree, error) {
	if err := s.check(R); err != nil {
		return nil, err
	}
	g := newGrower(s)
	t := &Tree{M: g.M, columns: g.columns}
	root, err := g.grow(ctx, R)
	if err != nil {
		return nil, fmt.Errorf("interrupted while the tree was grown: %w", err)
	}
	t.collect(root)
	t.notes = g.notes(len(t.leaves), R)
	t.low, t.high = ranges(s.X)
	return t, nil
}

// outputs returns C.
func (s Samples) outputs() int { return len(s.Y) / len(s.X) }

// Notes says why the tree has fewer leaves than Grow was asked for; it is empty otherwise.
func (t *Tree) Notes() string { return t.notes }

// collect lists the leaves and the inner nodes, a node before those below it.
func (t *Tree) collect(n *node) {
	if n.below == nil {
		t.leaves = append(t.leaves, n)
		return
	}
	t.splits = append(t.splits, n)
	t.collect(n.below)
	t.collect(n.above)
}

func (s Samples) check(R int) error {
	switch N := len(s.X); {
	case R < 1:
		return fmt.Errorf("tree: %d leaves; want at least one", R)
	case N == 0 || len(s.X[0]) == 0:
		return errors.New("tree: no training samples, or samples without features")
	case len(s.Y) == 0 || len(s.Y)%N != 0 || s.Weight != nil && len(s.Weight) != N || s.Z != nil && len(s.Z) != N:
		return fmt.Errorf("tree: %d samples, but %d targets, %d weights, %d inputs of consequents", N, len(s.Y), len(s.Weight), len(s.Z))
	}
	C := len(s.Y) / len(s.X)
	for n, x := range s.X {
		z, w := x, numeric.WeightAt(s.Weight, n)
		if s.Z != nil {
			z = s.Z[n]
		}
		if M := len(s.X[0]); len(x) != M || len(z) != M || !numeric.Finite(x...) || !numeric.Finite(z...) {
			return fmt.Errorf("tree: features of sample %d are %v and %v: want %d each, finite", n, x, z, M)
		}
		if y := s.Y[n*C : (n+1)*C]; !numeric.Finite(y...) || !numeric.Finite(w) || w < 0 {
			return fmt.Errorf("tree: sample %d has targets %v and weight %v: must be finite, and the weight not negative", n, y, w)
		}
	}
	return nil
}

// ranges returns the smallest and the largest value of every feature.
func ranges(x [][]float64) (low, high []float64) {
	low, high = slices.Clone(x[0]), slices.Clone(x[0])
	for _, row := range x {
		for m, v := range row {
			low[m], high[m] = min(low[m], v), max(high[m], v)
		}
	}
	return low, high
}

// sdOf returns the weighted standard deviation of feature m in some rows.
func sdOf(s Samples, rows []int, m int) float64 {
	size, mean, sum := 0.0, 0.0, 0.0
	for _, n := range rows {
		size += numeric.WeightAt(s.Weight, n)
	}
	for _, n := range rows {
		mean += numeric.WeightAt(s.Weight, n) * s.X[n][m] / size
	}
	for _, n := range rows {
		d := s.X[n][m] - mean
		sum += numeric.WeightAt(s.Weight, n) * (d * d) / size
	}
	return math.Sqrt(sum)
}

// logisticRise is the spread of a Gaussian whose flank at grade 1/2 is as steep as a
// logistic function of rise one: 2 sqrt(2 ln 2).
const logisticRise = 2.3548200450309493

// Rules returns a rule for each leaf. Functions on features that were not split on the way
// to the leaf are flat. The others cover the leaf's interval:
//
//   - of shapes that implement [membership.Between], from border to border, open beyond
//     the outermost splits. The flank at a split is as steep as a logistic function of rise
//     softness times the standard deviation of the feature in the samples that were split.
//   - of other shapes, placed at the middle with a spread of softness times the width of the
//     interval, which ends with the samples' range.
//
// A category's indicator columns of excluded levels have functions that cover zero, not
// one. softness is positive. The spread floor is a tenth of the smallest spread placed.
// The shape must satisfy [rules.CanBeFlat].
func (t *Tree) Rules(shape membership.Function, softness float64) *rules.RuleBase {
	params := shape.Params()
	rb := &rules.RuleBase{Shape: shape, Parameters: rules.NewParameters(len(params), len(t.leaves), t.M), SpreadFloor: math.Inf(1)}
	rb.SetOutputs(len(t.leaves[0].planes))
	for r, leaf := range t.leaves {
		for c, plane := range leaf.planes {
			w := rb.Consequents[r][c*(1+t.M):][:1+t.M]
			w[0] = plane[0]
			for i, m := range t.columns {
				w[1+m] = plane[1+i]
			}
		}
		for m := range t.M {
			p := t.function(shape, softness, leaf, m)
			if p == nil {
				rb.Flatten(r, m)
				continue
			}
			for j, v := range p {
				rb.Antecedents[j][r][m] = v
				if params[j].Kind == membership.Spread && v > 0 {
					rb.SpreadFloor = min(rb.SpreadFloor, 0.1*v)
				}
			}
		}
	}
	if math.IsInf(rb.SpreadFloor, 0) {
		rb.SpreadFloor = 0.1 // a single leaf: every function is flat
	}
	rb.Splits = t.sides()
	rb.Project()
	return rb
}

// side is an end of the interval of a leaf on a feature.
type side struct {
	at   float64 // infinite: open
	rise float64 // infinite: open
}

// function returns the parameters of the function of a leaf on feature m; nil: flat.
func (t *Tree) function(shape membership.Function, softness float64, leaf *node, m int) []float64 {
	low, high := side{math.Inf(-1), math.Inf(1)}, side{math.Inf(1), math.Inf(1)}
	for _, c := range leaf.conditions { // the last on a side is the narrowest
		s := c.split
		switch {
		case s.by.category():
			if slices.Contains(c.excluded(), m) {
				return t.zero(shape, softness, m)
			}
		case s.by[0] == m && c.above:
			low = side{s.threshold, softness * s.sd}
		case s.by[0] == m:
			high = side{s.threshold, softness * s.sd}
		}
	}
	if math.IsInf(low.at, -1) && math.IsInf(high.at, 1) {
		return nil
	}
	if between, ok := shape.(membership.Between); ok {
		return cover(between, low, high)
	}
	from, to := max(low.at, t.low[m]), min(high.at, t.high[m])
	return shape.Place(float64(from/2)+float64(to/2), softness*(to-from))
}

// zero returns the parameters of a function that covers zero, not one, of an indicator
// column.
func (t *Tree) zero(shape membership.Function, softness float64, m int) []float64 {
	zero, one := t.low[m], t.high[m]
	if between, ok := shape.(membership.Between); ok {
		return cover(between, side{math.Inf(-1), math.Inf(1)}, side{float64(zero/2) + float64(one/2), softness * (one - zero) / 4})
	}
	return shape.Place(zero, softness*(one-zero))
}

// cover returns the parameters of a function that covers the interval. If both borders are
// bounded, the flanks of a shape with [membership.Bordered] differ as their splits do;
// those of other shapes have the smaller spread.
func cover(shape membership.Between, low, high side) []float64 {
	steeper := min(low.rise, high.rise)
	p := shape.Between(low.at, high.at, logisticRise*steeper)
	s, ok := shape.(membership.Bordered)
	if !ok || math.IsInf(max(low.rise, high.rise), 1) {
		return p
	}
	lower, upper := s.Borders()
	flatter := shape.Between(low.at, high.at, logisticRise*max(low.rise, high.rise))
	if low.rise == steeper {
		lower = upper
	}
	for _, j := range lower { // of the flatter flank
		p[j] = flatter[j]
	}
	return p
}

// excluded returns the indicator columns that are zero on this side of the split of a
// category.
func (c condition) excluded() []int {
	if c.above {
		return c.split.below()
	}
	return c.split.above
}

// below returns the indicator columns of the levels that are not above.
func (s split) below() []int {
	return slices.DeleteFunc(slices.Clone(s.by), func(m int) bool { return slices.Contains(s.above, m) })
}

// sides returns the splits with the rules on their sides.
func (t *Tree) sides() []rules.Split {
	var splits []rules.Split
	for _, n := range t.splits {
		s := rules.Split{Feature: n.best.by[0], Threshold: n.best.threshold, Below: t.under(n.below), Above: t.under(n.above)}
		if n.best.by.category() {
			s.Threshold, s.Not = 0, [2][]int{slices.Sorted(slices.Values(n.best.above)), n.best.below()}
		}
		splits = append(splits, s)
	}
	return splits
}

// under returns the rules of the leaves at or below a node.
func (t *Tree) under(n *node) []int {
	if n.below == nil {
		return []int{slices.Index(t.leaves, n)}
	}
	return append(t.under(n.below), t.under(n.above)...)
}
