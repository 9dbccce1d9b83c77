package verify

import (
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/parallel"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// Shapes checks shapes on random problems, each on all cases, and their [Constraints].
func Shapes(shapes []membership.Function, cases []Case, rng *rand.Rand) (*Report, error) {
	var problems []drawn
	for _, shape := range shapes {
		for _, c := range cases {
			p, skipped := Draw(shape, c, rng)
			problems = append(problems, drawn{p, skipped})
		}
	}
	r, err := reportOn(problems)
	if err == nil {
		err = checkConstraints(r, shapes, rng)
	}
	return r, err
}

// modelRows is the batch size of the problems that [Model] draws.
const modelRows = 32

// Model checks a rulebase with its current parameters and a loss (nil: squared) on samples
// drawn from x [N][M], in scaled units, with target [N,C] and weight [N] (nil: all one): on a
// batch of 32 with all rules and no penalty, and on one with a mask and every registered
// penalty without a kink within reach.
func Model(rb *rules.RuleBase, l loss.Loss, x [][]float64, target, weight []float64, rng *rand.Rand) (*Report, error) {
	l = loss.OrSquared(l)
	var problems []drawn
	for _, masked := range []bool{false, true} {
		p := drawn{Problem: &Problem{RuleBase: rb, Loss: l}}
		if masked {
			p.Penalties = penaltiesFor(l, smoothPenalties(rb))
		}
		for _, n := range rng.Perm(len(x)) {
			s := sample{x[n], p.of(n, target), 1}
			if weight != nil {
				s.weight = weight[n]
			}
			if !p.take(s, masked, rng) {
				p.skipped++
			}
			if len(p.X) == modelRows {
				break
			}
		}
		problems = append(problems, p)
	}
	return reportOn(problems)
}

// drawn is a problem and the number of samples skipped in drawing it.
type drawn struct {
	*Problem
	skipped int
}

// reportOn compares all routes on all problems, as many at a time as there are
// processors, and merges the checks in the order of the problems.
func reportOn(problems []drawn) (*Report, error) {
	checks, errs := make([][]Check, len(problems)), make([]error, len(problems))
	parallel.Each(len(problems), func(i int) {
		p := problems[i]
		checks[i], errs[i] = Compare(p.Problem, applicable(p.RuleBase))
	})
	r := &Report{Passed: true}
	for i, err := range errs {
		if err != nil {
			return nil, err
		}
		r.add(checks[i], problems[i].skipped)
	}
	return r, nil
}
