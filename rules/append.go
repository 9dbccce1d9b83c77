package rules

import (
	"slices"
)

// Append returns a rulebase of the rules of rb, then those of more: of the same shape, features,
// outputs, t-norm and defuzzification. Rules share curves, splits and signs as those of rb do; more has none
// of these, no kept parts and no ties. The spread floor is the smaller of the two.
func Append(rb, more *RuleBase) *RuleBase {
	all, added := rb.Clone(), more.Clone()
	for j := range all.Antecedents {
		all.Antecedents[j] = append(all.Antecedents[j], added.Antecedents[j]...)
	}
	all.Consequents = append(all.Consequents, added.Consequents...)
	all.SpreadFloor = min(rb.SpreadFloor, more.SpreadFloor)
	n := more.Rules()
	if rb.MergeWeights != nil {
		all.MergeWeights = append(all.MergeWeights, slices.Repeat([]int{1}, n)...)
	}
	if rb.Keep != nil {
		all.Keep = append(all.Keep, make([]Keep, n)...)
	}
	if rb.Tie != nil {
		for i := range n {
			all.Tie = append(all.Tie, fresh(rb.Tie, i))
		}
	}
	return all
}

// fresh returns labels [M] that are not in tie, different ones for each i.
func fresh(tie [][]int, i int) []int {
	labels := make([]int, len(tie[0]))
	for _, row := range tie {
		for m, label := range row {
			labels[m] = max(labels[m], label+1+i)
		}
	}
	return labels
}
