package rules

import "slices"

// pruner is the state of a round of pruning.
type pruner struct {
	Activity
	rules   *RuleBase
	numbers []int // [R], the rules' numbers before the round, from 1
	account Pruning
}

func newPruner(rb *RuleBase, a Activity) *pruner {
	p := &pruner{rules: rb.Clone(), account: Pruning{Before: rb.Rules()}}
	p.Firing = slices.Clone(a.Firing)
	p.Similarity = matrix(rb.Rules(), rb.Rules())
	copyRows(p.Similarity, a.Similarity)
	for r := range rb.Rules() {
		p.numbers = append(p.numbers, r+1)
	}
	return p
}

// done returns the result.
func (p *pruner) done() (*RuleBase, Pruning) {
	p.account.After = p.rules.Rules()
	slices.SortFunc(p.account.Removed, func(a, b Removal) int { return a.Rule - b.Rule })
	return p.rules, p.account
}

// strongest returns the rule with the highest mean firing level; the first of equals.
func (p *pruner) strongest() (r int) {
	for i, f := range p.Firing {
		if f > p.Firing[r] {
			r = i
		}
	}
	return r
}

// weakest returns the rule with the lowest mean firing level of those that are not kept; the
// first of equals, or -1 if all are kept.
func (p *pruner) weakest() int {
	r := -1
	for i, f := range p.Firing {
		if !p.rules.Keeps(i, KeepAll) && (r < 0 || f < p.Firing[r]) {
			r = i
		}
	}
	return r
}

// mostSimilar returns the two most similar rules that are not kept, i < j, and their
// similarity; of equals the first, row by row. With fewer than two such rules all are 0.
func (p *pruner) mostSimilar() (i, j int, similarity float64) {
	for a, row := range p.Similarity {
		if p.rules.Keeps(a, KeepAll) {
			continue
		}
		for b := a + 1; b < len(row); b++ {
			if p.rules.Keeps(b, KeepAll) {
				continue
			}
			if j == 0 || row[b] > similarity {
				i, j, similarity = a, b, row[b]
			}
		}
	}
	return i, j, similarity
}

// remove removes rule r with its weight and records the decision.
func (p *pruner) remove(r int, median, threshold float64) {
	p.account.Removed = append(p.account.Removed, Removal{Rule: p.numbers[r], Firing: p.Firing[r], Median: median, Threshold: threshold})
	p.drop(r)
}

// merge merges rule j into rule i < j, as in Algorithm 2: it takes the weighted average
// of the parameters, the sum of the weights and the mean of the similarities, whose
// diagonal stays zero.
func (p *pruner) merge(i, j int, threshold float64) {
	s := p.Similarity
	p.account.Merged = append(p.account.Merged, Merge{
		Rule: p.numbers[j], Into: p.numbers[i], Similarity: s[i][j], Threshold: threshold,
		Weight: p.rules.MergeWeight(j), IntoWeight: p.rules.MergeWeight(i),
	})
	mergeRules(p.rules, i, j)
	for k := range s {
		if k != i {
			mean := (s[i][k] + s[j][k]) / 2
			s[i][k], s[k][i] = mean, mean
		}
	}
	p.drop(j)
}

// drop deletes rule r from the rulebase and its statistics.
func (p *pruner) drop(r int) {
	deleteRule(p.rules, r)
	p.numbers = slices.Delete(p.numbers, r, r+1)
	p.Firing = slices.Delete(p.Firing, r, r+1)
	p.Similarity = slices.Delete(p.Similarity, r, r+1)
	for i, row := range p.Similarity {
		p.Similarity[i] = slices.Delete(row, r, r+1)
	}
}

// mergeRules replaces rule i by the weighted average of rules i and j. It does not delete
// rule j.
func mergeRules(rb *RuleBase, i, j int) {
	wi, wj := rb.MergeWeight(i), rb.MergeWeight(j)
	share := float64(wj) / float64(wi+wj)
	for _, a := range append(slices.Clone(rb.Antecedents), rb.Consequents) {
		for m, v := range a[j] {
			a[i][m] += float64(share * (v - a[i][m])) // equal parameters do not change, to the bit
		}
	}
	for c := range rb.OutputCount() {
		if curves := rb.Output(c).Curves; len(curves) > 1 {
			for q, v := range curves[j] {
				curves[i][q] += float64(share * (v - curves[i][q]))
			}
		}
	}
	rb.Project() // an average can leave the domain by rounding
	untie(rb, i, j)
	if slices.ContainsFunc(rb.Splits, func(s Split) bool { return s.side(i) != s.side(j) }) {
		leaveSplits(rb, i) // an average is on neither side
	}
	if rb.MergeWeights == nil {
		rb.MergeWeights = slices.Repeat([]int{1}, rb.Rules())
	}
	rb.MergeWeights[i] = wi + wj
}

// deleteRule deletes rule r.
func deleteRule(rb *RuleBase, r int) {
	C, R := rb.OutputCount(), rb.Rules()
	if len(rb.Curves) > C {
		for c := C - 1; c >= 0; c-- {
			rb.Curves = slices.Delete(rb.Curves, c*R+r, c*R+r+1)
		}
	}
	for j, a := range rb.Antecedents {
		rb.Antecedents[j] = slices.Delete(a, r, r+1)
	}
	rb.Consequents = slices.Delete(rb.Consequents, r, r+1)
	if rb.Tie != nil {
		rb.Tie = slices.Delete(rb.Tie, r, r+1)
	}
	if rb.Keep != nil {
		rb.Keep = slices.Delete(rb.Keep, r, r+1)
	}
	leaveSplits(rb, r)
	for _, s := range rb.Splits {
		for _, rules := range s.sides() {
			for i, v := range rules {
				if v > r {
					rules[i]--
				}
			}
		}
	}
	if rb.MergeWeights == nil {
		return
	}
	rb.MergeWeights = slices.Delete(rb.MergeWeights, r, r+1)
	if slices.Max(rb.MergeWeights) == 1 {
		rb.MergeWeights = nil
	}
}
