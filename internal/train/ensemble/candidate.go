package ensemble

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// candidate is a setting in a race.
type candidate struct {
	RaceScore
	number int              // in the order of the recipe
	recipe recipe.Recipe    // with the setting
	jobs   []checkpoint.Job // its trainings, by split
	losses [][]float64      // on the held-out samples, by split so far
	alone  [][]float64      // those of the strongest rule read alone
	err    error            // its training diverged
}

// candidatesOf returns the candidates of a race on a training part, and the criterion that compares them.
func candidatesOf(r recipe.Recipe, train *data.Dataset) (all []*candidate, by model.Criterion, err error) {
	if by, err = model.CriterionOf(r.Train.Loss, train.Schema); err != nil {
		return nil, by, err
	}
	for k, s := range r.Entrants(train.Len(), train.Schema.Classes != nil) {
		with, err := r.With(s)
		if err == nil {
			with, err = with.Resolve()
		}
		if err != nil {
			return nil, by, err
		}
		all = append(all, &candidate{RaceScore: RaceScore{Setting: s, Metric: by.Name}, number: k, recipe: with})
	}
	return all, by, nil
}

// measure computes the figure of the criterion and the fidelity from the losses on the splits
// so far, which were computed in the given unit. The fidelity is infinite if no held-out sample
// is covered by a rule.
func (c *candidate) measure(by model.Criterion, unit float64) {
	losses, alone := slices.Concat(c.losses...), slices.Concat(c.alone...)
	c.Loss = by.Figure(stat.Mean(losses, nil), unit)
	c.Splits = len(c.losses)
	whole, one, covered := 0.0, 0.0, false
	for n, s := range alone {
		if !math.IsNaN(s) {
			whole, one, covered = whole+losses[n], one+s, true
		}
	}
	c.Fidelity = math.Inf(1)
	switch {
	case covered && whole > 0:
		c.Fidelity = by.Figure(one/whole, 1)
	case covered && one == 0:
		c.Fidelity = 1 // neither errs
	}
}

// beyond returns the fidelity if it exceeds a limit, otherwise zero. A limit of zero is none.
func (c *candidate) beyond(limit float64) float64 {
	if limit == 0 || c.Fidelity <= limit {
		return 0
	}
	return c.Fidelity
}

// curves orders candidates by the number of curves in their consequents: none, those shared
// by all rules, those of every rule.
func (c *candidate) curves() int {
	return slices.Index([]string{recipe.NoCurves, recipe.SharedCurves, recipe.OwnCurves}, c.recipe.Model.Curves)
}

// over returns the mean over the splits of the difference between the mean losses of a candidate and of the first one, and the standard deviation of a split's difference.
// A race has few splits, initially one, which may agree by chance, so the standard
// deviation is at least that expected from the samples within the splits.
func (c *candidate) over(first *candidate) (over, sd float64) {
	var means []float64
	within := 0.0
	for i, losses := range c.losses {
		worse := make([]float64, len(losses))
		for n, s := range losses {
			worse[n] = s - first.losses[i][n]
		}
		mean, variance := stat.MeanVariance(worse, nil)
		means = append(means, mean)
		within += variance / float64(len(worse)) / float64(len(c.losses))
	}
	over, between := stat.MeanVariance(means, nil)
	if len(means) < 2 {
		between = 0
	}
	return over, math.Sqrt(max(between, within))
}
