package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// picture is the distribution of a target among the rows that a rule decides.
type picture struct {
	Bars []bar
	Said string // in words, such as "half of its rows from 8.4 to 16.1 kW, mean 13.2 kW"
	Of   string // the target of several, else empty
}

// bar is a bar of a picture, whose height is 10.
type bar struct{ Top, Height float64 }

const (
	pictureBins  = 40
	namedClasses = 3 // in the words of a picture
)

// variable is a target over all rows of a part.
type variable struct {
	model.Value
	of       string
	y        []float64
	weights  []float64 // nil: all one
	classes  []string
	from, to float64 // of the pictures: the 1% and 99% quantiles
	bins     int
	half     float64 // of the width of a bin of whole numbers, else 0
}

// decisions has the rows of a part by the rule that decides them: that of the largest firing level.
type decisions struct {
	m         *model.Model
	decides   [][]int // of each page, or of the rules, the index of the rule by row, see [model.Model.Decides]
	variables []variable
}

// newDecisions returns the decisions of a model of one rulebase.
func newDecisions(m *model.Model, d *data.Dataset) (*decisions, error) {
	of := &decisions{m: m}
	var err error
	if of.decides, err = m.Decides(d.X); err != nil {
		return nil, err
	}
	values := m.Values()
	switch {
	case m.Schema.Classes != nil:
		of.variables = []variable{{classes: m.Schema.Classes, y: d.Y, weights: d.Weights}}
	case len(d.Others) > 0:
		for c := range 1 + len(d.Others) {
			of.variables = append(of.variables, newVariable(values[c], d.Target(c).Y, d.Weights))
			of.variables[c].of = values[c].Name
		}
	default:
		of.variables = []variable{newVariable(values[0], d.Y, d.Weights)}
	}
	return of, nil
}

// newVariable returns a target of numbers. Whole numbers have a bin each if they are few.
func newVariable(value model.Value, y, weights []float64) variable {
	sorted := numeric.SortedByValue(y, weights)
	v := variable{Value: value, y: y, weights: weights, from: numeric.Quantile(sorted, 0.01), to: numeric.Quantile(sorted, 0.99),
		bins: pictureBins}
	if v.to-v.from < pictureBins && !slices.ContainsFunc(sorted, func(v float64) bool { return v != math.Trunc(v) }) {
		v.half, v.bins = 0.5, int(v.to-v.from)+1
	}
	return v
}

// rows returns the rows that rules of some numbers decide together.
func (of *decisions) rows(numbers []int) (rows []int) {
	for _, number := range numbers {
		rule, page := of.place(number)
		for n, r := range of.decides[page] {
			if r == rule {
				rows = append(rows, n)
			}
		}
	}
	return rows
}

// place returns the index of the rule of a number, of several pages on its page, and that of the page.
func (of *decisions) place(number int) (rule, page int) {
	rule = number - 1
	for page < len(of.m.Pages)-1 && rule >= len(of.m.Pages[page].Rules) {
		rule, page = rule-len(of.m.Pages[page].Rules), page+1
	}
	return rule, page
}

// pictures returns those of the targets among the rows that some rules decide together, of a page those of its own target.
func (of *decisions) pictures(numbers []int) (all []picture) {
	rows := of.rows(numbers)
	if len(rows) == 0 {
		return nil
	}
	_, page := of.place(numbers[0])
	for c, v := range of.variables {
		if of.m.Pages == nil || len(of.variables) == 1 || c == page {
			all = append(all, v.picture(rows))
		}
	}
	return all
}

// picture returns the distribution among some rows: of classes a bar for each.
func (v variable) picture(rows []int) picture {
	if v.classes != nil {
		return picture{Bars: bars(v.counts(rows)), Said: "of its rows " + v.common(rows)}
	}
	clipped := make([]float64, len(rows))
	for i, n := range rows {
		clipped[i] = min(max(v.y[n], v.from), v.to)
	}
	low, high, mean := v.middleHalf(rows)
	return picture{Of: v.of, Bars: bars(numeric.Histogram(clipped, v.from-v.half, v.to+v.half, v.bins)),
		Said: fmt.Sprintf("half of its rows from %s to %s, mean %s", threeDigits(low), threeDigits(high), withUnit(threeDigits(mean), v.Unit))}
}

// counts returns the number of some rows in each class.
func (v variable) counts(rows []int) []int {
	counts := make([]int, len(v.classes))
	for _, n := range rows {
		counts[int(v.y[n])]++
	}
	return counts
}

// common returns the shares of the most frequent classes among some rows.
func (v variable) common(rows []int) string {
	counts, order := v.counts(rows), make([]int, len(v.classes))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return counts[b] - counts[a] })
	var all []string
	for _, k := range order[:min(namedClasses, len(order))] {
		if counts[k] > 0 {
			all = append(all, v.classes[k]+" "+percentOf(counts[k], len(rows)))
		}
	}
	return strings.Join(all, ", ")
}

// axes says what the pictures are over; part is the name of the rows.
func (of *decisions) axes(part string) string {
	var all []string
	for _, v := range of.variables {
		switch {
		case v.classes != nil:
			all = append(all, fmt.Sprintf("a bar for each class, in the order %s", list(v.classes)))
		case v.from < v.to:
			all = append(all, fmt.Sprintf("%s from %s or less to %s or more", v.Name, value(v.from), withUnit(value(v.to), v.Unit)))
		}
	}
	if all == nil {
		return ""
	}
	return fmt.Sprintf("Each picture has the rows of %s that the rule decides: %s.", part, strings.Join(all, "; "))
}

// bars returns counts as bars, the largest of full height.
func bars(counts []int) (all []bar) {
	for _, n := range counts {
		height := float64(10*n) / float64(max(1, slices.Max(counts)))
		all = append(all, bar{10 - height, height})
	}
	return all
}

// withUnit adds a unit to a number.
func withUnit(text, unit string) string {
	if unit == "" {
		return text
	}
	return text + " " + unit
}
