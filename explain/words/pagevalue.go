package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// pageCell is a cell of a row: of a number its value, of a category its level, empty for a cell of none.
type pageCell struct {
	number float64
	level  string
}

// pageRow returns a sample by the columns of a page, with the means of features for missing cells.
func pageRow(m *model.Model, x []float64) map[string]pageCell {
	row := map[string]pageCell{}
	for _, c := range m.Page.Columns {
		column, first := schemaColumn(m, c.Name)
		features := slices.Clone(x[first:][:column.Width()])
		for i, v := range features {
			if math.IsNaN(v) {
				features[i] = m.Features[first+i].Mean
			}
		}
		cell := pageCell{number: features[0]}
		if level := column.Level(features); level >= 0 {
			cell.level = column.Levels[level]
		}
		row[c.Name] = cell
	}
	return row
}

// pageGrades returns the grade of the IF part of each rule: the shares of the rules.
func pageGrades(p *page.Page, row map[string]pageCell) []float64 {
	all := slices.Repeat([]float64{1}, len(p.Rules))
	for r, rule := range p.Rules {
		for _, c := range rule.Conditions {
			all[r] *= conditionGrade(c, row[c.Column])
		}
	}
	return all
}

// conditionGrade returns the grade of a condition.
func conditionGrade(c page.Condition, cell pageCell) float64 {
	grade := 1.0
	if c.Levels != nil && slices.Contains(c.Levels, cell.level) == c.Not {
		return 0
	}
	if c.Above != nil {
		grade *= aboveGrade(*c.Above, cell.number)
	}
	if c.AtMost != nil {
		grade *= 1 - aboveGrade(*c.AtMost, cell.number)
	}
	return grade
}

// aboveGrade returns the grade of a value above a border.
func aboveGrade(b page.Border, v float64) float64 {
	switch {
	case v <= b.From:
		return 0
	case v > b.To || b.From == b.To:
		return 1
	}
	return (v - b.From) / (b.To - b.From)
}

// taken returns the value of a number that a term takes.
func taken(t page.Term, c page.Column, v float64) float64 {
	v = max(c.Low, min(c.High, v))
	if t.From != nil {
		v = max(v, *t.From)
	}
	if t.To != nil {
		v = min(v, *t.To)
	}
	return v
}

// termValue returns the value of a term.
func termValue(t page.Term, c page.Column, cell pageCell) float64 {
	switch {
	case t.Level == "":
		return t.Slope * (taken(t, c, cell.number) - t.At)
	case t.Level == cell.level:
		return t.Yes
	}
	return t.No
}

// tableValue returns the entry of a table for a cell, and where it is from.
func tableValue(t page.Table, c page.Column, cell pageCell) (float64, string) {
	if t.Knots == nil {
		at := slices.IndexFunc(t.Groups, func(levels []string) bool { return slices.Contains(levels, cell.level) })
		if at < 0 {
			return t.Entries[len(t.Groups)], "all others"
		}
		return t.Entries[at], plain(cell.level)
	}
	v := max(c.Low, min(c.High, cell.number))
	v = max(t.Knots[0], min(t.Knots[len(t.Knots)-1], v))
	k, exact := slices.BinarySearch(t.Knots, v)
	if exact {
		return t.Entries[k], exactly(v) + countsAs(cell.number, v)
	}
	from, to := t.Knots[k-1], t.Knots[k]
	value := t.Entries[k-1] + float64((v-from)/(to-from)*(t.Entries[k]-t.Entries[k-1]))
	return value, fmt.Sprintf("%s, in proportion between %s at %s and %s at %s%s", exactly(v), withSign(t.Entries[k-1]), exactly(from),
		withSign(t.Entries[k]), exactly(to), countsAs(cell.number, v))
}

// countsAs says that a term or table takes a value as another one; empty if they are equal.
func countsAs(v, taken float64) string {
	if v == taken {
		return ""
	}
	return fmt.Sprintf(", as %s counts as %s", exactly(v), exactly(taken))
}

// pageColumn returns a column of a page.
func pageColumn(p *page.Page, name string) page.Column {
	return p.Columns[slices.IndexFunc(p.Columns, func(c page.Column) bool { return c.Name == name })]
}

// conditionText returns a condition of a page that has one border or some levels.
func conditionText(c page.Condition, unit string) string {
	is, border := "is at most ", c.AtMost
	switch {
	case c.Levels != nil:
		var names []string
		for _, level := range c.Levels {
			names = append(names, plain(level))
		}
		if is = "is "; c.Not {
			is = "is not "
		}
		return plain(c.Column) + " " + is + strings.Join(names, " or ")
	case border == nil:
		is, border = "is above ", c.Above
	}
	text := plain(c.Column) + " " + is + withUnit(exactly(border.At), unit)
	if border.From < border.To {
		text += fmt.Sprintf(", from %s to %s in proportion", exactly(border.From), exactly(border.To))
	}
	return text
}
