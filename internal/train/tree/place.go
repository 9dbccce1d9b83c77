package tree

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

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
