package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/rules"
)

const (
	// Tolerance is the largest relative difference, norm over norm, of two exact routes.
	Tolerance = 1e-9

	// Conclusive is the largest tolerance at which agreement with a finite
	// difference is evidence.
	Conclusive = 1e-5

	// safety multiplies the estimated error of a finite difference.
	safety = 3

	// least is the least norm assumed for a block, relative to the size of the whole
	// gradient.
	least = 1e-3
)

// compareAll runs the routes, at least two, on a problem and compares every pair: first the values
// (predictions, loss), then the blocks of the gradient. A problem with wrong sizes is an error.
func compareAll(p *problem, routes []route) ([]Check, error) {
	if err := checkProblem(p); err != nil {
		return nil, err
	}
	if len(routes) < 2 || slices.Contains(routes, nil) {
		return nil, fmt.Errorf("verify: %d routes, want two or more, none nil", len(routes))
	}
	if len(p.X) == 0 {
		return nil, fmt.Errorf("verify: %s: no sample to compare the gradients on: all are within reach of a kink", p.RuleBase.Shape.Name())
	}
	results, err := runAll(p, routes)
	if err != nil {
		return nil, err
	}
	return compare(p, routes, results), nil
}

// compare compares the results of the routes.
func compare(p *problem, routes []route, results []*solution) []Check {
	c := comparison{shape: p.RuleBase.Shape.Name(), routes: routes}
	for _, r := range results {
		c.blocks = append(c.blocks, blocksOf(p.RuleBase, r))
		c.sizes = append(c.sizes, size(p, r))
	}
	var checks []Check
	for i := range c.blocks[0] {
		for a := range routes {
			for b := range routes[:a] {
				checks = append(checks, c.check(i, b, a))
			}
		}
	}
	return checks
}

// comparison holds the results of the routes by block.
type comparison struct {
	shape  string
	routes []route
	blocks [][]block // [route][block]
	sizes  []float64 // [route]
}

// block is a part of a result.
type block struct {
	name   string
	values [][]float64
	errors [][]float64 // estimated, or nil
	index  func(i, k int) string
}

// blocksOf splits a result into blocks.
func blocksOf(rb *rules.RuleBase, r *solution) []block {
	C, width := rb.OutputCount(), rb.Features()+1
	rm := func(i, k int) string { return fmt.Sprintf("[r=%d,m=%d]", i, k) }
	ofOutput := func(index string, c int) string { // "[r=2,m=0]" of output 1: "[r=2,m=0,c=1]"
		if C == 1 {
			return index
		}
		return fmt.Sprintf("%s,c=%d]", strings.TrimSuffix(index, "]"), c)
	}
	blocks := []block{
		{name: "prediction", values: [][]float64{r.Prediction},
			index: func(_, k int) string { return ofOutput(fmt.Sprintf("[n=%d]", k/C), k%C) }},
		{name: "loss", values: [][]float64{{r.Loss}}, index: func(int, int) string { return "" }},
	}
	for j, param := range rb.Shape.Params() {
		blocks = append(blocks, block{name: param.Name, values: r.Gradient.Antecedents[j], index: rm})
	}
	blocks = append(blocks, block{name: "w", values: r.Gradient.Consequents,
		index: func(i, k int) string { return ofOutput(rm(i, k%width), k/width) }})
	if curves := r.Gradient.Curves; curves != nil {
		blocks = append(blocks, block{name: "curve", values: curves, index: func(i, k int) string {
			if len(curves) == C {
				return ofOutput(fmt.Sprintf("[q=%d]", k), i)
			}
			return ofOutput(fmt.Sprintf("[r=%d,q=%d]", i%rb.Rules(), k), i/rb.Rules())
		}})
	}
	if r.Error != nil {
		for i, e := range matrices(*r.Error) {
			blocks[2+i].errors = e
		}
	}
	return blocks
}

// matrices returns the matrices of parameters: the antecedents, the consequents and, if
// there are any, the curves.
func matrices(p rules.Parameters) [][][]float64 {
	all := append(slices.Clone(p.Antecedents), p.Consequents)
	if p.Curves != nil {
		all = append(all, p.Curves)
	}
	return all
}

// size returns the size of the whole gradient: its norm plus the sum of the absolute
// derivatives by the predictions, which bounds it without cancellation. It is zero if
// that is NaN.
func size(p *problem, r *solution) float64 {
	s := 0.0
	for _, g := range matrices(r.Gradient) {
		s = math.Hypot(s, norm(g))
	}
	for n := range p.X {
		for _, d := range p.byPrediction(n, p.of(n, r.Prediction)) {
			s += math.Abs(d)
		}
	}
	if math.IsNaN(s) || math.IsInf(s, 0) {
		return 0
	}
	return s
}

// check compares block i by the routes a and b.
func (c *comparison) check(i, a, b int) Check {
	x, y := c.blocks[a][i], c.blocks[b][i]
	check := Check{
		Membership: c.shape, Parameter: x.name, Pair: pairOf(c.routes[a], c.routes[b]),
		norm: math.Max(norm(x.values), norm(y.values)),
	}
	scale := math.Max(check.norm, least*min(c.sizes[a], c.sizes[b]))
	difference, r, m := farthest(x.values, y.values)
	check.MaxAbsErr = math.Abs(x.values[r][m] - y.values[r][m])
	check.Worst = x.index(r, m)
	check.Tolerance = Tolerance + safety*over(norm(x.errors)+norm(y.errors), scale)
	check.MaxRelErr = over(difference, scale)
	switch {
	case !(check.MaxRelErr <= check.Tolerance):
		check.Mismatch = c.everywhere(i, r, m)
	case !(check.Tolerance <= Conclusive):
		check.Mismatch = fmt.Sprintf("%s: no conclusion, a finite difference is known to %.1g only", c.everywhere(i, r, m), check.Tolerance)
	}
	check.Passed = check.Mismatch == ""
	check.severity = check.MaxRelErr / check.Tolerance
	if !check.Passed {
		check.severity = math.Max(check.severity, math.MaxFloat64)
	}
	return check
}

func pairOf(a, b route) string { return a.name() + " / " + b.name() }

// everywhere formats an element by all routes.
func (c *comparison) everywhere(i, r, m int) string {
	var s []string
	for k, route := range c.routes {
		s = append(s, fmt.Sprintf("%s %.10g", route.name(), c.blocks[k][i].values[r][m]))
	}
	b := c.blocks[0][i]
	return b.name + b.index(r, m) + ": " + strings.Join(s, ", ")
}

// farthest returns the norm of x-y and the element that differs most; NaN counts as the
// largest difference.
func farthest(x, y [][]float64) (difference float64, r, m int) {
	worst := -1.0
	for i, row := range x {
		for k, v := range row {
			d := math.Abs(v - y[i][k])
			if math.IsNaN(d) {
				d = math.Inf(1)
			}
			if d > worst {
				worst, r, m = d, i, k
			}
			difference = math.Hypot(difference, d)
		}
	}
	return difference, r, m
}

// norm returns the Euclidean norm.
func norm(rows [][]float64) float64 {
	n := 0.0
	for _, row := range rows {
		for _, v := range row {
			n = math.Hypot(n, v)
		}
	}
	return n
}

// over returns a/scale, but 0 for 0/0 and +Inf for NaN.
func over(a, scale float64) float64 {
	switch q := a / scale; {
	case a == 0:
		return 0
	case math.IsNaN(q):
		return math.Inf(1)
	default:
		return q
	}
}
