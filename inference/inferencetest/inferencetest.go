// Package inferencetest tests t-norms and defuzzifications against the contracts of [inference.TNorm] and
// [inference.Defuzzification]. One line tests one of any module:
//
//	func TestSharp(t *testing.T) { inferencetest.Defuzzification(t, Sharp{}) }
package inferencetest

import (
	"fmt"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
)

// TNorm tests a t-norm: values in [0, 1], whatever the order of the grades and whether some are one; its expression, its
// derivatives by differences, and for an [inference.LogTNorm] the same of logarithms.
func TNorm(t *testing.T, n inference.TNorm) {
	t.Helper()
	for _, fault := range normFaults(n) {
		t.Error(fault)
	}
}

// Defuzzification tests a defuzzification: log weights that increase with the firing level, their expression and
// derivative, zero for a rule that does not fire, and the same weights from levels and from logarithms.
func Defuzzification(t *testing.T, d inference.Defuzzification) {
	t.Helper()
	for _, fault := range weightFaults(d) {
		t.Error(fault)
	}
}

// samples are grades without ties, away from the kinks of the t-norms.
var samples = [][]float64{{0.9}, {0.8, 0.7}, {0.3, 0.9}, {0.97, 0.85, 0.91}, {0.2, 0.4, 0.6, 0.5}, {0, 0.7}, {1, 0.4}, {1, 1, 0.3}}

// join returns T of grades.
func join(n inference.TNorm, mu []float64) float64 {
	f := []float64{1}
	for m := range mu {
		n.Join(f, mu[m:m+1])
	}
	return f[0]
}

// normFaults returns the violations of the contract by a t-norm.
func normFaults(n inference.TNorm) (found []string) {
	fault := func(format string, a ...any) { found = append(found, fmt.Sprintf(format, a...)) }
	const h = 1e-6
	for _, mu := range samples {
		f := join(n, mu)
		reversed := make([]float64, len(mu))
		for m, v := range mu {
			reversed[len(mu)-1-m] = v
		}
		if !(f >= 0 && f <= 1) || math.Abs(join(n, reversed)-f) > 1e-15 || math.Abs(join(n, append([]float64{1}, mu...))-f) > 1e-15 {
			fault("T%v = %v, reversed %v, with one %v", mu, f, join(n, reversed), join(n, append([]float64{1}, mu...)))
		}
		expr := mu[0]
		for _, v := range mu[1:] {
			expr = membership.Evaluate(shape(n.Expr), expr, []float64{v})
		}
		if math.Abs(expr-f) > 1e-15 {
			fault("expression %v, value %v of %v", expr, f, mu)
		}
		by := make([]float64, len(mu))
		n.Gradient(by, mu)
		for m, v := range mu {
			moved := append([]float64(nil), mu...)
			moved[m] = v + h
			up := join(n, moved)
			if n.Piece(moved) != n.Piece(mu) {
				fault("another piece near %v", mu)
			}
			moved[m] = v - h
			if slope := (up - join(n, moved)) / (2 * h); math.Abs(by[m]-slope) > 1e-8 {
				fault("derivative %d of T%v is %v, by a difference %v", m, mu, by[m], slope)
			}
		}
		if log, ok := n.(inference.LogTNorm); ok && f > 0 {
			found = append(found, logFaults(log, mu, f, by)...)
		}
	}
	return found
}

// logFaults compares a t-norm of logarithms with T(mu) = f and its derivatives.
func logFaults(n inference.LogTNorm, mu []float64, f float64, by []float64) (found []string) {
	z, level, expr := make([]float64, len(mu)), []float64{0}, 0.0
	for m, v := range mu {
		z[m] = math.Log(v)
		n.JoinLogs(level, z[m:m+1])
		expr = membership.Evaluate(shape(n.LogExpr), expr, []float64{z[m]})
	}
	if math.Abs(math.Exp(level[0])-f) > 1e-14 || math.Abs(expr-level[0]) > 1e-14 {
		found = append(found, fmt.Sprintf("log T%v is %v, as an expression %v; T is %v", mu, level[0], expr, f))
	}
	logBy := make([]float64, len(mu))
	n.LogGradient(logBy, z)
	for m, d := range logBy {
		if want := by[m] * mu[m] / f; math.Abs(d-want) > 1e-12 {
			found = append(found, fmt.Sprintf("derivative %d of log T%v is %v, want %v", m, mu, d, want))
		}
	}
	return found
}

// weightFaults returns the violations of the contract by a defuzzification.
func weightFaults(d inference.Defuzzification) (found []string) {
	fault := func(format string, a ...any) { found = append(found, fmt.Sprintf(format, a...)) }
	last := math.Inf(-1)
	if w := d.LogWeight(last, 3); !math.IsInf(w, -1) || math.IsNaN(d.Gradient(last, 3)*0) {
		fault("at minus infinity %v, derivative %v", w, d.Gradient(last, 3))
	}
	for _, z := range []float64{-1e300, -900, -20, -3, -0.5, -1e-3, 0} {
		w := d.LogWeight(z, 7)
		if !(w > last) || math.IsInf(w, 0) {
			fault("log weight %v at %v, %v before it", w, z, last)
		}
		last = w
		expr := membership.Evaluate(shape(func(b membership.Builder, z, _ membership.Term) membership.Term { return d.Expr(b, z, 7) }),
			z, []float64{0})
		if math.Abs(expr-w) > 1e-14*math.Abs(w) {
			fault("expression %v, log weight %v at %v", expr, w, z)
		}
		if z == 0 || z < -1e3 {
			continue
		}
		h := 1e-6 * -z
		if slope := (d.LogWeight(z+h, 7) - d.LogWeight(z-h, 7)) / (2 * h); math.Abs(d.Gradient(z, 7)-slope) > 1e-7*(1+math.Abs(slope)) {
			fault("derivative %v at %v, by a difference %v", d.Gradient(z, 7), z, slope)
		}
	}
	for _, f := range []float64{1e-9, 0.03, 0.4, 0.99} {
		weight, log := []float64{f}, []float64{math.Log(f)}
		inference.Weigh(d, weight, 7, false)
		inference.Weigh(d, log, 7, true)
		if math.Abs(weight[0]-math.Exp(log[0])) > 1e-12*weight[0] {
			fault("weight %v of %v, by logarithms %v", weight[0], f, math.Exp(log[0]))
		}
		plain, logs := inference.WeightGradient(d, f, 7, false), inference.WeightGradient(d, math.Log(f), 7, true)
		if want := logs * weight[0] / f; math.Abs(plain-want) > 1e-12*want {
			fault("dw/df %v at %v, by logarithms %v", plain, f, want)
		}
	}
	none := []float64{0}
	if inference.Weigh(d, none, 7, false); none[0] != 0 {
		fault("weight %v of a rule that does not fire", none[0])
	}
	return found
}

// shape evaluates an expression of two terms as that of a shape with one parameter.
type shape func(b membership.Builder, x, y membership.Term) membership.Term

func (s shape) Name() string                 { return "" }
func (s shape) Params() []membership.Param   { return nil }
func (s shape) Place(_, _ float64) []float64 { return nil }
func (s shape) Grades(_, _, _ []float64)     {}
func (s shape) Expr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return s(b, x, p[0])
}
