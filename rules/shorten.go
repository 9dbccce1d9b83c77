package rules

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/weighted"
	"github.com/tskgraph/tskgraph/membership"
)

// Antecedent identifies the antecedent X_{r,m} of rule r on feature m, both from 0.
type Antecedent struct{ Rule, Feature int }

// Shorten returns the antecedents to flatten so that rules mention at most mean features
// on average: those with the least influence on the samples x [N][M] with weights [N] as
// for an [Initialiser]. Equal influences are ordered by rule and feature.
//
// The influence of an antecedent is the standard deviation of log mu_{r,m}(x_n) over the
// samples, weighted by the normalised firing levels, times the square root of the rule's
// mean firing level. A logarithm below -20 counts as -20.
func Shorten(rb *RuleBase, x [][]float64, weight []float64, mean float64) []Antecedent {
	type candidate struct {
		Antecedent
		influence float64
	}
	var candidates []candidate
	levels := rb.FiringLevels(x, nil)
	weight = weighted.Each(weight, len(x))
	size := weighted.Sum(weight, len(weight))
	for n, f := range levels {
		for r := range f {
			f[r] *= weight[n]
		}
	}
	for r := range rb.Rules() {
		for m := range rb.Features() {
			if !rb.IsFlat(r, m) {
				candidates = append(candidates, candidate{Antecedent{r, m}, influence(rb, r, m, x, levels, size)})
			}
		}
	}
	excess := len(candidates) - int(mean*float64(rb.Rules()))
	if excess <= 0 {
		return nil
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.influence, b.influence) })
	least := make([]Antecedent, excess)
	for i := range least {
		least[i] = candidates[i].Antecedent
	}
	return least
}

// influence returns the influence of X_{r,m}; levels [N][R] are the normalised firing
// levels times the sample weights, size the sum of the weights.
func influence(rb *RuleBase, r, m int, x, levels [][]float64, size float64) float64 {
	column := make([]float64, len(x))
	for n, row := range x {
		column[n] = row[m]
	}
	p := rb.Function(make([]float64, len(rb.Antecedents)), r, m)
	if shape, ok := rb.Shape.(membership.LogFunction); ok {
		shape.LogGrades(column, column, p)
	} else {
		rb.Shape.Grades(column, column, p)
		for n, g := range column {
			column[n] = math.Log(g)
		}
	}
	weight, sum, squares := 0.0, 0.0, 0.0
	for n, z := range column {
		f := levels[n][r]
		z = max(z, -20)
		weight += f
		sum += float64(f * z)
		squares += float64(f * z * z)
	}
	if !(weight > 0) {
		return 0
	}
	variance := max(0, squares/weight-float64((sum/weight)*(sum/weight)))
	return math.Sqrt(variance * weight / size)
}
