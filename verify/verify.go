// Package verify checks gradients by comparing independent computations of them.
//
// A problem is a rulebase, of one output or several, with a loss, penalties and a
// mini-batch. A route is one way to compute its
// predictions, loss and gradient of the loss, a solution. allRoutes lists them:
//
//	autodiff           graph.Network from Gorgonia's operations, with Gorgonia's gradients
//	fused              graph.Network from fused operations, if they support the shape
//	paper              the paper's equations, for its two shapes
//	closed form        the chain rule over the shape's own Gradients
//	finite difference  of the plain forward pass, rules.RuleBase.Loss
//
// They share no derivative: autodiff differentiates the shape's Expr, the paper's
// equations are implemented here, the closed form uses the shape's Gradients (and of curves
// the two knots around a sample, where the former two use the tents of all knots), and the
// differences use only its Grades. The fused engine has kernels of its own for some
// shapes; for the others it uses LogGradients, which no other route does, or Gradients.
//
// Parameters that rules share ([rules.RuleBase.Shared]) have one derivative, the same in
// every copy: package graph sums the gradients of the copies in its graph, paper and
// closed form sum theirs, and differences move all copies together.
//
// # Comparison
//
// compareAll runs the routes on a problem and compares every pair of them, values
// first (predictions, loss), then the gradient block by block: one block per
// antecedent parameter, [R,M], one for the consequents w of all C outputs, [R,C(M+1)], and
// one for the values of their curves, [C R,Q] or [C,Q], if there are any. Two blocks a and b differ by
//
//	|a - b| / max(|a|, |b|, 1e-3 s)
//
// with Euclidean norms. The last term keeps rounding errors from failing a block that is
// zero in exact arithmetic: s is the norm of the whole gradient plus the sum of the
// absolute derivatives by the predictions, by the route for which that is less.
//
// allRoutes that are exact except for rounding must agree to [Tolerance], 1e-9. A finite
// difference has an error estimate for every element; a pair with one must agree to
// Tolerance plus three times the norm of the estimate. If that is more than [Conclusive],
// 1e-5, the comparison is inconclusive and the check fails.
//
// Three lines say what is wrong in the first problem of which a check fails ([Report].Fault): the shape, or the loss, the
// penalty, the t-norm or the defuzzification if no problem with it passes; the element that differs most, by
// all routes; and the routes that stand alone, with the method that they use:
//
//	quartic: the routes give different derivatives by c
//	c[r=1,m=0]: autodiff -5.33, closed form -10.67, finite difference -5.33
//	closed form (Gradients) stands alone
//
// # Kinks
//
// At a kink of the loss a finite difference is meaningless. A sample is within reach of a
// kink if the kink of some membership function passes it while one parameter moves by
// twice the largest step. Such samples are replaced by others and counted, and so are
// samples on which a rule fires although one of its grades is below 1e-87, and samples
// near a kink of the loss, [loss.Kinked], by their prediction or, under an agreement of the
// rules, by the output of a rule. All routes, exact ones too, are compared on the
// same batch. Slopes are not drawn near a kink of a penalty, [penalty.Kinked]. The knots of
// curves are no kinks: the loss is differentiated by their values, not by the features.
//
// # Use
//
// [Shapes] checks shapes on random problems, [Model] a rulebase with its current
// parameters on rows of data. Both return a [Report]. The tests show that the comparison can
// fail: they compare routes with one mistake each, all of which it must catch.
//
// To add an engine, add a route to allRoutes.
package verify

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// Shapes checks shapes on random problems, each on all cases, and their [constraints]. It needs a shape and a
// case at least, see [drawProblem].
func Shapes(shapes []membership.Function, cases []Case, rng *rand.Rand) (*Report, error) {
	if len(shapes) == 0 || len(cases) == 0 {
		return nil, fmt.Errorf("verify: %d shapes on %d cases: nothing to check", len(shapes), len(cases))
	}
	var problems []drawn
	for _, shape := range shapes {
		for _, c := range cases {
			p, skipped, err := drawProblem(shape, c, rng)
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
	weight = numeric.EachWeight(weight, len(x))
	if err := checkSamples(rb, x, target, weight); err != nil {
		return nil, err
	}
	var problems []drawn
	for _, masked := range []bool{false, true} {
		p := drawn{problem: &problem{RuleBase: rb, Loss: l}}
		if masked {
			p.Penalties = penalty.For(l, smoothPenalties(rb))
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
	*problem
	skipped int
}

// reportOn compares all routes on all problems, as many at a time as there are
// processors, and merges the checks in the order of the problems.
func reportOn(problems []drawn) (*Report, error) {
	checks, errs := make([][]Check, len(problems)), make([]error, len(problems))
	parallel.Each(len(problems), func(i int) {
		p := problems[i]
		checks[i], errs[i] = compareAll(p.problem, applicable(p.RuleBase))
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

// ErrFailed is wrapped by the error of a [Report] that did not pass.
var ErrFailed = errors.New("verify: failed")

// Report is the outcome of a verification.
type Report struct {
	Passed bool    `json:"passed"`
	Checks []Check `json:"checks"` // by shape, parameter and pair

	// Fault is about the first problem with a failed check, in three lines: what is wrong, a shape, a loss or another part of the
	// problem; a value by all routes; and which route stands alone, with the method that it uses. Nil: none failed.
	Fault []string `json:"fault,omitempty"`
}

// add merges the checks of one problem.
func (r *Report) add(checks []Check, skipped int) {
	for _, c := range checks {
		c.Skipped = skipped
		r.Passed = r.Passed && c.Passed
		if known := r.find(c.Membership, c.Parameter, c.Pair); known != nil {
			known.merge(c)
		} else {
			r.Checks = append(r.Checks, c)
		}
	}
}

func (r *Report) find(shape, parameter, pair string) *Check {
	for i := range r.Checks {
		if c := &r.Checks[i]; c.Membership == shape && c.Parameter == parameter && c.Pair == pair {
			return c
		}
	}
	return nil
}

// Failures returns Fault or, if it is nil, a line for each constraint that is not kept.
func (r *Report) Failures() []string {
	if r.Fault != nil {
		return r.Fault
	}
	var lines []string
	for _, c := range r.Checks {
		if line := c.Membership + ": " + c.Mismatch; !c.Passed && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// Err returns nil if the report passed, else an error with the number of failures.
func (r *Report) Err() error {
	failed := 0
	for _, c := range r.Checks {
		if !c.Passed {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%w: %d of %d checks", ErrFailed, failed, len(r.Checks))
	}
	return nil
}

// Check is the comparison of one block by two routes. Its figures are the largest over
// all problems.
type Check struct {
	Membership string  // the shape
	Parameter  string  // prediction, loss, a parameter of the shape, or w
	Pair       string  // "autodiff / closed form"
	MaxAbsErr  float64 // of one element
	MaxRelErr  float64 // norm of the difference over the norm; +Inf for NaN
	Tolerance  float64 // of MaxRelErr; more than the constant if a finite difference is less accurate
	Worst      string  // index of the element that differs most, such as "[r=2,m=0]"
	Skipped    int     // samples that were replaced, for the reasons in the package comment
	Passed     bool

	// Mismatch is empty if Passed. Else it gives the worst element by all routes:
	// "sigma[r=2,m=0]: autodiff -4.03, closed form -3.84".
	Mismatch string

	norm     float64 // of the block with the larger norm
	severity float64 // error over tolerance, for the outcome of Worst and Mismatch
}

// merge merges the outcome of the same check on another problem.
func (c *Check) merge(o Check) {
	merged := *c
	if o.severity > c.severity {
		merged = o
	}
	merged.MaxAbsErr, merged.norm = math.Max(c.MaxAbsErr, o.MaxAbsErr), math.Max(c.norm, o.norm)
	merged.MaxRelErr, merged.Tolerance = math.Max(c.MaxRelErr, o.MaxRelErr), math.Max(c.Tolerance, o.Tolerance)
	merged.Skipped, merged.Passed = c.Skipped+o.Skipped, c.Passed && o.Passed
	*c = merged
}

// MarshalJSON writes errors that are not finite as null.
func (c Check) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Membership   string   `json:"membership"`
		Parameter    string   `json:"parameter"`
		Pair         string   `json:"pair"`
		MaxAbsErr    *float64 `json:"max_abs_err"`
		MaxRelErr    *float64 `json:"max_rel_err"`
		Tolerance    *float64 `json:"tolerance"`
		Worst        string   `json:"worst"`
		KinksSkipped int      `json:"kinks_skipped"`
		Passed       bool     `json:"passed"`
		Mismatch     string   `json:"mismatch,omitempty"`
	}{c.Membership, c.Parameter, c.Pair, number(c.MaxAbsErr), number(c.MaxRelErr), number(c.Tolerance), c.Worst, c.Skipped,
		c.Passed, c.Mismatch})
}

func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
