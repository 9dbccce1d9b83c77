package describe

import "github.com/tskgraph/tskgraph/rules"

// ranged reports whether conditions on numbers name the values by their borders alone, such as
// "at least 3.4": those of rules that divide the range of a column, because they come from
// a tree.
func ranged(rb *rules.RuleBase) bool { return rb.Splits != nil }

// between names the values of the profile from the first to the last one by their bounds. If
// there are none, it names those with a grade above the middle as a preference. It returns
// false if these have no bounds either.
func (g group) between(c *Condition, p profile, first, last int) bool {
	from, to := p.ends(first, last, coreShare)
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
