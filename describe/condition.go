package describe

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Condition is one condition of a rule in words: what the rule asks of a column.
type Condition struct {
	Column string `json:"column"`
	Unit   string `json:"unit,omitempty"`

	// Is says where the column lies: "low", "not high", or the levels of a column that
	// has some, or the numbers of one that takes few.
	Is string `json:"is"`

	// Preferably says that the grade is at least half its largest nearly everywhere, and
	// where it is above the middle.
	Preferably bool `json:"preferably,omitempty"`

	// From and To are the ends of the values that Is is about, as printed; null where the outermost
	// training values are among them, and where Is names levels or numbers.
	From *float64 `json:"from,omitempty"`
	To   *float64 `json:"to,omitempty"`

	from, to string    // From and To as printed
	numbered bool      // Is names numbers
	shares   []float64 // of the training values, or of the levels; see profile
	cut      Cut
	grade    func(u []float64) float64 // of a sample as antecedents see it, as a share of the largest
}

// Cut returns the set of values that the condition names.
func (c *Condition) Cut() *Cut { return &c.cut }

// group is what the rules see of one column: one input, or an input per level.
type group struct {
	column data.Column
	first  int             // the column's first feature
	inputs []int           // of the rulebase
	from   []int           // the feature of each
	seen   []model.Feature // likewise
}

// groups returns the columns that are used, of a model without components.
func groups(m *model.Model) []group {
	var all []group
	feature, input := 0, 0
	for _, c := range m.Schema.Columns {
		g := group{column: c, first: feature}
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

// condition puts in words what rule r asks of the column; false if its grade hardly
// varies over the training values.
func (g group) condition(m *model.Model, r int) (Condition, bool) {
	if !slices.ContainsFunc(g.inputs, func(i int) bool { return !m.RuleBase.IsFlat(r, i) }) {
		return Condition{}, false
	}
	c := Condition{Column: g.column.Name, Unit: g.column.Unit, cut: Cut{Feature: g.first, Mean: g.seen[0].Mean}}
	if g.column.Encoding == data.OneHot {
		c.cut.Levels = g.column.Width()
	}
	levels := levelsOf(g, m.Training.Samples)
	p := newProfile(g, m, r, levels)
	c.grade = p.share
	if levels != nil {
		return c, choice(g, &c, p, levels)
	}
	return c, g.span(&c, p, m.Training.Samples)
}

// span says which values of a column of numbers have the larger grades; n is the number
// of training samples.
func (g group) span(c *Condition, p profile, n int) bool {
	c.shares = p.shares
	if p.least() >= flatShare {
		return false
	}
	share := coreShare
	first, last, ok := p.core(share)
	if !ok {
		c.Is = "outside the training values"
		c.cut.From, c.cut.To, c.cut.Outside = &g.seen[0].Min, &g.seen[0].Max, true
		return true
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
			c.numbered, c.cut.In = true, []float64{spike}
			return true
		}
	}
	from, to := p.ends(first, last, share)
	if from != nil {
		c.from, c.From = p.rounded(*from, first, first-1, g.seen[0])
	}
	if to != nil {
		c.to, c.To = p.rounded(*to, last, last+1, g.seen[0])
	}
	if c.From != nil && c.To != nil && *c.From == *c.To && g.seen[0].Whole() {
		c.Is, c.numbered, c.cut.In = c.from, true, []float64{*c.From}
		c.From, c.To = nil, nil
	}
	c.cut.From, c.cut.To = c.From, c.To
	return true
}

// firmFirst orders conditions: preferences last.
func firmFirst(a, b Condition) int {
	switch {
	case a.Preferably == b.Preferably:
		return 0
	case a.Preferably:
		return 1
	}
	return -1
}

// String says the condition, such as "age is low (at most 28 days)".
func (c Condition) String() string {
	is := " is "
	if c.Preferably {
		is = " is preferably "
	}
	return plain(c.Column) + is + plain(c.Is) + c.ends()
}

// ends says where the values lie.
func (c Condition) ends() string {
	unit := ""
	if c.Unit != "" {
		unit = " " + plain(c.Unit)
	}
	switch {
	case c.numbered:
		return unit
	case c.From != nil && c.To != nil:
		return " (" + c.from + " to " + c.to + unit + ")"
	case c.From != nil:
		return " (at least " + c.from + unit + ")"
	case c.To != nil:
		return " (at most " + c.to + unit + ")"
	}
	return ""
}

// similarity is that of two conditions on a column, Setnes's: the sum of the lesser
// grades over the sum of the larger ones, over the training values.
func (c *Condition) similarity(d *Condition) float64 {
	lesser, larger := 0.0, 0.0
	for i, a := range c.shares {
		b := d.shares[i]
		lesser += min(a, b)
		larger += max(a, b)
	}
	if !(larger > 0) || math.IsInf(larger, 0) {
		return 1
	}
	return lesser / larger
}
