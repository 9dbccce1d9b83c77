package words

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
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

	from, to string  // From and To as printed
	numbered bool    // Is names numbers
	least    float64 // least grade, as a share of the largest
	cut      Cut
	grade    func(u []float64) float64 // of the inputs of the IF parts, as a share of the largest
}

// Cut returns the set of values that the condition names.
func (c *Condition) Cut() *Cut { return &c.cut }

// group is the inputs of the rules from one column: one input, or one per level.
type group struct {
	column data.Column
	first  int             // the column's first feature
	inputs []int           // of the rulebase
	from   []int           // index of the feature of each input
	seen   []model.Feature // feature of each input
	ranged bool            // conditions name the values by their borders alone
	known  known           // of a column of numbers
}

// groups returns the columns that a model without components uses. values are the distinct
// training values of each feature, nil if they are unknown.
func groups(m *model.Model, values [][]float64) []group {
	var all []group
	feature, input := 0, 0
	for _, c := range m.Schema.Columns {
		g := group{column: c, first: feature, ranged: ranged(m.RuleBase)}
		f := m.Features[feature]
		distinct := slices.Compact(slices.Clone(f.Quantiles))
		if values != nil {
			distinct = values[feature]
		}
		g.known = newKnown(distinct, f.SD)
		g.known.all, g.known.strict, g.known.round = values != nil, g.ranged, isRounded(m)
		for range c.Width() {
			if f := m.Features[feature]; !f.Constant {
				g.inputs, g.from, g.seen = append(g.inputs, input), append(g.from, feature), append(g.seen, f)
				input++
			}
			feature++
		}
		if len(g.inputs) > 0 {
			all = append(all, g)
		}
	}
	return all
}

// condition describes the condition of rule r on the column; false if the grade is nearly
// constant over the training values: never less than a share of the largest.
func (g group) condition(m *model.Model, r int, constant float64) (Condition, bool) {
	if !slices.ContainsFunc(g.inputs, func(i int) bool { return !m.RuleBase.IsFlat(r, i) }) {
		return Condition{}, false
	}
	c := Condition{Column: g.column.Name, Unit: g.column.Unit, cut: Cut{Feature: g.first, Mean: g.seen[0].Mean}}
	if g.column.Nominal() {
		c.cut.Levels = g.column.Width()
	}
	levels := levelsOf(g, m.Training.Sampled())
	p := newProfile(g, m, r, levels)
	c.grade = p.share
	if c.least = p.least(); c.least >= constant {
		return c, false
	}
	if levels != nil {
		choice(g, &c, p, levels)
		return c, true
	}
	return c, g.span(&c, p, m.Training.Sampled())
}

// span describes the values with the larger grades in a column of numbers; n is the number
// of training samples. It returns false if these are nearly all values.
func (g group) span(c *Condition, p profile, n int) bool {
	share := coreShare
	first, last, ok := p.core(share)
	if !ok {
		c.Is = "outside the training values"
		c.cut.From, c.cut.To, c.cut.Outside = &g.seen[0].Min, &g.seen[0].Max, true
		return true
	}
	if g.ranged {
		return g.between(c, p, first, last)
	}
	scale := newScale(p.values, n)
	if c.Is = scale.name(first, last); c.Is == "" {
		share, c.Preferably = (1+p.least())/2, true
		first, last, _ = p.core(share)
		if c.Is = scale.name(first, last); c.Is == "" {
			return false
		}
	}
	for name, spike := range map[string]float64{scale.lowest: p.values[0], scale.utmost: p.values[len(p.values)-1]} {
		if c.Is == name {
			c.equal(name, spike)
			return true
		}
	}
	from, to := p.ends(first, last, share)
	g.bound(c, from, to)
	return true
}

// bound sets the bounds of a condition, see known.border; nil is no bound.
func (g group) bound(c *Condition, from, to *float64) {
	if from != nil {
		c.from, c.From = g.known.border(*from, true)
	}
	if to != nil {
		c.to, c.To = g.known.border(*to, false)
	}
	c.cut.From, c.cut.To = c.From, c.To
	if c.From != nil && c.To != nil && *c.From == *c.To && g.known.whole {
		c.equal(c.from, *c.From)
	}
}

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

// ranged reports whether conditions on numbers name the values by their borders alone, such as
// "at least 3.4": those of rules that divide the range of a column, because they come from
// a tree or their shape has borders.
func ranged(rb *rules.RuleBase) bool {
	_, bordered := rb.Shape.(membership.Bordered)
	return bordered || rb.Splits != nil
}

// borders returns the borders of the function of rule r on an input, in the feature's unit;
// nil if no training value is beyond. It returns false if the shape has no borders, or if
// training moved one across the other.
func borders(m *model.Model, r, input int, f model.Feature) (from, to *float64, ok bool) {
	shape, ok := m.RuleBase.Shape.(membership.Bordered)
	if !ok {
		return nil, nil, false
	}
	lower, upper := shape.Borders()
	params := m.RuleBase.Shape.Params()
	at := func(of []int) (v float64) {
		for _, j := range of {
			if params[j].Kind == membership.Position {
				v = f.Unscaled(m.RuleBase.Antecedents[j][r][input])
			}
		}
		return v
	}
	low, high := at(lower), at(upper)
	if low > f.Min {
		from = &low
	}
	if high < f.Max {
		to = &high
	}
	return from, to, low < high
}

// between names the values of the profile from the first to the last one by their bounds: the
// borders of the function or, without borders, those where its grade is half the largest. If
// there are none, it names the values with a grade above the middle as a preference. It
// returns false if these have no bounds either.
func (g group) between(c *Condition, p profile, first, last int) bool {
	from, to := p.from, p.to
	if !p.bordered {
		from, to = p.ends(first, last, coreShare)
	}
	if from == nil && to == nil {
		share := (1 + p.least()) / 2
		c.Preferably = true
		first, last, _ = p.core(share)
		if from, to = p.ends(first, last, share); from == nil && to == nil {
			return false
		}
	}
	g.bound(c, from, to)
	if !c.numbered {
		c.Is, c.numbered = c.bounds(), true
	}
	return true
}

// Cut is the set of values of a column that a condition names: an alpha-cut of the grade, to
// the digits printed. The values of an ordinal column are the positions of its levels from 1,
// those of a one-hot column the indices of its levels from 0, and -1 for a row without any.
type Cut struct {
	Feature int     `json:"feature"`          // index in the schema of the column's first feature
	Levels  int     `json:"levels,omitempty"` // number of levels of a one-hot column
	Mean    float64 `json:"mean"`             // used for a missing value

	In  []float64 `json:"in,omitempty"`  // these values alone
	Out []float64 `json:"out,omitempty"` // all values other than these

	// Without In and Out, the values are those from From to To, inclusive; null is no bound.
	// Outside inverts the range.
	From    *float64 `json:"from,omitempty"`
	To      *float64 `json:"to,omitempty"`
	Outside bool     `json:"outside,omitempty"`
}

// Has reports whether the cut has the value of a sample x, whose features are in their own
// units and in the order of the schema.
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
