package words

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// Condition is a condition of a rule on a column, in words.
type Condition struct {
	Column string `json:"column"`
	Unit   string `json:"unit,omitempty"`

	// Is names the values: "low", "not high", levels, the numbers of a column with few
	// distinct values, or the bounds alone, such as "at least 3.4".
	Is string `json:"is"`

	// Preferably: the grade is at least half its largest nearly everywhere, and Is names the
	// values whose grade is above the middle between the least and the largest.
	Preferably bool `json:"preferably,omitempty"`

	// From and To are the bounds of the values that Is names, as printed; null if the outermost
	// training values are among them, if Is names levels, and if values between the bounds are not meant.
	From *float64 `json:"from,omitempty"`
	To   *float64 `json:"to,omitempty"`

	of       *page.Condition // that this is of a page; nil: of another model
	printed  string          // as the page prints it
	from, to string          // From and To as printed
	numbered bool            // Is names numbers
	least    float64         // least grade, as a share of the largest
	cut      Cut
	grade    func(u []float64) float64 // of the inputs of the IF parts, as a share of the largest
}

// gradeOf returns the grade on a sample, as a share of the largest over the training values, at most 1.
func (c *Condition) gradeOf(m *model.Model, x, scaled []float64) float64 {
	if c.of != nil {
		cell := pageCellOf(m, c.Column, x)
		return c.of.Grade(cell.number, cell.level)
	}
	return min(1, c.grade(m.RuleBase.IfPart(scaled)))
}

// Cut returns the set of values that the condition names.
func (c *Condition) Cut() *Cut { return &c.cut }

// equal makes the condition one of a single value.
func (c *Condition) equal(name string, v float64) {
	c.Is, c.numbered, c.cut.In = name, true, []float64{v}
	c.From, c.To, c.cut.From, c.cut.To = &v, &v, nil, nil
}

// firmFirst sorts preferences last.
func firmFirst(a, b Condition) int {
	switch {
	case a.Preferably == b.Preferably:
		return 0
	case a.Preferably:
		return 1
	}
	return -1
}

// String returns the condition, such as "age is low (at most 28 days)".
func (c Condition) String() string {
	is := " is "
	if c.of != nil {
		return c.printed
	}
	if c.Preferably {
		is = " is preferably "
	}
	return plain(c.Column) + is + plain(c.Is) + c.ends()
}

// ends returns what follows Is: the bounds of the values and the unit.
func (c Condition) ends() string {
	unit := ""
	if c.Unit != "" {
		unit = " " + plain(c.Unit)
	}
	if c.numbered {
		return unit
	}
	if bounds := c.bounds(); bounds != "" {
		return " (" + bounds + unit + ")"
	}
	return ""
}

// ranked reports whether Is is a word for ranks, such as "low".
func (c Condition) ranked() bool { return !c.numbered && (c.From != nil || c.To != nil) }

// bounds returns the bounds of the values in words; empty without bounds.
func (c Condition) bounds() string {
	switch {
	case c.From != nil && c.To != nil:
		return c.from + " to " + c.to
	case c.From != nil:
		return "at least " + c.from
	case c.To != nil:
		return "at most " + c.to
	}
	return ""
}

// Cut is the set of values of a column that a condition names: an alpha-cut of the grade, to the digits printed. The values of an ordinal
// column are the positions of its levels from 1, those of a one-hot column the indices of its levels from 0, and -1 for a row without any.
type Cut struct {
	Feature int     `json:"feature"`          // index in the schema of the column's first feature
	Levels  int     `json:"levels,omitempty"` // number of levels of a one-hot column
	Mean    float64 `json:"mean"`             // used for a missing value

	In  []float64 `json:"in,omitempty"`  // these values alone
	Out []float64 `json:"out,omitempty"` // all values other than these

	// Without In and Out, the values are those from From to To, inclusive; null is no bound. Outside inverts the range.
	From    *float64 `json:"from,omitempty"`
	To      *float64 `json:"to,omitempty"`
	Outside bool     `json:"outside,omitempty"`
}

// Has reports whether the cut has the value of a sample x, whose features are in their own units and in the order of the schema.
func (c *Cut) Has(x []float64) bool {
	v := c.value(x)
	switch {
	case c.In != nil:
		return slices.Contains(c.In, v)
	case c.Out != nil:
		return !slices.Contains(c.Out, v)
	}
	within := (c.From == nil || v >= *c.From) && (c.To == nil || v <= *c.To)
	return within != c.Outside
}

// value returns the value of the column in a sample.
func (c *Cut) value(x []float64) float64 {
	if c.Levels > 0 {
		return float64(slices.Index(x[c.Feature:c.Feature+c.Levels], 1))
	}
	if v := x[c.Feature]; !math.IsNaN(v) {
		return v
	}
	return c.Mean
}

// columnLevel is a level of a column, or a value of a column with few distinct numbers.
type columnLevel struct {
	name     string
	place    float64   // value in a Cut
	features []float64 // [inputs]
	rare     bool      // less than 1/20 of the samples may have it
}

// among makes the condition one of the levels in; out are the others. all: no value of a column of numbers is missing among the levels.
func (c *Condition) among(column data.Column, levels, in, out []columnLevel, all bool) {
	c.numbered = column.Numbers()
	if c.numbered {
		c.From, c.To = spanned(levels, in)
	}
	if len(in) == 0 {
		c.Is, c.cut.Out = "none of its levels", places(out)
		if c.numbered {
			c.Is, c.numbered = "none of its values", false
		}
		return
	}
	if !column.Nominal() && c.stretch(levels, in, all) {
		return
	}
	if len(in) > 2 && len(out) < len(in) {
		c.cut.Out = places(out)
		switch len(out) {
		case 1:
			c.Is = "not " + out[0].name
		case 2:
			c.Is = "neither " + joined(out, "nor")
		default:
			c.Is = "none of " + joined(out, "and")
		}
	} else {
		c.Is, c.cut.In = joined(in, "or"), places(in)
	}
}

// stretch names adjacent levels, at least two, or three numbers, by their bounds; two numbers
// too if other values may lie between them. It returns false if it cannot.
func (c *Condition) stretch(levels, in []columnLevel, all bool) bool {
	least := 2
	if c.numbered && (all || in[len(in)-1].place-in[0].place <= 1) {
		least = 3
	}
	at := slices.IndexFunc(levels, func(l columnLevel) bool { return l.place == in[0].place })
	first, last := in[0], in[len(in)-1]
	if len(in) < least || levels[at+len(in)-1].place != last.place {
		return false
	}
	many := !c.numbered && len(in) > mostListed
	switch {
	case at+len(in) == len(levels):
		c.Is, c.cut.From = "at least "+first.name, &first.place
	case at == 0:
		c.Is, c.cut.To = "at most "+last.name, &last.place
	case c.numbered || many:
		c.Is, c.cut.From, c.cut.To = first.name+" to "+last.name, &first.place, &last.place
	default:
		return false
	}
	if many {
		c.Is += fmt.Sprintf(" (%d of %d: %s, %s, ..., %s)", len(in), len(levels), first.name, in[1].name, last.name)
	}
	return true
}

// mostListed is the largest number of levels in an order that a condition names one by one.
const mostListed = 8

// spanned returns the least and the largest of adjacent levels, nil where none is beyond; both are nil if the levels are not adjacent.
func spanned(levels, in []columnLevel) (from, to *float64) {
	if len(in) == 0 {
		return nil, nil
	}
	at := slices.IndexFunc(levels, func(l columnLevel) bool { return l.place == in[0].place })
	end, last := at+len(in), in[len(in)-1]
	if levels[end-1].place != last.place {
		return nil, nil
	}
	if at > 0 {
		from = &in[0].place
	}
	if end < len(levels) {
		to = &last.place
	}
	return from, to
}

func places(levels []columnLevel) []float64 {
	all := make([]float64, len(levels))
	for i, l := range levels {
		all[i] = l.place
	}
	return all
}

// joined lists the names of levels: "a, b or c" for the last word "or".
func joined(levels []columnLevel, and string) string {
	var names []string
	for _, l := range levels {
		names = append(names, l.name)
	}
	return listed(names, and)
}
