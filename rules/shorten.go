package rules

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/weighted"
	"github.com/tskgraph/tskgraph/membership"
)

// Antecedent identifies the antecedent X_{r,m} of rule r on feature m, both from 0.
type Antecedent struct{ Rule, Feature int }

// Shorten returns the antecedents to flatten so that rules mention at most mean features
// on average: those with the least influence on the samples x [N][M] with weights [N] as
// for an [Initialiser]. Those that are kept, see [Kept], and functions that rules share by
// RuleBase.Tie stay even if they are more. Equal influences are ordered by rule and feature. If
// ctx ends, the error wraps that of ctx.
//
// The influence of an antecedent is the standard deviation of log mu_{r,m}(x_n) over the
// samples, weighted by the normalised firing levels, times the square root of the rule's
// mean firing level. A logarithm below -20 counts as -20.
func Shorten(ctx context.Context, rb *RuleBase, x [][]float64, weight []float64, mean float64) ([]Antecedent, error) {
	candidates, kept := influences(rb)
	excess := min(len(candidates), len(candidates)+kept-int(mean*float64(rb.Rules())))
	if excess <= 0 {
		return nil, nil
	}
	weight = weighted.Each(weight, len(x))
	e, shape := NewEvaluator(rb, len(x)), rb.Shape
	for start := 0; start < len(x); start += EvaluatorRows {
		if err := interrupted(ctx); err != nil {
			return nil, err
		}
		e.fireRows(x[start:min(start+EvaluatorRows, len(x))], nil)
		for r := range rb.Rules() {
			for n, level := range e.Level(r) {
				e.Level(r)[n] = level * weight[start+n]
			}
		}
		for i := range candidates {
			c := &candidates[i]
			c.add(shape, e.x[c.Feature*e.b:(c.Feature+1)*e.b], e.Level(c.Rule), e.grades[:e.b])
		}
	}
	size := weighted.Sum(weight, len(weight))
	slices.SortFunc(candidates, func(a, b influence) int {
		return cmp.Or(cmp.Compare(a.of(size), b.of(size)), a.Rule-b.Rule, a.Feature-b.Feature)
	})
	least := make([]Antecedent, excess)
	for i := range least {
		least[i] = candidates[i].Antecedent
	}
	return least, nil
}

// influence sums up the logarithms of the grades of an antecedent, weighted.
type influence struct {
	Antecedent
	p                    []float64 // the parameters of its function
	weight, sum, squares float64
}

// influences returns the antecedents that are neither flat nor kept nor tied, feature by feature,
// without samples, and the number of those that are not flat but kept, in part at least, or tied.
func influences(rb *RuleBase) (all []influence, kept int) {
	marks := Kept(rb)
	for m := range rb.Features() {
		for r := range rb.Rules() {
			switch {
			case rb.IsFlat(r, m):
			case marks.KeepsFunction(r, m), sharesFunction(rb, r, m):
				kept++
			default:
				all = append(all, influence{Antecedent: Antecedent{r, m}, p: rb.Function(make([]float64, len(rb.Antecedents)), r, m)})
			}
		}
	}
	return all, kept
}

// add adds samples with the values x [B] of the feature; levels [B] are the normalised firing levels of the
// rule times the sample weights. z is memory for B numbers.
func (i *influence) add(shape membership.Function, x, levels, z []float64) {
	if l, ok := shape.(membership.LogFunction); ok {
		l.LogGrades(z, x, i.p)
	} else {
		shape.Grades(z, x, i.p)
		for n, g := range z {
			z[n] = math.Log(g)
		}
	}
	for n, v := range z {
		f := levels[n]
		v = max(v, -20)
		i.weight += f
		i.sum += float64(f * v)
		i.squares += float64(f * v * v)
	}
}

// of returns the influence on samples of a total weight.
func (i *influence) of(size float64) float64 {
	if !(i.weight > 0) {
		return 0
	}
	variance := max(0, i.squares/i.weight-float64((i.sum/i.weight)*(i.sum/i.weight)))
	return math.Sqrt(variance * i.weight / size)
}
