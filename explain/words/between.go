package words

import (
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

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
