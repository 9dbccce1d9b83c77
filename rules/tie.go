package rules

import (
	"fmt"
	"math"
	"slices"
)

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
	return nil
}

// checkShared checks that shared parameters are equal.
func checkShared(rb *RuleBase) error {
	params := rb.Shape.Params()
	for _, group := range rb.Shared() {
		first, v := group[0], *rb.At(group[0])
		for _, e := range group[1:] {
			if w := *rb.At(e); w != v {
				return fmt.Errorf("%s[r=%d,m=%d] = %v, but it is tied to %s = %v of rule %d",
					params[e.Parameter].Name, e.Rule, e.Feature, w, params[first.Parameter].Name, v, first.Rule)
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

// sharesFunction reports whether another rule has the label of rule r on feature m.
func sharesFunction(rb *RuleBase, r, m int) bool {
	for i, labels := range rb.Tie {
		if i != r && labels[m] == rb.Tie[r][m] {
			return true
		}
	}
	return false
}
