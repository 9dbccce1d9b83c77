package page

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// Row returns a row's cell of a column: the number of a column without levels, else the level, which may be none of the column's. ok is
// false, or the number NaN, if the cell is missing.
type Row func(column string) (number float64, level string, ok bool)

// Predict returns the value of the page, in units of the target. A missing cell of a column that the page mentions, an infinite number,
// and a part of the page that [Page.Validate] refuses, other than by its partition, are errors.
func (p *Page) Predict(row Row) (float64, error) {
	cells, err := p.cells(row)
	if err != nil {
		return 0, err
	}
	value := sum(p.Terms, cells)
	for i := range p.Rules {
		r := &p.Rules[i]
		if g := r.grade(cells); g != 0 {
			value += float64(g * (r.About + sum(r.Terms, cells)))
		}
	}
	for _, t := range p.Tables {
		if x := cells[t.Column]; p.Factors {
			value *= t.Entry(x.within, x.level)
		} else {
			value += t.Entry(x.within, x.level)
		}
	}
	if p.Low < p.High {
		value = max(p.Low, min(p.High, value))
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, fmt.Errorf("the value of the page is %v", value)
	}
	return value, nil
}

// Grades returns the grade of each rule, which sum to one: 1 where its conditions hold, within ramps in proportion. Errors are those of
// [Page.Predict].
func (p *Page) Grades(row Row) ([]float64, error) {
	cells, err := p.cells(row)
	if err != nil {
		return nil, err
	}
	all := make([]float64, len(p.Rules))
	for i := range p.Rules {
		all[i] = p.Rules[i].grade(cells)
	}
	return all, nil
}

// cell is a cell of a row.
type cell struct {
	number, within float64 // as it is, and as terms and tables take it
	level          string
}

// cells returns a row's cells of the page's columns.
func (p *Page) cells(row Row) (map[string]cell, error) {
	if err := p.checkParts(); err != nil {
		return nil, err
	}
	all := map[string]cell{}
	for _, c := range p.Columns {
		v, level, ok := row(c.Name)
		missing := !ok || c.Levels == nil && math.IsNaN(v)
		if missing && c.Missing != nil {
			v, level, missing = c.Missing.Number, c.Missing.Level, false
			if c.Own {
				level = MissingLevel
			}
		}
		switch {
		case missing:
			return nil, fmt.Errorf("%s is missing", escape.Quote(c.Name))
		case c.Levels == nil && math.IsInf(v, 0):
			return nil, fmt.Errorf("%s is %v", escape.Quote(c.Name), v)
		}
		all[c.Name] = cell{v, c.Within(v), level}
	}
	return all, nil
}

// grade returns the grade of a rule.
func (r *Rule) grade(cells map[string]cell) float64 {
	g := 1.0
	for _, c := range r.Conditions {
		x := cells[c.Column]
		g *= c.Grade(x.number, x.level)
	}
	return g
}

// Grade returns the grade of the condition for a cell of its column, a number or a level: 1 where it holds, within ramps in proportion.
func (c Condition) Grade(number float64, level string) float64 {
	if c.Levels != nil && slices.Contains(c.Levels, level) == c.Not {
		return 0
	}
	g := 1.0
	if c.Above != nil {
		g = c.Above.above(number)
	}
	if c.AtMost != nil {
		g *= 1 - c.AtMost.above(number)
	}
	return g
}

// Within returns a number of the column as terms and tables take it: within [Low, High], if the column has such a range.
func (c Column) Within(v float64) float64 {
	if c.Low < c.High {
		return max(c.Low, min(c.High, v))
	}
	return v
}

// above returns the grade of "above".
func (b *Border) above(x float64) float64 {
	switch {
	case x <= b.From:
		return 0
	case x >= b.To: // of a step: above it
		return 1
	}
	return (x - b.From) / (b.To - b.From)
}

// sum returns the sum of terms.
func sum(terms []Term, cells map[string]cell) float64 {
	total := 0.0
	for _, t := range terms {
		x := cells[t.Column]
		switch {
		case t.Level == "":
			u := x.within
			if t.From != nil {
				u = max(u, *t.From)
			}
			if t.To != nil {
				u = min(u, *t.To)
			}
			total += float64(t.Slope * (u - t.At))
		case x.level == t.Level:
			total += t.Yes
		default:
			total += t.No
		}
	}
	return total
}

// Entry returns the entry of a cell: of a number within the range of its column, see [Column.Within], between knots in proportion, or of a
// level.
func (t Table) Entry(number float64, level string) float64 {
	for g, levels := range t.Groups {
		if slices.Contains(levels, level) {
			return t.Entries[g]
		}
	}
	last := len(t.Entries) - 1
	if t.Groups != nil || number >= t.Knots[last] {
		return t.Entries[last]
	}
	k := 0
	for number >= t.Knots[k+1] {
		k++
	}
	share := max(0, (number-t.Knots[k])/(t.Knots[k+1]-t.Knots[k]))
	return t.Entries[k] + float64(share*(t.Entries[k+1]-t.Entries[k]))
}
