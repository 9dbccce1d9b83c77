package fit

import (
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/rules"
)

// onLink moves the initial consequents of rules, which predict the targets themselves, to
// the scale of the link. With the identity link they stay, and with the ordered link the
// biases move by quantiles of the residuals, see spreadQuantiles. With another link, slopes become
// zero, and the response to the biases is the mean target of each rule.
func onLink(set *TrainingSet, rb *rules.RuleBase) error {
	link, err := loss.LookupLink(set.prep.Link())
	if err != nil || link.Name() == loss.Identity().Name() {
		return err
	}
	if levels := set.prep.Response.Quantiles; levels != nil {
		spreadQuantiles(rb, set.x, set.y, set.data.Weights, levels)
		return nil
	}
	means := meanTargets(set, rb)
	rb.SetOutputs(len(means[0]))
	for r, mean := range means {
		link.Of(mean, mean)
		for c, bias := range mean {
			rb.Output(c).Consequents[r][0] = bias
		}
	}
	return nil
}

// meanTargets returns the mean targets [R][C] of the rules: those of the samples by the
// rule's normalised firing level and weight, and the overall mean with the weight of one
// sample, so that means are inside the range of the responses. That of a class without
// samples is less than half the least mean of a class with one.
func meanTargets(set *TrainingSet, rb *rules.RuleBase) [][]float64 {
	N, R := len(set.x), rb.Rules()
	C := len(set.y) / N
	overall, sums, firing := make([]float64, C), make([][]float64, R), make([]float64, R)
	total := weighted.Sum(set.data.Weights, N)
	for n := range N {
		for c, t := range set.y[n*C : (n+1)*C] {
			overall[c] += float64(weighted.At(set.data.Weights, n) / total * t)
		}
	}
	for r := range sums {
		sums[r] = append([]float64(nil), overall...)
		firing[r] = 1
	}
	const rows = 1024
	for start := 0; start < N; start += rows {
		for i, levels := range rb.FiringLevels(set.x[start:min(start+rows, N)], nil) {
			n := start + i
			for r, level := range levels {
				w := float64(level * weighted.At(set.data.Weights, n))
				firing[r] += w
				for c, t := range set.y[n*C : (n+1)*C] {
					sums[r][c] += float64(w * t)
				}
			}
		}
	}
	low, high := slices.Min(set.y), slices.Max(set.y)
	if set.data.Schema.Classes != nil {
		low = 0.5 / (float64(N) * float64(N+1))
		high = 1 - low
	}
	for r, sum := range sums {
		for c := range sum {
			sum[c] = min(max(sum[c]/firing[r], low), high) // rounded, the mean of a constant may be outside
		}
	}
	return sums
}
