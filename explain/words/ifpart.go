package words

import (
	"slices"

	"github.com/tskgraph/tskgraph/model"
)

// ruleWords returns the conditions of rule r in words. A rule whose conditions are all nearly
// constant has the one that varies most, unless it hardly varies.
func ruleWords(m *model.Model, columns []group, r int) []Condition {
	var words []Condition
	for _, g := range columns {
		if c, said := g.condition(m, r, flatShare); said {
			words = append(words, c)
		}
	}
	if words == nil {
		for _, g := range columns {
			c, said := g.condition(m, r, slightShare)
			if said && (words == nil || c.least < words[0].least) {
				words = []Condition{c}
			}
		}
	}
	slices.SortStableFunc(words, firmFirst)
	return words
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

// bound sets the bounds of a condition, see trainingValues.border; nil is no bound.
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

// between names the values of the profile from the first to the last one by their bounds: the borders of the function or, without borders,
// those where its grade is half the largest. If there are none, it names the values with a grade above the middle as a preference. It
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

// choice describes the levels with the larger grades.
func choice(g group, c *Condition, p profile, levels []columnLevel) {
	in, out := p.within(levels)
	if len(in) == 0 || len(out) == 0 {
		share := coreShare
		if c.Preferably = c.least >= share; c.Preferably {
			share = (1 + c.least) / 2
		}
		in, out = nil, nil
		for i, s := range p.shares {
			if s >= share {
				in = append(in, levels[i])
			} else {
				out = append(out, levels[i])
			}
		}
	}
	c.among(g.column, levels, in, out, g.known.all)
}
