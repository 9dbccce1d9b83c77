package verify

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// Shapes checks shapes on random problems, each on all cases, and their [Constraints]. It needs a shape and a
// case at least, see [Draw].
func Shapes(shapes []membership.Function, cases []Case, rng *rand.Rand) (*Report, error) {
	if len(shapes) == 0 || len(cases) == 0 {
		return nil, fmt.Errorf("verify: %d shapes on %d cases: nothing to check", len(shapes), len(cases))
	}
	var problems []drawn
	for _, shape := range shapes {
		for _, c := range cases {
			p, skipped, err := Draw(shape, c, rng)
			if err != nil {
				return nil, err
			}
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
	if rng == nil {
		return nil, errors.New("verify: the source of random numbers is nil")
	}
	weight = weighted.Each(weight, len(x))
	if err := checkSamples(rb, x, target, weight); err != nil {
		return nil, err
	}
	var problems []drawn
	for _, masked := range []bool{false, true} {
		p := drawn{Problem: &Problem{RuleBase: rb, Loss: l}}
		if masked {
			p.Penalties = penaltiesFor(l, smoothPenalties(rb))
		}
		for _, n := range rng.Perm(len(x)) {
			if !p.take(sample{x[n], p.of(n, target), weight[n]}, masked, rng) {
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
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	r := &Report{Passed: true, Fault: faultOf(problems, checks)}
	for i := range checks {
		r.add(checks[i], problems[i].skipped)
	}
	return r, nil
}
