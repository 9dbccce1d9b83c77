package verify

import (
	"fmt"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// Problem is a rulebase with R rules over M features and a mini-batch of B
// samples.
type Problem struct {
	RuleBase *rules.RuleBase
	X        [][]float64 // [B][M], scaled; or [B][2M], the features as antecedents see them, then as consequents do
	Target   []float64   // [B], centred
	Weight   []float64   // [B], not negative
	Mask     [][]float64 // [B][R], DropRule's: one where a rule is kept; at least one per sample
	rules.Penalty
}

// Result is what a route makes of a problem.
type Result struct {
	Prediction []float64 // [B], y(x_n), zero for a sample that no rule covers
	Loss       float64   // the paper's equation (7), samples weighted, and uniform firing
	Gradient   rules.Parameters

	// Error estimates the absolute error of every element of Gradient; nil if it
	// is exact but for rounding.
	Error *rules.Parameters
}

// Route is a way from a problem to predictions, loss and gradient. All of them
// mean the same function: a sample whose kept rules sum to no more than
// rules.MinFiring uses all rules; a sample that no rule covers adds nothing; the
// penalty leaves the biases free.
type Route interface {
	Name() string
	Applies(shape membership.Function) bool
	Run(p *Problem) (*Result, error)
}

// Routes returns all routes, the most direct first.
func Routes() []Route {
	return []Route{Autodiff{}, Fused{}, Paper{}, ClosedForm{}, FiniteDifference{}}
}

// applicable returns the routes that can do a shape.
func applicable(shape membership.Function) []Route {
	var routes []Route
	for _, r := range Routes() {
		if r.Applies(shape) {
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

// run runs a route; its error names it.
func run(r Route, p *Problem) (*Result, error) {
	result, err := r.Run(p)
	if err != nil {
		return nil, fmt.Errorf("verify: %s, %s: %w", p.RuleBase.Shape.Name(), r.Name(), err)
	}
	return result, nil
}

// loss returns the paper's equation (7), with sample weights, from predictions and
// normalised firing levels [B][R]. Samples that are not covered add nothing to the
// errors.
func (p *Problem) loss(prediction []float64, covered []bool, levels [][]float64) float64 {
	total := 0.0
	for n, y := range prediction {
		if covered[n] {
			total += p.Weight[n] / 2 * (p.Target[n] - y) * (p.Target[n] - y)
		}
	}
	pull := p.pull()
	for _, w := range p.RuleBase.Consequents {
		for m, v := range w[1:] {
			total += p.Lambda / 2 * (v - pull[m]) * (v - pull[m])
		}
	}
	for _, u := range p.uneven(levels) {
		total += p.Uniform * float64(p.RuleBase.Rules()) * u * u
	}
	return total
}

// pull returns what the slopes are pulled to, [M].
func (p *Problem) pull() []float64 {
	v := make([]float64, p.RuleBase.Features())
	for m := range v {
		for _, w := range p.RuleBase.Consequents {
			if p.ToMean {
				v[m] += w[m+1] / float64(p.RuleBase.Rules())
			}
		}
	}
	return v
}

// uneven returns, for each rule, its mean normalised firing level less 1/R.
func (p *Problem) uneven(levels [][]float64) []float64 {
	R := p.RuleBase.Rules()
	u := make([]float64, R)
	for r := range u {
		for _, f := range levels {
			u[r] += f[r] / float64(len(levels))
		}
		u[r] -= 1 / float64(R)
	}
	return u
}

// byUniform returns the derivative of the loss by every sample's normalised firing
// level of rule r, [R], as far as it comes from uniform firing.
func (p *Problem) byUniform(levels [][]float64) []float64 {
	d := p.uneven(levels)
	for r := range d {
		d[r] *= 2 * p.Uniform * float64(len(d)) / float64(len(levels))
	}
	return d
}

// zeros returns a gradient of zeros.
func (p *Problem) zeros() rules.Parameters {
	return rules.NewParameters(len(p.RuleBase.Antecedents), p.RuleBase.Rules(), p.RuleBase.Features())
}
