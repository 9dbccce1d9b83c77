package rules

import (
	"context"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
)

// Prune runs one round of the paper's Algorithm 2, without the refinement that follows
// it, on the scaled training samples x [N][M] with weights [N] as for
// [RuleBase.Activity]. It removes the rules whose mean normalised firing level is below
// gamma times the median, then merges the two most similar rules until no similarity
// exceeds theta. Gamma zero removes no rule, theta one merges none.
//
// Prune does not change rb; it returns the pruned rulebase and a record of each decision.
// Firing levels and similarities are those before the removal. At least one rule is left:
// if all are too weak, the strongest. Rules with a kept part (RuleBase.Keep) are neither
// removed nor merged; their firing levels count in the median. Errors are those of [RuleBase.Activity], a gamma below
// zero and a theta outside [0, 1].
func Prune(ctx context.Context, rb *RuleBase, x [][]float64, weight []float64, gamma, theta float64) (*RuleBase, Pruning, error) {
	if !(gamma >= 0) || !(theta >= 0 && theta <= 1) {
		return nil, Pruning{}, fmt.Errorf("rules: gamma is %v and theta %v: want gamma at least 0 and theta between 0 and 1", gamma, theta)
	}
	a, err := rb.Activity(ctx, x, weight)
	if err != nil {
		return nil, Pruning{}, err
	}
	p := newPruner(rb, a)
	m := numeric.Median(p.Firing)
	for r := len(p.Firing) - 1; r >= 0; r-- { // from the last, so that indices stay valid
		if threshold := gamma * m; p.Firing[r] < threshold && r != p.strongest() && !rb.Keeps(r, KeepAll) {
			p.remove(r, m, threshold)
		}
	}
	for {
		i, j, s := p.mostSimilar()
		if !(s > theta) {
			pruned, account := p.done()
			return pruned, account, nil
		}
		p.merge(i, j, theta)
	}
}

// PruneOne reduces the number of rules by one. Of the first candidates of Algorithm 2, to
// remove the weakest rule or to merge the two most similar, it chooses the one with the
// smaller sum of losses l (nil: squared) on the samples x [N][M] with targets y [N,C] and
// weights as in [Prune]; the removal if the sums are equal or no two rules fire together. A
// single rule is not removed, nor are rules with a kept part: if no other rule is left,
// Pruning.After is Before. Errors are those of [RuleBase.Activity], and another number of targets.
func PruneOne(ctx context.Context, rb *RuleBase, x [][]float64, y, weight []float64, l loss.Loss) (*RuleBase, Pruning, error) {
	a, err := rb.Activity(ctx, x, weight)
	if err != nil {
		return nil, Pruning{}, err
	}
	if C := rb.OutputCount(); len(y) != len(x)*C {
		return nil, Pruning{}, fmt.Errorf("rules: %d targets of %d samples; want %d of each", len(y), len(x), C)
	}
	p, err := pruneOne(ctx, rb, a, x, y, weight, l)
	if err != nil {
		return nil, Pruning{}, err
	}
	pruned, account := p.done()
	return pruned, account, nil
}

// pruneOne is PruneOne for rules whose activity is known.
func pruneOne(ctx context.Context, rb *RuleBase, a Activity, x [][]float64, y, weight []float64, l loss.Loss) (*pruner, error) {
	weak, alike := newPruner(rb, a), newPruner(rb, a)
	weakest := weak.weakest()
	if rb.Rules() == 1 || weakest < 0 {
		return weak, nil
	}
	weak.remove(weakest, numeric.Median(weak.Firing), 0)
	i, j, s := alike.mostSimilar()
	if s == 0 {
		return weak, nil
	}
	alike.merge(i, j, 0)
	weight = numeric.EachWeight(weight, len(x))
	of := loss.Joint(loss.OrSquared(l), nil)
	merged, err := sumOfLosses(ctx, alike.rules, x, y, weight, of)
	if err != nil {
		return nil, err
	}
	removed, err := sumOfLosses(ctx, weak.rules, x, y, weight, of)
	if merged < removed {
		return alike, err
	}
	return weak, err
}

// sumOfLosses returns the weighted sum of losses. The outputs for an uncovered sample are
// zero, in regression the training mean.
func sumOfLosses(ctx context.Context, rb *RuleBase, x [][]float64, y, weight []float64, of loss.OfOutputs) (float64, error) {
	sums, err := sumUntil(ctx, len(x), 1, func(sum []float64, start, end int) {
		C := rb.OutputCount()
		predicted, _ := rb.forward(x[start:end], nil)
		for n := start; n < end; n++ {
			sum[0] += float64(weight[n] * of.Value(predicted[(n-start)*C:(n-start+1)*C], y[n*C:(n+1)*C]))
		}
	})
	return sums[0], err
}

// Pruning records the decisions of a round of pruning. Rules are numbered from 1 in their
// order before the round, as `tskgraph show` prints them.
type Pruning struct {
	Before  int       `json:"rules_before"`
	After   int       `json:"rules_after"`
	Removed []Removal `json:"removed,omitempty"` // because they fire too little
	Merged  []Merge   `json:"merged,omitempty"`  // because they are too similar, in order
}

// Removal records the removal of a rule that fires little.
type Removal struct {
	Rule      int     `json:"rule"`
	Firing    float64 `json:"firing"`              // its mean normalised firing level
	Median    float64 `json:"median"`              // of all rules
	Threshold float64 `json:"threshold,omitempty"` // gamma times the median; 0 if it was removed as the weakest
}

// String returns the decision in words.
func (r Removal) String() string {
	why := fmt.Sprintf("the lowest; the median is %.4g", r.Median)
	if r.Threshold > 0 {
		why = fmt.Sprintf("below %.4g, %.4g times the median %.4g", r.Threshold, r.Threshold/r.Median, r.Median)
	}
	return fmt.Sprintf("rule %d removed: mean firing level %.4g, %s", r.Rule, r.Firing, why)
}

// Merge records that a rule was merged into another.
type Merge struct {
	Rule       int     `json:"rule"`
	Into       int     `json:"into"`
	Similarity float64 `json:"similarity"`          // Jaccard; averaged if one was merged before
	Threshold  float64 `json:"threshold,omitempty"` // theta; 0 if they were merged as the most similar
	Weight     int     `json:"weight"`              // merge weight of Rule
	IntoWeight int     `json:"into_weight"`         // of Into
}

// String returns the decision in words.
func (m Merge) String() string {
	why := "the highest"
	if m.Threshold > 0 {
		why = fmt.Sprintf("above %.4g", m.Threshold)
	}
	return fmt.Sprintf("rule %d (weight %d) merged into rule %d (weight %d): Jaccard similarity %.4g, %s", m.Rule, m.Weight, m.Into,
		m.IntoWeight, m.Similarity, why)
}

// Decisions returns the decisions in words, removals first.
func (p Pruning) Decisions() []string {
	var lines []string
	for _, r := range p.Removed {
		lines = append(lines, r.String())
	}
	for _, m := range p.Merged {
		lines = append(lines, m.String())
	}
	return lines
}

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
func (p *pruner) strongest() int { return slices.Index(p.Firing, slices.Max(p.Firing)) }

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
			if p.rules.Keeps(b, KeepAll) || !p.rules.together(a, b) {
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
	if rb.Without != nil {
		rb.Without = slices.Delete(rb.Without, r, r+1)
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
