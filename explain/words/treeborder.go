package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// divideLevels sets the conditions of the two sides of a split by a category.
func divideLevels(b *Branch, g group, s rules.Split) {
	b.ones = s.Not[0]
	for _, i := range b.ones {
		f := g.seen[slices.Index(g.inputs, i)]
		b.half = append(b.half, f.Antecedent((0.5-f.Mean)/f.SD))
	}
	var sides [2][]level // below, above
	for k, l := range levelsOf(g, 0) {
		if slices.Contains(s.Not[1], g.inputs[k]) {
			sides[0] = append(sides[0], l)
		} else if slices.Contains(s.Not[0], g.inputs[k]) {
			sides[1] = append(sides[1], l)
		}
	}
	for i := range sides {
		c := Condition{Column: g.column.Name}
		c.among(g.column, nil, sides[i], sides[1-i], true)
		b.Sides[i].When = c.String()
	}
}

// divideNumbers sets the border of a split by a number, and the conditions of its sides.
func divideNumbers(b *Branch, m *model.Model, g group, s rules.Split) error {
	f := g.seen[0]
	at, ok := crossing(m.RuleBase, s, f.Antecedent((f.Min-f.Mean)/f.SD), f.Antecedent((f.Max-f.Mean)/f.SD))
	if !ok {
		return fmt.Errorf("%w: training left no border of %s between %s on one side of a split and %s on the other", ErrNoTree,
			plain(g.column.Name), named(numbered(s.Below)), named(numbered(s.Above)))
	}
	v := f.Unscaled(at)
	if shared, ok := sharedBorder(m, g, s); ok {
		v, at = shared, f.Antecedent((shared-f.Mean)/f.SD)
	}
	b.border = at
	if levels := levelsOf(g, m.Training.Sampled()); levels != nil {
		upper := slices.IndexFunc(levels, func(l level) bool { return l.place >= v })
		if upper > 0 {
			divideFew(b, g, levels, upper)
			return nil
		}
	}
	for i, lower := range []bool{false, true} {
		c := Condition{Column: g.column.Name, Unit: g.column.Unit, numbered: true}
		text, _ := g.known.border(v, lower)
		switch {
		case lower:
			c.Is = "at least " + text
		case g.known.whole:
			c.Is = "at most " + text
		default:
			c.Is = "below " + text
		}
		b.Sides[i].When = c.String()
	}
	return nil
}

// sharedBorder returns the border by which rules on both sides of a split end and begin, in the
// feature's unit; false if there is none.
func sharedBorder(m *model.Model, g group, s rules.Split) (float64, bool) {
	f, input := g.seen[0], g.inputs[0]
	for _, below := range s.Below {
		_, to, ok := borders(m, below, input, f)
		if !ok || to == nil {
			continue
		}
		for _, above := range s.Above {
			if from, _, ok := borders(m, above, input, f); ok && from != nil && *from == *to {
				return *to, true
			}
		}
	}
	return 0, false
}

// divideFew sets the conditions of the two sides of a split by a column of few values, the
// second from level upper on.
func divideFew(b *Branch, g group, levels []level, upper int) {
	below, above := levels[:upper], levels[upper:]
	for i, in := range [][]level{below, above} {
		c := Condition{Column: g.column.Name, Unit: g.column.Unit}
		c.among(g.column, levels, in, [][]level{above, below}[i], g.known.all)
		b.Sides[i].When = c.String()
	}
}

// crossing returns the border of a split of a number in the scale of the antecedents: where the
// largest grade of the rules below falls under that of the rules above, the place nearest to
// the split at the start. low and high are the range of the training values. It returns false
// if there is none within twice that range.
func crossing(rb *rules.RuleBase, s rules.Split, low, high float64) (float64, bool) {
	const steps = 1000
	side := sideOf(rb, s)
	width := float64((high - low) / 2)
	at := func(i int) float64 { return low - width + 2*(high-low)*float64(i)/steps }
	best, found, last := 0.0, false, -1
	for i := range steps + 1 {
		switch side(at(i)) {
		case 1:
			last = i
		case -1:
			if last < 0 {
				continue
			}
			v := float64(edge(side, at(last), at(i))/2) + float64(edge(side, at(i), at(last))/2)
			if !found || math.Abs(v-s.Threshold) < math.Abs(best-s.Threshold) {
				best, found = v, true
			}
			last = -1
		}
	}
	return best, found
}

// sideOf returns a function that is 1 at values where a rule below a split has the largest grade
// of all, -1 where one above has, and 0 where they are equal.
func sideOf(rb *rules.RuleBase, s rules.Split) func(v float64) int {
	p, x, grade := make([]float64, len(rb.Antecedents)), make([]float64, 1), make([]float64, 1)
	largest := func(some []int) float64 {
		top := math.Inf(-1)
		for _, r := range some {
			logGrades(rb.Shape, rb.Function(p, r, s.Feature), grade, x)
			top = max(top, grade[0])
		}
		return top
	}
	return func(v float64) int {
		x[0] = v
		return cmp.Compare(largest(s.Below), largest(s.Above))
	}
}

// edge returns the last value from in towards out on the side of in.
func edge(side func(v float64) int, in, out float64) float64 {
	of := side(in)
	for range 60 {
		if middle := float64(in/2) + float64(out/2); side(middle) == of {
			in = middle
		} else {
			out = middle
		}
	}
	return in
}
