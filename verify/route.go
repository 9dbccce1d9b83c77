package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// Problem is a rulebase with R rules over M features and C outputs, and a mini-batch of B
// samples.
type Problem struct {
	RuleBase  *rules.RuleBase
	X         [][]float64 // [B][M], scaled; or [B][2M], the features of the antecedents, then those of the consequents
	Target    []float64   // [B,C], on the scale of the loss
	Weight    []float64   // [B], not negative
	Mask      [][]float64 // [B][R], DropRule's: one where a rule is kept; at least one per sample
	Loss      loss.Loss
	Penalties []penalty.Penalty
}

// Result is the result of a route on a problem.
type Result struct {
	Prediction []float64 // [B,C], y(x_n), zero for a sample that no rule covers
	Loss       float64   // over the batch, samples weighted, with the penalties
	Gradient   rules.Parameters

	// Error estimates the absolute error of every element of Gradient; nil if Gradient
	// is exact except for rounding.
	Error *rules.Parameters
}

// Route computes predictions, loss and gradient of a problem. All routes compute the same
// function: a sample whose kept firing levels sum to at most rules.MinFiring uses all
// rules; a sample that no rule covers contributes nothing; biases are not penalised.
type Route interface {
	Name() string
	Applies(rb *rules.RuleBase) bool // whether it can compute the rulebase
	Run(p *Problem) (*Result, error)
}

// Routes returns all routes, the most direct first.
func Routes() []Route {
	return []Route{Autodiff{}, Fused{}, Paper{}, ClosedForm{}, FiniteDifference{}}
}

// applicable returns the routes that apply to a rulebase.
func applicable(rb *rules.RuleBase) []Route {
	var routes []Route
	for _, r := range Routes() {
		if r.Applies(rb) {
			routes = append(routes, r)
		}
	}
	return routes
}

// runAll runs routes on a problem.
func runAll(p *Problem, routes []Route) ([]*Result, error) {
	results := make([]*Result, len(routes))
	for i, r := range routes {
		var err error
		if results[i], err = run(r, p); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// run runs a route and names it in the error, also of a panic of a shape, loss or other part of the problem.
func run(r Route, p *Problem) (result *Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
		if err != nil {
			result, err = nil, fmt.Errorf("verify: %s, loss %s, %s: %w", p.RuleBase.Shape.Name(), p.Loss.Name(), r.Name(), err)
		}
	}()
	return r.Run(p)
}

// checkProblem returns an error if the rulebase is invalid, a size does not match it, or there is no loss.
func checkProblem(p *Problem) error {
	if p == nil {
		return errors.New("verify: nil problem")
	}
	if p.Loss == nil || slices.Contains(p.Penalties, nil) {
		return errors.New("verify: the loss or a penalty is nil")
	}
	if err := checkSamples(p.RuleBase, p.X, p.Target, p.Weight); err != nil {
		return err
	}
	if len(p.Mask) != len(p.X) || slices.ContainsFunc(p.Mask, func(row []float64) bool { return len(row) != p.RuleBase.Rules() }) {
		return fmt.Errorf("verify: the mask is not one of %d samples and %d rules", len(p.X), p.RuleBase.Rules())
	}
	return nil
}

// checkSamples returns an error if the rulebase is invalid, or the size of samples does not match it.
func checkSamples(rb *rules.RuleBase, x [][]float64, target, weight []float64) error {
	if err := rb.Validate(); err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	M, C := rb.Features(), rb.OutputCount()
	if len(target) != len(x)*C || len(weight) != len(x) {
		return fmt.Errorf("verify: %d targets and %d weights of %d samples with %d outputs", len(target), len(weight), len(x), C)
	}
	for n, row := range x {
		if len(row) != len(x[0]) || len(row) != M && len(row) != 2*M {
			return fmt.Errorf("verify: sample %d has %d features; the rules are over %d", n, len(row), M)
		}
	}
	return nil
}
