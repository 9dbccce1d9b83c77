package ensemble

import (
	"cmp"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/paired"
)

// maxSEBehind is the number of standard errors by which the mean loss of a candidate may exceed the best one's for it to stay in the race.
const maxSEBehind = 2.0

// best returns the candidates that have not failed and are not clearly behind, the best one
// first: those whose fidelity is at most limit by their errors, then the others by their
// fidelity. A limit of zero is none. heldToTrain is the ratio of held-out to training
// samples of a split.
func best(candidates []*candidate, limit, heldToTrain float64) []*candidate {
	trained := slices.DeleteFunc(slices.Clone(candidates), func(c *candidate) bool { return c.err != nil })
	slices.SortStableFunc(trained, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.beyond(limit), b.beyond(limit)), cmp.Compare(a.Loss, b.Loss))
	})
	return slices.DeleteFunc(trained, func(c *candidate) bool {
		over, sd := c.over(trained[0])
		return over > maxSEBehind*paired.StdErr(sd, len(c.losses), heldToTrain)
	})
}

// equalShare is the share of the best one's figure within which candidates count as equally
// good. A standard error, which is larger, would cost accuracy; see docs/accuracy.md.
const equalShare = 0.01

// preferSimple moves the simplest of the candidates that are as good as the first one, and
// keep to the limit of fidelity as it does, to the front: that with the fewest curves, then
// the least fidelity. The candidates are those of best.
func preferSimple(candidates []*candidate, limit float64) {
	first, at := candidates[0], 0
	if first.beyond(limit) > 0 {
		return
	}
	for i, c := range candidates {
		equal := c.Loss <= first.Loss*(1+equalShare) && c.beyond(limit) == 0
		if s := candidates[at]; equal && cmp.Or(cmp.Compare(c.curves(), s.curves()), cmp.Compare(c.Fidelity, s.Fidelity)) < 0 {
			at = i
		}
	}
	simplest := candidates[at]
	copy(candidates[1:at+1], candidates[:at])
	candidates[0] = simplest
}
