package report

import (
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Condition is one condition of a rule in words: what the rule asks of a column.
type Condition struct {
	Column string `json:"column"`
	Unit   string `json:"unit,omitempty"`

	// Is says where the column lies: "low", "not high", or the levels of a column that
	// has some.
	Is string `json:"is"`

	// Preferably says that the grade is at least half its largest nearly everywhere, and
	// where it is above the middle.
	Preferably bool `json:"preferably,omitempty"`

	// From and To are the ends of the values that Is is about; null where the outermost
	// training values are among them, and for levels.
	From *float64 `json:"from,omitempty"`
	To   *float64 `json:"to,omitempty"`

	spread float64                // standard deviation of the column
	shares []float64              // of the training values, or of the levels; see profile
	fits   func(u []float64) bool // whether a sample, as antecedents see it, meets the condition
}

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
	c := Condition{Column: g.column.Name, Unit: g.column.Unit, spread: g.seen[0].SD}
	values, names := g.levels(m.Training.Samples)
	var said bool
	if names == nil {
		said = g.span(&c, g.profile(m, r, nil), m.Training.Samples)
	} else {
		said = g.choice(&c, g.profile(m, r, values), names)
	}
	return c, said
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
		c.Is, c.fits = "outside the training values", func([]float64) bool { return false }
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
	c.From, c.To = p.ends(first, last, share)
	c.fits = func(u []float64) bool { return c.Preferably || p.share(u) >= share }
	return true
}

// choice says which levels have the larger grades.
func (g group) choice(c *Condition, p profile, names []string) bool {
	c.shares = p.shares
	least := slices.Min(p.shares)
	if least >= flatShare {
		return false
	}
	share := coreShare
	if c.Preferably = least >= share; c.Preferably {
		share = (1 + least) / 2
	}
	var in, out []string
	for i, s := range p.shares {
		if s >= share {
			in = append(in, names[i])
		} else {
			out = append(out, names[i])
		}
	}
	c.fits = func(u []float64) bool { return c.Preferably || p.share(u) >= share }
	switch n := len(names); {
	case len(in) == 0:
		c.Is = "none of its levels"
	case len(in) == 1:
		c.Is = in[0]
	case g.column.Encoding == data.Ordinal && in[len(in)-1] == names[n-1] && in[0] == names[n-len(in)]:
		c.Is = "at least " + in[0]
	case g.column.Encoding == data.Ordinal && in[0] == names[0] && in[len(in)-1] == names[len(in)-1]:
		c.Is = "at most " + in[len(in)-1]
	case len(out) <= 2 && len(in) > 2:
		c.Is = "not " + strings.Join(out, " nor ")
	default:
		c.Is = strings.Join(in, " or ")
	}
	return true
}

// levels returns the levels of a column that has some, as values [L][inputs] of its
// features; nil of a column of numbers. Two numbers in n samples are levels too.
func (g group) levels(n int) (values [][]float64, names []string) {
	f := g.seen[0]
	switch {
	case g.column.Encoding == data.OneHot:
		for k, feature := range g.from {
			value := make([]float64, len(g.from))
			value[k] = 1
			values, names = append(values, value), append(names, g.column.Levels[feature-g.first])
		}
	case g.column.Encoding == data.Ordinal:
		for i, level := range g.column.Levels {
			if v := float64(i + 1); v >= f.Min && v <= f.Max {
				values, names = append(values, []float64{v}), append(names, level)
			}
		}
	case f.TwoValued(n):
		return [][]float64{{f.Min}, {f.Max}}, []string{exactly(f.Min), exactly(f.Max)}
	}
	return values, names
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

// text says the condition, such as "age is low (at most 28 days)".
func (c Condition) text() string {
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
	case c.From != nil && c.To != nil:
		return " (" + near(*c.From, c.spread) + " to " + near(*c.To, c.spread) + unit + ")"
	case c.From != nil:
		return " (at least " + near(*c.From, c.spread) + unit + ")"
	case c.To != nil:
		return " (at most " + near(*c.To, c.spread) + unit + ")"
	}
	return ""
}

// similarity is that of two conditions on a column, Setnes's: the sum of the lesser
// grades over the sum of the larger ones, over the training values.
func (c Condition) similarity(d Condition) float64 {
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
