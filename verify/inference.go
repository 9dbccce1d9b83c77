package verify

import (
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// withInference returns the case with every combination of a t-norm and a defuzzification
// except the product with TSK, which the other cases have. Functions are wide, so that rules
// fire with every t-norm.
func (c Case) withInference() []Case {
	var cases []Case
	c.Width = 2
	for _, c.TNorm = range inference.TNorms() {
		for _, c.Defuzzification = range inference.Defuzzifications() {
			if c.TNorm != (inference.Product{}) || c.Defuzzification != (inference.TSK{}) {
				cases = append(cases, c)
			}
		}
	}
	return cases
}

// mostFall is the least firing level, relative to that at a sample, while a parameter moves by
// twice the largest step of the finite differences: the derivatives of weights are infinite where
// the level becomes zero, except in log space. mostLevel is the largest level, other than one, as
// the weights of [inference.LogTSK] change fast near one.
const mostFall, mostLevel = 0.8, 1 - 1e-3

// steady reports whether finite differences at a sample cross no kink of the t-norm, and
// whether the weights of the rules in use change little.
func steady(rb *rules.RuleBase, x, mask []float64) bool {
	if rb.TNorm == nil && rb.Defuzzification == nil {
		return true
	}
	norm, mu, p := inference.OrProduct(rb.TNorm), make([]float64, rb.Features()), make([]float64, len(rb.Antecedents))
	level := func() float64 {
		f := []float64{1}
		for m := range mu {
			norm.Join(f, mu[m:m+1])
		}
		return f[0]
	}
	used := rb.FiringLevels([][]float64{x}, [][]float64{mask})[0]
	for r := range rb.Rules() {
		if mask[r] == 0 && used[r] == 0 {
			continue
		}
		for m := range mu {
			rb.Shape.Grades(mu[m:m+1], x[m:m+1], rb.Function(p, r, m))
		}
		piece, f := norm.Piece(mu), level()
		if f > mostLevel && f < 1 {
			return false
		}
		for m, v := range mu {
			for _, moved := range gradesNear(rb.Shape, x[m], rb.Function(p, r, m)) {
				if mu[m] = moved; norm.Piece(mu) != piece || !rb.LogSpace() && level() < mostFall*f {
					return false
				}
			}
			mu[m] = v
		}
	}
	return true
}

// gradesNear returns the grades of x with one parameter moved by twice the largest step of
// the finite differences, in either direction.
func gradesNear(shape membership.Function, x float64, p []float64) []float64 {
	var grades []float64
	for j, v := range p {
		for _, by := range []float64{-2, 2} {
			p[j] = v + by*stepFor(v)
			g := []float64{x}
			shape.Grades(g, g, p)
			grades = append(grades, g[0])
		}
		p[j] = v
	}
	return grades
}
