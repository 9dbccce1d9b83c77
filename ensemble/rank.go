package ensemble

import (
	"cmp"
	"slices"

	"github.com/tskgraph/tskgraph/internal/paired"
)

// maxSEBehind is the number of standard errors by which the mean squared error of a
// candidate may exceed the best one's for it to stay in the race.
const maxSEBehind = 2.0

// best returns the candidates that have not failed and are not clearly behind, the best one
// first: those whose fidelity is at most limit by their errors, then the others by their
// fidelity. A limit of zero is none. heldToTrain is the ratio of held-out to training
// samples of a split.
func best(candidates []*candidate, limit, heldToTrain float64) []*candidate {
	trained := slices.DeleteFunc(slices.Clone(candidates), func(c *candidate) bool { return c.err != nil })
	beyond := func(c *candidate) float64 {
		if limit == 0 || c.Fidelity <= limit {
			return 0
		}
		return c.Fidelity
	}
	slices.SortStableFunc(trained, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(beyond(a), beyond(b)), cmp.Compare(a.RMSE, b.RMSE))
	})
	return slices.DeleteFunc(trained, func(c *candidate) bool {
		over, sd := c.over(trained[0])
		return over > maxSEBehind*paired.StdErr(sd, len(c.squares), heldToTrain)
	})
}
