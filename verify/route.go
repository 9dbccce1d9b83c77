package verify

import (
	"fmt"

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

// run runs a route and names it in the error.
func run(r Route, p *Problem) (*Result, error) {
	result, err := r.Run(p)
	if err != nil {
		return nil, fmt.Errorf("verify: %s, %s: %w", p.RuleBase.Shape.Name(), r.Name(), err)
	}
	return result, nil
}
