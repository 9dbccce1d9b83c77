package rules

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/membership"
)

// Antecedent identifies the antecedent X_{r,m} of rule r on feature m, both from 0.
type Antecedent struct{ Rule, Feature int }

// Shorten returns the antecedents to flatten so that rules have at most mean conditions
// on average: those of the conditions with the least influence on the samples x [N][M] with weights [N] as
// for an [Initialiser]. A condition is on one feature, or on all those of one of the categories. Those of which a function
// is kept, see [Kept], or shared by rules by RuleBase.Tie stay even if they are more. Equal influences are ordered by
// rule and feature. Errors are those of [RuleBase.Activity], and categories without features or of others.
//
// The influence of a condition is the standard deviation of log mu_{r,m}(x_n), summed over its features, over the
// samples, weighted by the normalised firing levels, times the square root of the rule's
// mean firing level. A logarithm below -20 counts as -20.
func Shorten(ctx context.Context, rb *RuleBase, x [][]float64, weight []float64, mean float64, categories [][]int) ([]Antecedent, error) {
	if err := checkSamples(rb, x, weight); err != nil {
		return nil, err
	}
	for _, levels := range categories {
		if len(levels) == 0 || slices.Min(levels) < 0 || slices.Max(levels) >= rb.Features() {
			return nil, fmt.Errorf("rules: features %v of a category: want at least one, from 0 to %d", levels, rb.Features()-1)
		}
	}
	candidates, kept := influences(rb, categories)
	excess := min(len(candidates), len(candidates)+kept-int(mean*float64(rb.Rules())))
	if excess <= 0 {
		return nil, nil
	}
	weight = numeric.EachWeight(weight, len(x))
	e := NewEvaluator(rb, len(x))
	sum := make([]float64, min(len(x), EvaluatorRows))
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
			c.logGrades(sum[:e.b], e)
			c.add(sum[:e.b], e.Level(c.rule))
		}
	}
	size := numeric.WeightSum(weight, len(weight))
	slices.SortFunc(candidates, func(a, b influence) int {
		return cmp.Or(cmp.Compare(a.of(size), b.of(size)), a.rule-b.rule, a.features[0]-b.features[0])
	})
	var least []Antecedent
	for _, c := range candidates[:excess] {
		for _, m := range c.features {
			least = append(least, Antecedent{c.rule, m})
		}
	}
	return least, nil
}

// influence sums up the logarithms of the grades of a condition, weighted.
type influence struct {
	rule                 int
	features             []int       // whose functions are not flat
	p                    [][]float64 // the parameters of these
	weight, sum, squares float64
}

// influences returns the conditions without a function that is kept or tied, feature by feature,
// without samples, and the number of the others.
func influences(rb *RuleBase, categories [][]int) (all []influence, kept int) {
	marks := Kept(rb)
	for _, column := range byColumn(rb.Features(), categories) {
		for r := range rb.Rules() {
			c, keeps := influence{rule: r}, false
			for _, m := range column {
				if !rb.IsFlat(r, m) {
					keeps = keeps || marks.KeepsFunction(r, m) || sharesFunction(rb, r, m)
					c.features, c.p = append(c.features, m), append(c.p, rb.Function(make([]float64, len(rb.Antecedents)), r, m))
				}
			}
			switch {
			case c.features == nil:
			case keeps:
				kept++
			default:
				all = append(all, c)
			}
		}
	}
	return all, kept
}

// byColumn returns the features of each column: those of each of the categories, and the others alone, in the order of the features.
func byColumn(features int, categories [][]int) [][]int {
	of := make([][]int, features)
	for m := range of {
		of[m] = []int{m}
	}
	for _, levels := range categories {
		for _, m := range levels {
			of[m] = nil
		}
		of[levels[0]] = levels
	}
	return slices.DeleteFunc(of, func(levels []int) bool { return levels == nil })
}

// logGrades sets z [B] to the logarithms of the grades of the condition on the samples of e.
func (i *influence) logGrades(z []float64, e *Evaluator) {
	shape := e.rb.Shape
	clear(z)
	for k, m := range i.features {
		x, one := e.x[m*e.b:(m+1)*e.b], e.grades[:e.b]
		if l, ok := shape.(membership.LogFunction); ok {
			l.LogGrades(one, x, i.p[k])
		} else {
			shape.Grades(one, x, i.p[k])
			for n, g := range one {
				one[n] = math.Log(g)
			}
		}
		for n, v := range one {
			z[n] += v
		}
	}
}

// add adds samples with these logarithms of grades; levels [B] are the normalised firing levels of the rule times the sample weights.
func (i *influence) add(z, levels []float64) {
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

// equalFiring is the relative difference up to which firing levels count as equal.
const equalFiring = 1e-9

// Strongest appends the rules with the largest of the normalised firing levels [R] to
// which: one or, if levels are equal to a relative difference of 1e-9, several; none if no
// rule fires.
func Strongest(levels []float64, which []int) []int {
	top := 0.0
	for _, level := range levels {
		top = max(top, level)
	}
	for r, level := range levels {
		if level > 0 && level >= top*(1-equalFiring) {
			which = append(which, r)
		}
	}
	return which
}

// WithoutIdle returns the rulebase without the rules that decide for none of the samples
// x [N][M]: that are alone the strongest nowhere. It removes one at a time, the one that
// fires least, since another may decide where it is gone. At least one rule is left, and every
// rule with a kept part (RuleBase.Keep). Errors are those of [RuleBase.Activity].
func WithoutIdle(ctx context.Context, rb *RuleBase, x [][]float64) (*RuleBase, error) {
	if err := checkSamples(rb, x, nil); err != nil {
		return nil, err
	}
	rb = rb.Clone()
	for rb.Rules() > 1 {
		idle, firing, err := idleRules(ctx, rb, x)
		if err != nil {
			return nil, err
		}
		if len(idle) == 0 {
			break
		}
		deleteRule(rb, slices.MinFunc(idle, func(a, b int) int {
			if firing[a] < firing[b] {
				return -1
			}
			return 1
		}))
	}
	return rb, nil
}

// idleRules returns the rules that decide for none of the samples, and the sums of the rules'
// normalised firing levels.
func idleRules(ctx context.Context, rb *RuleBase, x [][]float64) (idle []int, firing []float64, err error) {
	firing, busy := make([]float64, rb.Rules()), make([]bool, rb.Rules())
	var which []int
	for start := 0; start < len(x); start += blockRows {
		if err := interrupted(ctx); err != nil {
			return nil, nil, err
		}
		for _, levels := range rb.FiringLevels(x[start:min(start+blockRows, len(x))], nil) {
			for r, level := range levels {
				firing[r] += level
			}
			if which = Strongest(levels, which[:0]); len(which) == 1 {
				busy[which[0]] = true
			}
		}
	}
	for r, b := range busy {
		if !b && !rb.Keeps(r, KeepAll) {
			idle = append(idle, r)
		}
	}
	return idle, firing, nil
}
