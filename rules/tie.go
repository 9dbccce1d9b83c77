package rules

import (
	"fmt"
	"math"
	"slices"
)

// Tied is a membership function of one feature that several rules share.
type Tied struct {
	Feature int
	Rules   []int // at least two, in increasing order
}

// checkTie validates Tie.
func checkTie(rb *RuleBase) error {
	if rb.Tie == nil {
		return nil
	}
	if len(rb.Tie) != rb.Rules() {
		return fmt.Errorf("tie: %d rows; there are %d rules", len(rb.Tie), rb.Rules())
	}
	for r, labels := range rb.Tie {
		if len(labels) != rb.Features() {
			return fmt.Errorf("tie[r=%d]: %d labels; there are %d features", r, len(labels), rb.Features())
		}
		if m := slices.IndexFunc(labels, func(v int) bool { return v < 0 || v > math.MaxInt32 }); m >= 0 {
			return fmt.Errorf("tie[r=%d,m=%d] = %d: must lie between 0 and %d", r, m, labels[m], math.MaxInt32)
		}
	}
	for _, g := range rb.TiedGroups() {
		for j, param := range rb.Shape.Params() {
			a := rb.Antecedents[j]
			for _, r := range g.Rules[1:] {
				if a[r][g.Feature] != a[g.Rules[0]][g.Feature] {
					return fmt.Errorf("%s[r=%d,m=%d] = %v, but it is tied to %v of rule %d", param.Name, r, g.Feature, a[r][g.Feature], a[g.Rules[0]][g.Feature], g.Rules[0])
				}
			}
		}
	}
	return nil
}

// untie gives rule i, the average of rules i and j, its own label for every feature on
// which the two had different labels.
func untie(rb *RuleBase, i, j int) {
	if rb.Tie == nil {
		return
	}
	for m, label := range rb.Tie[i] {
		if label == rb.Tie[j][m] {
			continue
		}
		for _, labels := range rb.Tie {
			rb.Tie[i][m] = max(rb.Tie[i][m], labels[m]+1)
		}
	}
}
