package rules

import (
	"context"
	"slices"
)

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
// rule with a kept part (RuleBase.Keep). Errors are those of [RuleBase.Activity].
func WithoutIdle(ctx context.Context, rb *RuleBase, x [][]float64) (*RuleBase, error) {
	if err := checkSamples(rb, x, nil); err != nil {
		return nil, err
	}
	rb = rb.Clone()
	for rb.Rules() > 1 {
		idle, firing, err := idleRules(ctx, rb, x)
		if err != nil {
			return nil, err
		}
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
	return rb, nil
}

// idleRules returns the rules that decide for none of the samples, and the sums of the rules'
// normalised firing levels.
func idleRules(ctx context.Context, rb *RuleBase, x [][]float64) (idle []int, firing []float64, err error) {
	firing, busy := make([]float64, rb.Rules()), make([]bool, rb.Rules())
	var which []int
	for start := 0; start < len(x); start += blockRows {
		if err := interrupted(ctx); err != nil {
			return nil, nil, err
		}
		for _, levels := range rb.FiringLevels(x[start:min(start+blockRows, len(x))], nil) {
			for r, level := range levels {
				firing[r] += level
			}
			if which = Strongest(levels, which[:0]); len(which) == 1 {
				busy[which[0]] = true
			}
		}
	}
	for r, b := range busy {
		if !b && !rb.Keeps(r, KeepAll) {
			idle = append(idle, r)
		}
	}
	return idle, firing, nil
}
