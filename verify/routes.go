package verify

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/rules"
)

// engine is the network of an engine of package graph.
type engine string

const (
	autodiff engine = "autodiff" // from Gorgonia's operations, with Gorgonia's gradients
	fused    engine = "fused"    // from fused operations, the engine of training if it supports the shape
)

func (e engine) name() string { return string(e) }

// applies reports whether the engine supports the shape with the t-norm.
func (e engine) applies(rb *rules.RuleBase) bool {
	return slices.Contains(graph.Engines(rb.Shape, inference.OrProduct(rb.TNorm)), string(e))
}

// run builds the network and evaluates it once.
func (e engine) run(p *problem) (*solution, error) {
	n, err := graph.New(p.RuleBase, p.options(string(e)))
	return evaluate(n, err, p)
}

// options returns those of a network for a problem.
func (p *problem) options(engine string) graph.Options {
	return graph.Options{
		Engine: engine, Batch: len(p.X), Loss: p.Loss, Penalties: p.Penalties, TwoParts: len(p.X[0]) > p.RuleBase.Features(),
	}
}

// evaluate evaluates a network, unless it was not built, and closes it.
func evaluate(n *graph.Network, err error, p *problem) (*solution, error) {
	if err != nil {
		return nil, err
	}
	defer n.Close()
	data, penalty, _, err := n.Evaluate(slices.Concat(p.X...), p.Target, slices.Concat(p.Mask...), p.Weight)
	if err != nil {
		return nil, err
	}
	g, err := n.Gradients()
	return &solution{Prediction: n.Predictions(), Loss: data + penalty, Gradient: g}, err
}

// finiteDifference computes differences of the plain forward pass,
// rules.RuleBase.Loss, one parameter at a time. It uses no derivative.
//
// The step h is 1e-4, or 1e-4 of the parameter if that is larger. In the consequents and
// their curves the squared loss is a parabola, for which any step gives the exact derivative;
// their step is a hundredth of the largest consequent, so that rounding errors are
// negligible, and a thousandth for other losses.
// The central difference
//
//	D(h) = (L(p+h) - L(p-h)) / 2h = L' + a h^2 + b h^4 + ...
//
// is computed at h, h/2, h/4, ..., and Richardson extrapolation removes the powers of h
// one by one. It stops when the last two extrapolations differ by no more than the
// rounding error, at the latest after ten steps, and returns the one that changed least.
// The estimated error is that change (or an eighth of the one before, since one change
// may be small by chance) plus the rounding error of L over the step. Tied copies of a
// parameter move together.
type finiteDifference struct{}

func (finiteDifference) name() string { return "finite difference" }

// applies returns true: every shape has grades.
func (finiteDifference) applies(*rules.RuleBase) bool { return true }

// run differentiates by every parameter, in time proportional to B R^2 M^2.
func (finiteDifference) run(p *problem) (*solution, error) {
	rb := p.RuleBase.Clone()
	loss := func() float64 {
		data, penalty, _ := rb.Loss(p.X, p.Target, p.Mask, p.Weight, p.Loss, p.Penalties...)
		return data + penalty
	}
	g, e := p.zeros(), p.zeros()
	block := func(g, e, values [][]float64, step func(v float64) float64) {
		for r, row := range values {
			for m, v := range row {
				g[r][m], e[r][m] = derivative(loss, &row[m], step(v))
			}
		}
	}
	for j, values := range rb.Antecedents {
		block(g.Antecedents[j], e.Antecedents[j], values, stepFor)
	}
	for _, copies := range rb.Shared() {
		d, err := together(loss, rb.Parameters, copies)
		for _, c := range copies {
			*g.At(c), *e.At(c) = d, err
		}
	}
	step := consequentStep(p.Loss, rb.Consequents)
	block(g.Consequents, e.Consequents, rb.Consequents, func(float64) float64 { return step })
	block(g.Curves, e.Curves, rb.Curves, func(float64) float64 { return step })
	y, _, err := rb.Forward(p.X, p.Mask)
	if err != nil {
		return nil, err
	}
	return &solution{Prediction: y, Loss: loss(), Gradient: g, Error: &e}, nil
}

// together returns the derivative by a shared parameter, whose copies all move.
func together(loss func() float64, p rules.Parameters, copies []rules.Element) (d, err float64) {
	shared := *p.At(copies[0])
	set := func() {
		for _, c := range copies {
			*p.At(c) = shared
		}
	}
	defer set()
	return derivative(func() float64 { set(); return loss() }, &shared, stepFor(shared))
}

const (
	relativeStep = 1e-4
	maxSteps     = 10
	rounding     = 4 * 0x1p-52 // of the loss, relative
)

// stepFor returns the largest step from an antecedent parameter's value.
func stepFor(v float64) float64 { return relativeStep * max(1, math.Abs(v)) }

// consequentStep returns the largest step of the consequents w under a loss.
func consequentStep(l loss.Loss, w [][]float64) float64 {
	largest := 1.0
	for _, row := range w {
		for _, v := range row {
			largest = max(largest, math.Abs(v))
		}
	}
	if l.Name() == (loss.Squared{}).Name() {
		return 0.01 * largest
	}
	return 0.001 * largest
}

// derivative returns the derivative of f by v and its estimated error, with steps from h
// downwards.
func derivative(f func() float64, v *float64, h float64) (d, err float64) {
	at := *v
	defer func() { *v = at }()
	d, err = math.NaN(), math.Inf(1)
	var last, row [maxSteps]float64 // row[i] is free of powers of h up to 2i
	before := 0.0                   // the last change
	for k := range maxSteps {
		*v = at + h
		right, up := *v, f()
		*v = at - h
		left, down := *v, f()
		row[0] = (up - down) / (right - left)
		for i, power := 1, 4.0; i <= k; i, power = i+1, 4*power {
			row[i] = row[i-1] + (row[i-1]-last[i-1])/(power-1)
		}
		if k > 0 {
			noise := rounding * (math.Abs(up) + math.Abs(down)) / (right - left)
			change := max(math.Abs(row[k]-row[k-1]), math.Abs(row[k]-last[k-1]))
			if e := max(change, before/8) + noise; e < err {
				d, err = row[k], e
			}
			if max(change, before/8) <= noise {
				break
			}
			before = change
		}
		last, h = row, h/2
	}
	return d, err
}
