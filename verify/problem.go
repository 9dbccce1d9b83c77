package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// problem is a rulebase with R rules over M features and C outputs, and a mini-batch of B
// samples.
type problem struct {
	RuleBase  *rules.RuleBase
	X         [][]float64 // [B][M], scaled; or [B][2M], the features of the antecedents, then those of the consequents
	Target    []float64   // [B,C], on the scale of the loss
	Weight    []float64   // [B], not negative
	Mask      [][]float64 // [B][R], DropRule's: one where a rule is kept; at least one per sample
	Loss      loss.Loss
	Penalties []penalty.Penalty
}

// solution is the result of a route on a problem.
type solution struct {
	Prediction []float64 // [B,C], y(x_n), zero for a sample that no rule covers
	Loss       float64   // over the batch, samples weighted, with the penalties
	Gradient   rules.Parameters

	// Error estimates the absolute error of every element of Gradient; nil if Gradient
	// is exact except for rounding.
	Error *rules.Parameters
}

// route computes predictions, loss and gradient of a problem. All routes compute the same
// function: a sample whose kept firing levels sum to at most rules.MinFiring uses all
// rules; a sample that no rule covers contributes nothing; biases are not penalised.
type route interface {
	name() string
	applies(rb *rules.RuleBase) bool // whether it can compute the rulebase
	run(p *problem) (*solution, error)
}

// allRoutes returns all routes, the most direct first.
func allRoutes() []route {
	return []route{autodiff, fused, paper{}, closedForm{}, finiteDifference{}}
}

// applicable returns the routes that apply to a rulebase.
func applicable(rb *rules.RuleBase) []route {
	var routes []route
	for _, r := range allRoutes() {
		if r.applies(rb) {
			routes = append(routes, r)
		}
	}
	return routes
}

// runAll runs routes on a problem.
func runAll(p *problem, routes []route) ([]*solution, error) {
	results := make([]*solution, len(routes))
	for i, r := range routes {
		var err error
		if results[i], err = run(r, p); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// run runs a route and names it in the error, also of a panic of a shape, loss or other part of the problem.
func run(r route, p *problem) (result *solution, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
		if err != nil {
			result, err = nil, fmt.Errorf("verify: %s, loss %s, %s: %w", p.RuleBase.Shape.Name(), p.Loss.Name(), r.name(), err)
		}
	}()
	return r.run(p)
}

// checkProblem returns an error if the rulebase is invalid, a size does not match it, or there is no loss.
func checkProblem(p *problem) error {
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

// of returns the rows of sample n in v [B,C].
func (p *problem) of(n int, v []float64) []float64 {
	C := p.RuleBase.OutputCount()
	return v[n*C : (n+1)*C]
}

// loss returns the loss of predictions [B,C] and normalised firing levels [B][R], with
// sample weights and penalties. Uncovered samples do not contribute to the data part.
func (p *problem) loss(prediction []float64, covered []bool, levels [][]float64) float64 {
	total := 0.0
	of := loss.Joint(p.Loss, nil)
	for n, c := range covered {
		if c {
			total += p.Weight[n] * of.Value(p.of(n, prediction), p.of(n, p.Target))
		}
	}
	R := p.RuleBase.Rules()
	for _, of := range penalty.Of(penalty.OnSlopes, p.Penalties) {
		total += of.Value(p.RuleBase.Slopes(), R)
	}
	if p.RuleBase.Curves != nil {
		for _, of := range penalty.Of(penalty.OnCurves, p.Penalties) {
			total += of.Value(p.RuleBase.KnotMajor())
		}
	}
	for _, of := range penalty.Of(penalty.OnLevels, p.Penalties) {
		total += of.Value(slices.Concat(levels...), R)
	}
	s := p.samples(prediction, covered, levels)
	for _, of := range penalty.OnSamples(p.Penalties) {
		total += of.Value(s)
	}
	return total
}

// outputs returns the rulebases of the single outputs.
func outputs(rb *rules.RuleBase) []*rules.RuleBase {
	all := make([]*rules.RuleBase, rb.OutputCount())
	for c := range all {
		all[c] = rb.Output(c)
	}
	return all
}

// samples returns what penalties of the samples are functions of.
func (p *problem) samples(prediction []float64, covered []bool, levels [][]float64) penalty.Samples {
	s := penalty.Samples{R: p.RuleBase.Rules(), Levels: slices.Concat(levels...), Target: p.Target, Weight: slices.Clone(p.Weight)}
	for n, c := range covered {
		if !c {
			s.Weight[n] = 0
		}
	}
	for c, one := range outputs(p.RuleBase) {
		var outputs, predictions []float64
		for n, x := range p.X {
			for r := range s.R {
				outputs = append(outputs, one.Consequent(r, x))
			}
			predictions = append(predictions, p.of(n, prediction)[c])
		}
		s.Outputs, s.Predictions = append(s.Outputs, outputs), append(s.Predictions, predictions)
	}
	return s
}

// byPrediction returns the derivatives of the loss by the prediction y [C] of sample n.
func (p *problem) byPrediction(n int, y []float64) []float64 {
	d := p.gradient(n, y)
	for c := range d {
		d[c] *= p.Weight[n]
	}
	return d
}

// gradient returns the derivatives of the loss of sample n by its prediction y [C].
func (p *problem) gradient(n int, y []float64) []float64 {
	d := make([]float64, len(y))
	loss.Joint(p.Loss, nil).Gradient(d, y, p.of(n, p.Target))
	return d
}

// byConsequents returns the derivatives of the penalties by the consequents [R][C(M+1)], in
// the columns of biases as if these were penalised like slopes.
func (p *problem) byConsequents() [][]float64 {
	d, rb := p.zeros(), p.RuleBase
	R, M := rb.Rules(), rb.Features()
	bySlopes := p.byPart(penalty.OnSlopes, rb.Slopes(), R)
	for c, one := range outputs(rb) {
		to := d.Output(c).Consequents
		rules.SetColumns(to, 0, p.byPart(penalty.OnSlopes, rules.Columns(one.Consequents, 0, 1), R))
		rules.SetColumns(to, 1, bySlopes[c*M*R:(c+1)*M*R])
	}
	return d.Consequents
}

// byCurves returns the derivatives of the penalties by the values of the curves, of the
// shape of Parameters.Curves.
func (p *problem) byCurves() [][]float64 {
	d := p.zeros()
	if d.Curves == nil {
		return nil
	}
	v, width := p.RuleBase.KnotMajor()
	by := p.byPart(penalty.OnCurves, v, width)
	for c := range d.OutputCount() {
		to := d.Output(c).Curves
		size := len(to) * len(to[0])
		rules.SetColumns(to, 0, by[c*size:(c+1)*size])
	}
	return d.Curves
}

// byRules returns the derivatives of the penalties by the normalised firing levels, [B][R],
// and by the rule outputs, [C][B][R].
func (p *problem) byRules(prediction []float64, covered []bool, levels [][]float64) (byLevels [][]float64, byOutputs [][][]float64) {
	s := p.samples(prediction, covered, levels)
	f, df := p.byPart(penalty.OnLevels, s.Levels, s.R), make([]float64, len(s.Levels))
	y, dy := make([][]float64, len(s.Outputs)), make([][]float64, len(s.Outputs))
	for c := range y {
		y[c], dy[c] = make([]float64, len(f)), make([]float64, len(f))
	}
	for _, of := range penalty.OnSamples(p.Penalties) {
		of.Gradient(df, dy, s)
		for i := range f {
			f[i] += df[i]
			for c := range y {
				y[c][i] += dy[c][i]
			}
		}
	}
	for _, v := range y {
		byOutputs = append(byOutputs, slices.Collect(slices.Chunk(v, s.R)))
	}
	return slices.Collect(slices.Chunk(f, s.R)), byOutputs
}

// byPart returns the sum of the gradients of the penalties of a part by v [n,R].
func (p *problem) byPart(part penalty.Part, v []float64, R int) []float64 {
	total, one := make([]float64, len(v)), make([]float64, len(v))
	for _, of := range penalty.Of(part, p.Penalties) {
		of.Gradient(one, v, R)
		for i, d := range one {
			total[i] += d
		}
	}
	return total
}

// zeros returns a gradient of zeros.
func (p *problem) zeros() rules.Parameters {
	rb := p.RuleBase
	zeros := rules.RuleBase{Parameters: rules.NewParameters(len(rb.Antecedents), rb.Rules(), rb.Features())}
	zeros.SetOutputs(rb.OutputCount())
	if curves := rb.Curves; curves != nil {
		zeros.Curves = rules.NewCurves(len(curves), len(curves[0]))
	}
	return zeros.Parameters
}

// addRows adds rows to others of the same sizes.
func addRows(to, rows [][]float64) {
	for i, row := range rows {
		for k, v := range row {
			to[i][k] += v
		}
	}
}

// addTied replaces the gradient of every copy of a shared parameter by the sum over all
// copies, for routes that ignore ties.
func addTied(g rules.Parameters, rb *rules.RuleBase) { eachTied(g, rb.Shared(), sum) }

// eachTied replaces the gradients of groups of copies by a function of them.
func eachTied(g rules.Parameters, groups [][]rules.Element, of func(copies []float64) float64) {
	for _, group := range groups {
		copies := make([]float64, len(group))
		for i, e := range group {
			copies[i] = *g.At(e)
		}
		for _, e := range group {
			*g.At(e) = of(copies)
		}
	}
}
