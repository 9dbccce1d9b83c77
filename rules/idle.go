package rules

import "slices"

// equalFiring is the relative difference up to which firing levels count as equal.
const equalFiring = 1e-9

// Strongest appends the rules with the largest of the normalised firing levels [R] to
// which: one or, if levels are equal to a relative difference of 1e-9, several; none if no
// rule fires.
func Strongest(levels []float64, which []int) []int {
	top := 0.0
	for _, level := range levels {
		top = max(top, level)
	}
	for r, level := range levels {
		if level > 0 && level >= top*(1-equalFiring) {
			which = append(which, r)
		}
	}
	return which
}

// WithoutIdle returns the rulebase without the rules that decide for none of the samples
// x [N][M]: that are alone the strongest nowhere. It removes one at a time, the one that
// fires least, since another may decide where it is gone. At least one rule is left, and every
// rule with a kept part (RuleBase.Keep).
func WithoutIdle(rb *RuleBase, x [][]float64) *RuleBase {
	rb = rb.Clone()
	for rb.Rules() > 1 {
		idle, firing := idleRules(rb, x)
		if len(idle) == 0 {
			break
		}
		deleteRule(rb, slices.MinFunc(idle, func(a, b int) int {
			if firing[a] < firing[b] {
				return -1
			}
			return 1
		}))
	}
	return rb
}

// idleRules returns the rules that decide for none of the samples, and the sums of the rules'
// normalised firing levels.
func idleRules(rb *RuleBase, x [][]float64) (idle []int, firing []float64) {
	firing, busy := make([]float64, rb.Rules()), make([]bool, rb.Rules())
	var which []int
	for _, levels := range rb.FiringLevels(x, nil) {
		for r, level := range levels {
			firing[r] += level
		}
		if which = Strongest(levels, which[:0]); len(which) == 1 {
			busy[which[0]] = true
		}
	}
	for r, b := range busy {
		if !b && !rb.Keeps(r, KeepAll) {
			idle = append(idle, r)
		}
	}
	return idle, firing
}
