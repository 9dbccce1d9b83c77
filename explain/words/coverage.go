package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// RowGroup is some rows of a data set.
type RowGroup struct {
	Name string
	Rows []int
}

// ByTarget groups rows by target c: by its classes, of which some may have no rows, or by its quartiles.
func ByTarget(d *data.Dataset, c int) []RowGroup {
	if d.Schema.Classes == nil {
		return quarters(d.Target(c).Y)
	}
	of := make([]int, d.Len())
	for n, y := range d.Y {
		of[n] = int(y)
	}
	return numbered(of, func(k int) string { return d.Schema.Classes[k] })
}

// quarters divides rows by the quartiles of values; equal values are in the same group. NaN is in none.
func quarters(values []float64) (groups []RowGroup) {
	sorted := slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(values), math.IsNaN)))
	low := math.Inf(-1)
	for q := 1; q <= 4 && sorted != nil; q++ {
		high := sorted[(q*len(sorted)+3)/4-1]
		g := RowGroup{}
		least := math.Inf(1)
		for n, v := range values {
			if v > low && v <= high {
				g.Rows, least = append(g.Rows, n), min(least, v)
			}
		}
		if g.Rows != nil {
			if g.Name = numeric.Show(high, 5); least < high {
				g.Name = "from " + numeric.Show(least, 5) + " to " + g.Name
			}
			groups = append(groups, g)
		}
		low = max(low, high)
	}
	return groups
}

// missing returns the group of the rows whose number is missing.
func missing(values []float64) RowGroup {
	g := RowGroup{Name: page.MissingLevel}
	for n, v := range values {
		if math.IsNaN(v) {
			g.Rows = append(g.Rows, n)
		}
	}
	return g
}

// Coverage is the share of the rows of a group whose targets their intervals or sets hold: of those that a rule decides, of a quarter of
// the rows by a column of numbers, those without its number, or of a category.
type Coverage struct {
	Of       string  `json:"of"` // rule, or the name of a column
	Group    string  `json:"group"`
	Samples  int     `json:"samples"`
	Coverage float64 `json:"coverage"`

	// SE is the standard error of the coverage of a group that is covered as the level says, by the samples of the group and of the
	// calibration.
	SE  float64 `json:"standard_error"`
	Low bool    `json:"low,omitempty"` // the coverage lies below the level by more than three standard errors
}

// leastGroup is the least number of rows of a group whose coverage is said.
const leastGroup = 20

// coverages returns the coverage of the groups of leastGroup rows and more.
func coverages(m *model.Model, d *data.Dataset, held []bool, i *Interval) (all []Coverage, err error) {
	add := func(of string, groups []RowGroup) {
		for _, g := range groups {
			if len(g.Rows) < leastGroup {
				continue
			}
			in, total, squares := 0.0, 0.0, 0.0
			for _, n := range g.Rows {
				w := numeric.WeightAt(d.Weights, n)
				total, squares = total+w, squares+float64(w*w)
				if held[n] {
					in += w
				}
			}
			c := Coverage{Of: of, Group: g.Name, Samples: len(g.Rows), Coverage: in / total}
			c.SE = math.Sqrt(i.Level * (1 - i.Level) * (squares/total/total + 1/float64(i.Samples+2)))
			c.Low = c.Coverage < i.Level-float64(3*c.SE)
			all = append(all, c)
		}
	}
	if !m.Committee() {
		decides, err := m.Decides(d.X)
		if err != nil {
			return nil, err
		}
		for c, of := range decides {
			output := ""
			if len(decides) > 1 {
				output = " of " + plain(m.Output(c).Schema.Target)
			}
			add("rule", numbered(of, func(r int) string { return strconv.Itoa(r+1) + output }))
		}
	}
	at := 0
	for _, c := range m.Schema.Columns {
		first := at
		if at += c.Width(); c.Unused {
			continue
		}
		if c.Numbers() {
			values := make([]float64, d.Len())
			for n, x := range d.X {
				values[n] = x[first]
			}
			add(c.Name, append(quarters(values), missing(values)))
			continue
		}
		levels := make([]int, d.Len())
		for n, x := range d.X {
			levels[n] = c.Level(x[first:at])
		}
		add(c.Name, numbered(levels, func(l int) string { return c.Levels[l] }))
	}
	return all, nil
}

// twoDigitsUp rounds a number of zero or more up to two significant digits.
func twoDigitsUp(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	if !(unit > 0) {
		return v
	}
	return math.Ceil(v/unit-1e-9) * unit
}

// numbered groups rows by numbers [N], of which a negative one is that of no group.
func numbered(of []int, name func(i int) string) (groups []RowGroup) {
	for n, i := range of {
		for len(groups) <= i {
			groups = append(groups, RowGroup{Name: name(len(groups))})
		}
		if i >= 0 {
			groups[i].Rows = append(groups[i].Rows, n)
		}
	}
	return groups
}

// mostLow is how many groups a remark names.
const mostLow = 5

// Remark names the groups whose coverage lies below the level by more than three standard errors, of many the worst; empty without.
func (i Interval) Remark() string {
	low := slices.DeleteFunc(slices.Clone(i.Groups), func(c Coverage) bool { return !c.Low })
	if len(low) == 0 {
		return ""
	}
	slices.SortStableFunc(low, func(a, b Coverage) int {
		return cmp.Compare((a.Coverage-i.Level)*b.SE, (b.Coverage-i.Level)*a.SE)
	})
	var worst []string
	for _, c := range low[:min(mostLow, len(low))] {
		worst = append(worst, fmt.Sprintf("%s (%.1f%% of %d rows)", c.Name(), 100*c.Coverage, c.Samples))
	}
	text := "covered less than the level says, by more than three standard errors: " + strings.Join(worst, ", ")
	if more := len(low) - len(worst); more > 0 {
		text += fmt.Sprintf(", and %d of %d groups more", more, len(i.Groups))
	}
	return text
}

// CoverageHead returns the heads of a table of coverages.
func CoverageHead() []string { return []string{"rows", "coverage", "standard error", "number of rows"} }

// CoverageNote explains the table of coverages.
const CoverageNote = "coverage of the rows that a rule decides, of quarters of the rows by each column, of those without it, and of " +
	"categories, of groups of 20 rows or more; the standard error is that of a group that is covered as the level says"

// Cells returns the coverage as a row of a table; its first cell is marked where it is low.
func (c Coverage) Cells() []string {
	name := c.Name()
	if c.Low {
		name += " (low)"
	}
	return []string{name, fmt.Sprintf("%.1f%%", 100*c.Coverage), fmt.Sprintf("%.1f%%", 100*c.SE), strconv.Itoa(c.Samples)}
}

// Name returns the group in words, such as rule 2 or hour from 7 to 9.
func (c Coverage) Name() string {
	if strings.HasPrefix(c.Group, "from ") || c.Of == "rule" {
		return plain(c.Of) + " " + c.Group
	}
	return plain(c.Of) + " is " + plain(c.Group)
}

// ByRule says how near the targets of new rows are by the rule that decides them, by the calibration rows of each rule; empty if no rule
// has enough.
func (i Interval) ByRule() string {
	var all []string
	for r, c := range i.Rules {
		if c.Within != nil {
			all = append(all, fmt.Sprintf("rule %d within %s (%s)", r+1, withUnit(numeric.Show(twoDigitsUp(*c.Within), 5), i.unit),
				numeric.Counted(c.Samples, "row")))
		}
	}
	if all == nil {
		return ""
	}
	return "Of new rows that a rule decides, 9 in 10 targets lie near the prediction, by the calibration rows that it decides: " +
		strings.Join(all, ", ")
}
