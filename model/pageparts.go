package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// ifParts returns the boxes that are an IF part: one or, of several levels of which a cell is one, one of each; none if no level meets
// the conditions.
func (c *pageCompiler) ifParts(conditions []page.Condition) ([]box, error) {
	whole := make(box, len(c.inputs))
	open := membership.Ramp{}.Between(math.Inf(-1), math.Inf(1), 1)
	for m := range whole {
		whole[m] = [4]float64(open)
	}
	boxes := []box{whole}
	var done []string
	for _, one := range conditions {
		column, err := c.column(one.Column, one.Levels...)
		if err != nil {
			return nil, err
		}
		if column.Numbers() && one.Levels == nil {
			c.bound(boxes, column.inputs[0], one)
		} else if !slices.Contains(done, one.Column) { // all its conditions together
			done = append(done, one.Column)
			boxes, err = c.choose(boxes, column, conditions)
		}
		if err != nil {
			return nil, err
		}
	}
	return boxes, nil
}

// bound bounds boxes by a condition on a number.
func (c *pageCompiler) bound(boxes []box, input int, one page.Condition) {
	for side, border := range []*page.Border{one.Above, one.AtMost} {
		if border == nil {
			continue
		}
		for _, b := range boxes {
			b[input][2*side], b[input][2*side+1] = c.scaled(input, border.From), c.scaled(input, border.To)
		}
	}
}

// choose divides boxes by the conditions on a category.
func (c *pageCompiler) choose(boxes []box, column *pageColumn, conditions []page.Condition) ([]box, error) {
	allowed, named := slices.Repeat([]bool{true}, len(column.Levels)), false // named: a cell that is no level is excluded
	for _, one := range conditions {
		if one.Column != column.Name || one.Levels == nil {
			continue
		}
		in, err := column.levels(one.Levels)
		if err != nil {
			return nil, err
		}
		named = named || !one.Not
		for k := range allowed {
			allowed[k] = allowed[k] && in[k] != one.Not
		}
	}
	var choices []box // of one, each with the ramps of the column's inputs, in their order
	if column.Nominal() {
		choices = c.indicated(column, allowed, named)
	} else {
		choices = c.between(column, allowed)
	}
	if len(boxes)*len(choices) > c.most {
		return nil, tooManyRules(c.most)
	}
	var all []box
	for _, b := range boxes {
		for _, choice := range choices {
			next := slices.Clone(b)
			for i, m := range column.inputs {
				if m >= 0 {
					next[m] = choice[i]
				}
			}
			all = append(all, next)
		}
	}
	return all, nil
}

// indicated returns the ramps on the indicators of a column's levels: for each allowed level that it is present or, if the levels are not
// named, once that the others are absent.
func (c *pageCompiler) indicated(column *pageColumn, allowed []bool, named bool) (choices []box) {
	open := [4]float64(membership.Ramp{}.Between(math.Inf(-1), math.Inf(1), 1))
	free := slices.Repeat(box{open}, len(column.inputs))
	half := func(m, side int) [4]float64 { // side 0: above 0.5
		p, at := open, c.scaled(m, 0.5)
		p[2*side], p[2*side+1] = at, at
		return p
	}
	if !named {
		for k, m := range column.inputs {
			if m >= 0 && !allowed[k] {
				free[k] = half(m, 1)
			}
		}
		return []box{free}
	}
	for k, m := range column.inputs {
		if m >= 0 && allowed[k] {
			one := slices.Clone(free)
			one[k] = half(m, 0)
			choices = append(choices, one)
		}
	}
	return choices
}

// between returns the ramps on a column of ordered levels, at whole numbers from one: for each run of allowed levels.
func (c *pageCompiler) between(column *pageColumn, allowed []bool) (choices []box) {
	m := column.inputs[0]
	for k := 0; k < len(allowed); k++ {
		if !allowed[k] {
			continue
		}
		p := [4]float64(membership.Ramp{}.Between(math.Inf(-1), math.Inf(1), 1))
		if k > 0 {
			p[0] = c.scaled(m, float64(k)+0.5)
			p[1] = p[0]
		}
		for k++; k < len(allowed) && allowed[k]; k++ {
		}
		if k < len(allowed) {
			p[2] = c.scaled(m, float64(k)+0.5)
			p[3] = p[2]
		}
		choices = append(choices, box{p})
	}
	return choices
}

// term compiles a term.
func (c *pageCompiler) term(t page.Term) (pieces, error) {
	var levels []string
	if t.Level != "" {
		levels = []string{t.Level}
	}
	column, err := c.column(t.Column, levels...)
	if err != nil {
		return pieces{}, err
	}
	if column.category {
		in, err := column.levels([]string{t.Level})
		if err != nil {
			return pieces{}, err
		}
		values := slices.Repeat([]float64{t.No}, len(in))
		values[slices.Index(in, true)] = t.Yes
		return column.ofLevels(values, t.No), nil
	}
	within := func(x float64) float64 {
		x = column.within(x)
		if t.From != nil {
			x = max(x, *t.From)
		}
		if t.To != nil {
			x = min(x, *t.To)
		}
		return x
	}
	at := func(x float64) float64 { return float64(t.Slope * (within(x) - t.At)) }
	low, high, input := within(math.Inf(-1)), within(math.Inf(1)), column.inputs[0]
	switch {
	case math.IsInf(low, 0) && math.IsInf(high, 0):
		return pieces{slopes: map[int]float64{input: t.Slope}, constant: -float64(t.Slope * t.At)}, nil
	case math.IsInf(low, 0) || math.IsInf(high, 0):
		return pieces{}, fmt.Errorf("term of %s: the column has no range, from V to V, which ends the term on the other side",
			escape.Quote(t.Column))
	case low == high:
		return pieces{constant: at(low)}, nil
	}
	return pieces{input: input, knots: []float64{low, high}, at: at}, nil
}

// within returns the number that terms and tables take for a number.
func (c *pageColumn) within(x float64) float64 {
	if c.low < c.high {
		return max(c.low, min(c.high, x))
	}
	return x
}

// ofLevels returns the value of each level, and of a cell that is none of them.
func (c *pageColumn) ofLevels(values []float64, none float64) pieces {
	if c.Nominal() {
		part := pieces{slopes: map[int]float64{}, constant: none}
		for k, m := range c.inputs {
			if m >= 0 && values[k] != none {
				part.slopes[m] = values[k] - none
			}
		}
		return part
	}
	var knots []float64
	for k := range values {
		knots = append(knots, float64(k+1))
	}
	if len(knots) == 1 {
		return pieces{constant: values[0]}
	}
	return pieces{input: c.inputs[0], knots: knots, at: func(x float64) float64 { return interpolated(knots, values, x) }}
}

// interpolated returns the value of a function that is linear between knots.
func interpolated(knots, values []float64, x float64) float64 {
	q, t := rules.Between(knots, x)
	return rules.Place{Knot: q, Share: t}.On(values)
}

// table compiles a table.
func (c *pageCompiler) table(t page.Table) (pieces, error) {
	column, err := c.column(t.Column, slices.Concat(t.Groups...)...)
	if err != nil {
		return pieces{}, err
	}
	if column.category {
		others := t.Entries[len(t.Groups)]
		values := slices.Repeat([]float64{others}, len(column.Levels))
		for g, names := range t.Groups {
			in, err := column.levels(names)
			if err != nil {
				return pieces{}, err
			}
			for k, is := range in {
				if is {
					values[k] = t.Entries[g]
				}
			}
		}
		return column.ofLevels(values, others), nil
	}
	at := func(x float64) float64 { return interpolated(t.Knots, t.Entries, x) }
	var knots []float64
	for _, k := range t.Knots {
		knots = append(knots, column.within(k))
	}
	if knots = slices.Compact(knots); len(knots) == 1 {
		return pieces{constant: at(knots[0])}, nil
	}
	return pieces{input: column.inputs[0], knots: knots, at: at}, nil
}
