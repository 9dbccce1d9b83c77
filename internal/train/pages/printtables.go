package pages

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/page"
)

// table adds table t to the page, as a term of all rules if it is a line, or of one level.
func (p *printer) table(t int) {
	if p.factored != nil {
		p.factor(t)
		return
	}
	at, groups := p.place(t), p.tables[t].groups
	part := &p.parts[p.tables[t].part]
	c := &p.f.columns[part.column]
	points := p.points(t, p.w)
	mean := 0.0
	for i := range p.f.n {
		mean += float64(p.f.weight[i] * part.value(points, i))
	}
	mean /= p.total
	if part.knots == nil {
		p.groups(t, points, mean)
		return
	}
	if !p.in[at] {
		return
	}
	out := page.Table{Column: c.Name}
	for h, k := range part.knots {
		end := h == 0 || h == len(part.knots)-1
		for g, group := range groups {
			end = end || g > 0 && group[0]-part.first == h && p.in[at+g]
		}
		if end {
			out.Knots, out.Entries = append(out.Knots, k), append(out.Entries, roundNear((points[h]-mean)*p.sd, p.step))
		}
	}
	if len(out.Knots) > 2 {
		p.page.Tables = append(p.page.Tables, out)
		return
	}
	low, high := part.knots[0], part.knots[len(part.knots)-1]
	line := rounding{Term: page.Term{Column: c.Name}, slope: (points[len(points)-1] - points[0]) * p.sd / (high - low)}
	limited := make([]float64, p.f.n)
	for i, v := range c.Values {
		limited[i] = min(max(v, low), high)
	}
	line.sd = deviation(limited, p.f.weight)
	line.Slope = numeric.Round(line.slope, 3)
	line.At = roundNear(numeric.WeightedMean(limited, p.f.weight), line.sd/5)
	p.page.Terms = append(p.page.Terms, line.Term)
}

// factor adds table t as factors to the page, unless it has one entry.
func (p *printer) factor(t int) {
	values, part := p.factors[t], &p.parts[p.tables[t].part]
	if !varies(values) {
		return
	}
	out := page.Table{Column: p.f.columns[part.column].Name}
	if part.knots != nil {
		for _, k := range p.knots(t) {
			out.Knots, out.Entries = append(out.Knots, part.knots[k]), append(out.Entries, values[k])
		}
	} else {
		out.Groups, out.Entries = p.grouped(t, values)
	}
	roundFactors(out.Entries, p.step, p.s)
	p.page.Tables = append(p.page.Tables, out)
}

// grouped returns the groups of levels of table t, and their values, that of all others last.
func (p *printer) grouped(t int, values []float64) (groups [][]string, entries []float64) {
	at, part := p.place(t), &p.parts[p.tables[t].part]
	c := &p.f.columns[part.column]
	for g, group := range p.tables[t].groups {
		if p.in[at+g] {
			var levels []string
			for _, i := range group {
				levels = append(levels, c.Levels[c.levels[i-part.first]])
			}
			groups, entries = append(groups, levels), append(entries, values[group[0]-part.first])
		}
	}
	return groups, append(entries, values[p.others(t)])
}

// roundFactors rounds entries so that values of the size of the target move by a step at most.
func roundFactors(entries []float64, step float64, s Samples) {
	size := 0.0
	for i, y := range s.Y {
		size += float64(numeric.WeightAt(s.Weight, i) * float64(y*y))
	}
	step = min(step/math.Sqrt(size/numeric.WeightSum(s.Weight, len(s.Y))), leastFactor)
	for k, v := range entries {
		entries[k] = max(roundNear(v, step), power(1, decade(step)))
	}
}

// varies reports whether the values of a factor are not all equal.
func varies(values []float64) bool { return slices.Min(values) < slices.Max(values) }

// groups adds table t of a category, whose values are points less a mean.
func (p *printer) groups(t int, points []float64, mean float64) {
	out := page.Table{Column: p.f.columns[p.parts[p.tables[t].part].column].Name}
	if out.Groups, out.Entries = p.grouped(t, points); out.Groups == nil {
		return
	}
	for k, v := range out.Entries {
		out.Entries[k] = roundNear((v-mean)*p.sd, p.step)
	}
	if len(out.Groups) == 1 && len(out.Groups[0]) == 1 {
		p.page.Terms = append(p.page.Terms, page.Term{Column: out.Column, Level: out.Groups[0][0], Yes: out.Entries[0], No: out.Entries[1]})
		return
	}
	p.page.Tables = append(p.page.Tables, out)
}
