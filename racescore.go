package tskgraph

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/internal/paired"
)

// behind is how many standard errors the mean squared error of a setting is above the
// best one's when it leaves the race.
const behind = 2.0

// best returns the runners that are not clearly behind, the best one first. Those that
// failed are not among them. heldToTrain is the number of samples held out in a split
// over that of its training samples.
func best(runners []*runner, heldToTrain float64) []*runner {
	sound := slices.DeleteFunc(slices.Clone(runners), func(r *runner) bool { return r.err != nil })
	slices.SortStableFunc(sound, func(a, b *runner) int { return cmp.Compare(a.RMSE, b.RMSE) })
	return slices.DeleteFunc(sound, func(r *runner) bool {
		over, sd := r.over(sound[0])
		return over > behind*paired.StdErr(sd, len(r.squares), heldToTrain)
	})
}

// over returns by how much the mean squared error of a runner is above the first one's,
// as a mean over the splits, and the standard deviation of a split's. A race has few
// splits, one after the first round, and they may agree by chance: the standard deviation
// between them is taken for no less than what the samples within them say.
func (r *runner) over(first *runner) (over, sd float64) {
	var means []float64
	within := 0.0
	for i, squares := range r.squares {
		worse := make([]float64, len(squares))
		for n, s := range squares {
			worse[n] = s - first.squares[i][n]
		}
		mean, variance := stat.MeanVariance(worse, nil)
		means = append(means, mean)
		within += variance / float64(len(worse)) / float64(len(r.squares))
	}
	over, between := stat.MeanVariance(means, nil)
	if len(means) < 2 {
		between = 0
	}
	return over, math.Sqrt(max(between, within))
}
