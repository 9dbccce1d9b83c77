package rules

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/weighted"
)

// Prune makes one round of the paper's Algorithm 2, without the refinement that
// follows it, on the training samples x [N][M], scaled, with weights as [RuleBase.Activity]
// takes them: it removes the rules whose mean normalised firing level is below gamma times the median, then merges the
// most similar two of the rest until no two are more similar than theta. Gamma
// zero removes no rule, theta one merges none.
//
// The rulebase stays as it is; the pruned one is returned with an account of each
// decision. Firing levels are those of rb, before anything is removed. At least
// one rule is left: should all be too weak, the strongest.
func Prune(rb *RuleBase, x [][]float64, weight []float64, gamma, theta float64) (*RuleBase, Pruning) {
	p := newPruner(rb, rb.Activity(x, weight))
	m := weighted.Median(p.Firing)
	for r := len(p.Firing) - 1; r >= 0; r-- { // from the last, so that the others stay in place
		if threshold := gamma * m; p.Firing[r] < threshold && r != p.strongest() {
			p.remove(r, m, threshold)
		}
	}
	for {
		i, j, s := p.mostSimilar()
		if !(s > theta) {
			return p.done()
		}
		p.merge(i, j, theta)
	}
}

// PruneOne takes just one rule away: of the two that Algorithm 2 would take first,
// the weakest rule, to be removed, and the most similar two, to be merged, the
// change that leaves the smaller sum of squared errors on the samples x [N][M]
// with targets y [N] and weights as in [Prune]; removal if they are equal, or if no two rules fire together.
// A single rule stays.
func PruneOne(rb *RuleBase, x [][]float64, y, weight []float64) (*RuleBase, Pruning) {
	a := rb.Activity(x, weight)
	weak, alike := newPruner(rb, a), newPruner(rb, a)
	if rb.Rules() == 1 {
		return weak.done()
	}
	weak.remove(weak.weakest(), weighted.Median(weak.Firing), 0)
	i, j, s := alike.mostSimilar()
	if s == 0 {
		return weak.done()
	}
	alike.merge(i, j, 0)
	weight = weighted.Each(weight, len(x))
	if squaredError(alike.rules, x, y, weight) < squaredError(weak.rules, x, y, weight) {
		return alike.done()
	}
	return weak.done()
}

// squaredError returns the weighted sum of squared errors. A sample that no rule covers is
// predicted as the training mean, zero.
func squaredError(rb *RuleBase, x [][]float64, y, weight []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return sumBlocks(len(x), 1, func(sum []float64, start, end int) {
		predicted, _ := rb.Forward(x[start:end], nil)
		for n, p := range predicted {
			e := p - y[start+n]
			sum[0] += float64(weight[start+n] * (e * e))
		}
	})[0]
}

// Pruning is the account of a round of pruning. Rules have the numbers that they
// had before it, from 1, as `tskgraph show` prints them.
type Pruning struct {
	Before  int       `json:"rules_before"`
	After   int       `json:"rules_after"`
	Removed []Removal `json:"removed,omitempty"` // for firing too little
	Merged  []Merge   `json:"merged,omitempty"`  // for being too similar, in order
}

// Removal is a rule that was removed because it fires little.
type Removal struct {
	Rule      int     `json:"rule"`
	Firing    float64 `json:"firing"`              // its mean normalised firing level
	Median    float64 `json:"median"`              // of all rules
	Threshold float64 `json:"threshold,omitempty"` // gamma times the median; 0 if it was the weakest that had to go
}

// String returns the decision in words.
func (r Removal) String() string {
	why := fmt.Sprintf("the least; the median is %.4g", r.Median)
	if r.Threshold > 0 {
		why = fmt.Sprintf("below %.4g, %.4g times the median %.4g", r.Threshold, r.Threshold/r.Median, r.Median)
	}
	return fmt.Sprintf("rule %d removed: mean firing level %.4g, %s", r.Rule, r.Firing, why)
}

// Merge is a rule that was merged into another.
type Merge struct {
	Rule       int     `json:"rule"`
	Into       int     `json:"into"`
	Similarity float64 `json:"similarity"`          // Jaccard; averaged where one was merged before
	Threshold  float64 `json:"threshold,omitempty"` // theta; 0 if the most similar had to be merged
	Weight     int     `json:"weight"`              // merge weight of Rule
	IntoWeight int     `json:"into_weight"`         // of Into
}

// String returns the decision in words.
func (m Merge) String() string {
	why := "the largest"
	if m.Threshold > 0 {
		why = fmt.Sprintf("above %.4g", m.Threshold)
	}
	return fmt.Sprintf("rule %d (weight %d) merged into rule %d (weight %d): Jaccard similarity %.4g, %s", m.Rule, m.Weight, m.Into, m.IntoWeight, m.Similarity, why)
}

// Decisions returns what was decided in words, removals first.
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
