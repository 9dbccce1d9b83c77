package rules

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/weighted"
	"github.com/tskgraph/tskgraph/membership"
)

// Antecedent is a place in a rulebase: rule r on feature m, both from 0.
type Antecedent struct{ Rule, Feature int }

// Shorten returns the antecedents to flatten so that rules mention at most so many
// features on average: those with the least say on the samples x with weights as an
// [Initialiser] takes them. The order of equal ones is by rule and feature.
//
// The say of an antecedent is how much its grade moves the firing level of its rule:
// the standard deviation of log mu_{r,m}(x_n) over the samples, weighted by the
// normalised firing levels, times the root of the rule's mean firing level. A
// logarithm below -20 counts as -20.
func Shorten(rb *RuleBase, x [][]float64, weight []float64, mean float64) []Antecedent {
	type say struct {
		Antecedent
		value float64
	}
	var says []say
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
				says = append(says, say{Antecedent{r, m}, influence(rb, r, m, x, levels, size)})
			}
		}
	}
	excess := len(says) - int(mean*float64(rb.Rules()))
	if excess <= 0 {
		return nil
	}
	slices.SortStableFunc(says, func(a, b say) int { return cmp.Compare(a.value, b.value) })
	least := make([]Antecedent, excess)
	for i := range least {
		least[i] = says[i].Antecedent
	}
	return least
}

// say returns the say of X_{r,m}, with the normalised firing levels [N][R] times the
// weights, and the sum of these.
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
