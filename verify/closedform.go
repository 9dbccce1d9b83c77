package verify

import (
	"math"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// closedForm is the chain rule over the shape's own Gradients:
//
//	dL/dp_{r,m} = sum_n sum_c dL/dy_c dy_c/df_r df_r/dmu_{r,m} dmu_{r,m}/dp_{r,m}
//
//	dL/dy_c   = weight_n dLoss/dy_c, for the squared loss weight_n (y_c - t_c)
//	dy_c/df_r = (y_{r,c} - y_c) / sum_i f_i
//	df_r/dmu_{r,m} = the product of the other grades of the rule
//	dy_r/dV_{r,q}, dy_r/dV_{r,q+1} = 1-t, t, of curves, see [rules.Places]
//
// with the sum over the C outputs.
// There is no division by a grade, which may be zero. In log space, firing levels and products
// of the other grades are computed from sums of logarithms, relative to the strongest kept rule
// of the sample, so that they cannot all underflow. With another t-norm or defuzzification f_r
// is the weight of the rule, see package inference, and df_r/dmu_{r,m} its derivative.
type closedForm struct {
	change func(*steps) // replaces a step by a wrong one; nil: none
}

// steps are the derivatives in the chain rule.
type steps struct {
	byOutput func(p *problem, n int, y []float64) []float64      // dLoss/dy [C] of sample n
	across   func(byPrediction []float64) []float64              // dLoss/dy [C] as dL/df_r sums it over the outputs
	byLevel  func(yr, y, sumF float64) float64                   // dy/df_r
	others   func(t inference.TNorm, mu []float64) []float64     // dT/dmu_{r,m}, all m
	weight   func(by float64) float64                            // dw/df_r, of the weight by the firing level
	penalty  func(d float64, bias bool) float64                  // dP/dw; d as if biases were penalised
	curve    func(at rules.Place) (low, high float64)            // dy_r/dV, at the two knots
	curves   func(d [][]float64) [][]float64                     // dP/dV
	level    func(u, mean, sumF float64) float64                 // dP/df_r; u is dP/dfbar_r, mean its mean over the rules, weighted by fbar
	rules    func(byLevels [][]float64, byOutputs [][][]float64) // changes dP/dfbar_r [B][R] and dP/dy_r [C][B][R]
	ties     func(g rules.Parameters, rb *rules.RuleBase)
}

func (c closedForm) steps() steps {
	s := steps{
		byOutput: (*problem).byPrediction,
		across:   func(byPrediction []float64) []float64 { return byPrediction },
		byLevel:  func(yr, y, sumF float64) float64 { return (yr - y) / sumF },
		others:   byGrades,
		weight:   func(by float64) float64 { return by },
		rules:    func([][]float64, [][][]float64) {},
		ties:     addTied,
		penalty: func(d float64, bias bool) float64 {
			if bias {
				return 0
			}
			return d
		},
		level:  func(u, mean, sumF float64) float64 { return (u - mean) / sumF },
		curve:  func(at rules.Place) (low, high float64) { return 1 - at.Share, at.Share },
		curves: func(d [][]float64) [][]float64 { return d },
	}
	if c.change != nil {
		c.change(&s)
	}
	return s
}

func (closedForm) name() string { return "closed form" }

// applies reports whether the shape has [membership.Gradients].
func (closedForm) applies(rb *rules.RuleBase) bool {
	_, ok := rb.Shape.(membership.Gradients)
	return ok
}

// run computes firing levels sample by sample, then the gradient function by
// function.
func (c closedForm) run(p *problem) (*solution, error) {
	step := c.steps()
	rb, views := p.RuleBase, outputs(p.RuleBase)
	g, B := p.zeros(), len(p.X)
	y, covered := make([]float64, B*len(views)), make([]bool, B)
	firing, levels := make([][]float64, B), make([][]float64, B) // f and fbar, [B][R]
	byGrade := make([][][]float64, B)                            // df_r/dmu_{r,m}, [B][R][M], then dL/dmu_{r,m}; nil for uncovered samples
	grades := gradesOf(rb, p.X)
	for n, x := range p.X {
		f, others := step.firing(rb, grades[n], p.Mask[n])
		firing[n], levels[n] = f, make([]float64, len(f))
		sumF := sum(f)
		if covered[n] = sumF > rules.MinFiring; !covered[n] {
			continue
		}
		byGrade[n] = others
		for r, level := range f {
			levels[n][r] = level / sumF
			for c, one := range views {
				p.of(n, y)[c] += level / sumF * one.Consequent(r, x)
			}
		}
	}
	byLevels, byOutputs := p.byRules(y, covered, levels)
	step.rules(byLevels, byOutputs)
	for n := range p.X {
		if !covered[n] {
			continue
		}
		sumF := sum(firing[n])
		byPrediction := step.byOutput(p, n, p.of(n, y))
		across := step.across(byPrediction)
		mean := 0.0
		for r, level := range levels[n] {
			mean += level * byLevels[n][r]
		}
		for r := range levels[n] {
			byLevel := step.level(byLevels[n][r], mean, sumF)
			for c, one := range views {
				byLevel += across[c] * step.byLevel(one.Consequent(r, p.X[n]), p.of(n, y)[c], sumF)
				step.addConsequents(g.Output(c), one, r, p.X[n], byPrediction[c]*levels[n][r]+byOutputs[c][n][r])
			}
			for m := range byGrade[n][r] {
				byGrade[n][r][m] *= byLevel
			}
		}
	}
	addAntecedents(g, p, byGrade)
	for r, row := range p.byConsequents() {
		for i, d := range row {
			g.Consequents[r][i] += step.penalty(d, i%(rb.Features()+1) == 0)
		}
	}
	addRows(g.Curves, step.curves(p.byCurves()))
	step.ties(g, rb)
	return &solution{Prediction: y, Loss: p.loss(y, covered, levels), Gradient: g}, nil
}

// addConsequents adds a sample's part of the gradient by the consequent of rule r in one
// output, given dL/dy_r.
func (s steps) addConsequents(g rules.Parameters, rb *rules.RuleBase, r int, x []float64, byOutput float64) {
	g.Consequents[r][0] += byOutput
	for m, v := range rb.ThenPart(x) {
		g.Consequents[r][m+1] += byOutput * v
	}
	for _, at := range rules.Places(nil, rb.Knots, rb.ThenPart(x)) {
		low, high := s.curve(at)
		g.Curve(r)[at.Knot] += byOutput * low
		g.Curve(r)[at.Knot+1] += byOutput * high
	}
}

// addAntecedents adds the antecedents' part of the gradient, function by function.
func addAntecedents(g rules.Parameters, p *problem, byGrade [][][]float64) {
	rb, shape := p.RuleBase, p.RuleBase.Shape.(membership.Gradients)
	params, column := make([]float64, len(rb.Antecedents)), make([]float64, len(p.X))
	byParam := make([][]float64, len(rb.Antecedents)) // dmu/dp_j, [P][B]
	for j := range byParam {
		byParam[j] = make([]float64, len(p.X))
	}
	for r := range rb.Consequents {
		for m := range rb.Features() {
			for n, row := range p.X {
				column[n] = row[m]
			}
			shape.Gradients(byParam, column, rb.Function(params, r, m))
			for j, d := range byParam {
				for n, v := range d {
					if byGrade[n] != nil {
						g.Antecedents[j][r][m] += byGrade[n][r][m] * v
					}
				}
			}
		}
	}
}

// gradesOf returns the grades of the samples, or their logarithms in log space, [B][R][M].
func gradesOf(rb *rules.RuleBase, x [][]float64) [][][]float64 {
	grade := rb.Shape.Grades
	if rb.LogSpace() {
		grade = rb.Shape.(membership.LogFunction).LogGrades
	}
	p := make([]float64, len(rb.Antecedents))
	grades := make([][][]float64, len(x))
	for n, row := range x {
		for r := range rb.Consequents {
			mu := make([]float64, rb.Features())
			for m := range mu {
				grade(mu[m:m+1], row[m:m+1], rb.Function(p, r, m))
			}
			grades[n] = append(grades[n], mu)
		}
	}
	return grades
}

// firing returns the weights f [R] of the rules for a sample from its grades [R][M], firing
// levels for TSK, and their derivatives by the grades, [R][M], on a common scale; zero for
// dropped rules.
func (s steps) firing(rb *rules.RuleBase, grades [][]float64, keep []float64) (f []float64, byGrade [][]float64) {
	weights := s.weights
	if rb.LogSpace() {
		weights = s.logWeights
	}
	f, byGrade = weights(rb, grades, keep)
	if sum(f) <= rules.MinFiring {
		all := make([]float64, len(keep))
		for r := range all {
			all[r] = 1
		}
		f, byGrade = weights(rb, grades, all)
	}
	return f, byGrade
}

// weights computes them from grades.
func (s steps) weights(rb *rules.RuleBase, grades [][]float64, keep []float64) (f []float64, byGrade [][]float64) {
	norm, by := inference.OrProduct(rb.TNorm), inference.OrTSK(rb.Defuzzification)
	f, byGrade = make([]float64, len(grades)), make([][]float64, len(grades))
	for r, mu := range grades {
		byGrade[r] = make([]float64, len(mu))
		if keep[r] == 0 {
			continue
		}
		level := []float64{1}
		for m := range mu {
			norm.Join(level, mu[m:m+1])
		}
		byGrade[r] = s.others(norm, mu)
		byLevel := s.weight(inference.WeightGradient(by, level[0], len(mu), false))
		for m := range mu {
			byGrade[r][m] *= byLevel
		}
		inference.Weigh(by, level, len(mu), false)
		f[r] = level[0]
	}
	return f, byGrade
}

// logWeights computes them from logarithms of grades. On the common scale the largest weight
// of a kept rule is one.
func (s steps) logWeights(rb *rules.RuleBase, logGrades [][]float64, keep []float64) (f []float64, byGrade [][]float64) {
	norm, by := inference.OrProduct(rb.TNorm).(inference.LogTNorm), inference.OrTSK(rb.Defuzzification)
	f, byGrade = make([]float64, len(logGrades)), make([][]float64, len(logGrades))
	top := math.Inf(-1)
	for r, z := range logGrades {
		level := []float64{0}
		for m := range z {
			norm.JoinLogs(level, z[m:m+1])
		}
		byGrade[r] = make([]float64, len(z))
		norm.LogGradient(byGrade[r], z)
		byLevel := s.weight(inference.WeightGradient(by, level[0], len(z), true))
		inference.Weigh(by, level, len(z), true)
		f[r] = level[0]
		for m := range z {
			byGrade[r][m] *= byLevel
		}
		if keep[r] != 0 {
			top = max(top, f[r])
		}
	}
	for r, z := range logGrades {
		w := f[r] - top
		if f[r] = math.Exp(w); keep[r] == 0 || f[r] == 0 {
			f[r] = 0
			clear(byGrade[r])
			continue
		}
		for m, v := range z {
			byGrade[r][m] *= math.Exp(w - v)
		}
	}
	return f, byGrade
}

// byGrades returns the derivatives of T(mu_1, ..., mu_M).
func byGrades(t inference.TNorm, mu []float64) []float64 {
	by := make([]float64, len(mu))
	t.Gradient(by, mu)
	return by
}
