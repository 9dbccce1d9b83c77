package membership

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
)

// GBell is the generalised bell, MATLAB's gbellmf with its parameters [a b c]:
//
//	mu(x; a, b, c) = 1 / (1 + |(x-c)/a|^(2b))
//
// The grade is 1/2 at c-a and c+a, where the slope is b/(2a); for large b the bell
// approaches a box. It is positive everywhere. a > 0, and b is an [Exponent], at least
// 1/2: a smaller b would give a cusp at c with an unbounded derivative.
//
// With L = 2b log|(x-c)/a|, the grade is computed as the logistic function of -L, so that
// no power overflows.
type GBell struct{}

func init() { Register(GBell{}) }

func (GBell) Name() string { return "gbell" }

func (GBell) Params() []Param {
	return []Param{
		{Name: "a", Meaning: "half width at grade 1/2", Kind: Spread},
		{Name: "b", Meaning: "steepness of the flanks", Kind: Exponent},
		{Name: "c", Meaning: "center"},
	}
}

// Place returns a = sqrt(2 ln 2) spread, which makes the bell as wide at grade 1/2
// as a Gaussian of this standard deviation, b = 2 as in MATLAB's genfis, and
// c = center.
func (GBell) Place(center, spread float64) []float64 {
	return []float64{halfWidth * spread, 2, center}
}

func (g GBell) Grades(dst, x, p []float64) {
	g.logDistance(dst, x, p)
	scale(dst, -2*p[1])
	logistic(dst, dst)
}

// logDistance computes log|(x-c)/a|.
func (GBell) logDistance(dst, x, p []float64) {
	a, c := p[0], p[2]
	for i, v := range x {
		dst[i] = math.Abs((v - c) / a)
	}
	kernel.Log(dst, dst)
}

// LogGrades computes -log(1 + e^L).
func (g GBell) LogGrades(dst, x, p []float64) {
	g.logDistance(dst, x, p)
	scale(dst, -2*p[1])
	logLogistic(dst)
}

// Gradients computes
//
//	dmu/da = mu (1-mu) 2b/a
//	dmu/db = -mu (1-mu) 2 log|(x-c)/a|
//	dmu/dc = mu (1-mu) 2b/(x-c)
//
// and zero, the limit for b > 1/2, at x = c.
func (g GBell) Gradients(dst [][]float64, x, p []float64) {
	g.LogGradients(dst, x, p)
	var mu [block]float64
	for from := 0; from < len(x); from += block {
		part := x[from:min(from+block, len(x))]
		g.Grades(mu[:len(part)], part, p)
		for _, d := range dst {
			for i := range part {
				d[from+i] *= mu[i]
			}
		}
	}
}

// LogGradients computes Gradients without the factor mu.
func (g GBell) LogGradients(dst [][]float64, x, p []float64) {
	a, b, c := p[0], p[1], p[2]
	byA, byB, byC := dst[0], dst[1], dst[2]
	g.logDistance(byB, x, p)
	for i, l := range byB {
		byA[i] = 2 * b * l
	}
	logistics(byA, byC, byA)
	for i, v := range x {
		if v == c {
			byA[i], byB[i], byC[i] = 0, 0, 0
			continue
		}
		d := 2 * byA[i] // 2 (1-mu)
		byA[i] = d * b / a
		byB[i] *= -d
		byC[i] = d * b / (v - c)
	}
}

func (g GBell) Expr(t Builder, x Term, p []Term) Term {
	return t.Sigmoid(g.minusL(t, x, p))
}

func (g GBell) LogExpr(t Builder, x Term, p []Term) Term {
	return logLogisticTerm(t, g.minusL(t, x, p))
}

// minusL returns -L on terms. Distances below 1e-300 count as 1e-300, which gives the grade
// one and zero derivatives and avoids the logarithm of zero.
func (GBell) minusL(t Builder, x Term, p []Term) Term {
	a, b, c := p[0], p[1], p[2]
	z := t.Max(t.Abs(t.Div(t.Sub(x, c), a)), t.Const(1e-300))
	return t.Mul(t.Mul(t.Const(-2), b), t.Log(z))
}

// Kinks returns c for b < 1, where the second derivative is unbounded and, at
// b = 1/2, the first jumps.
func (GBell) Kinks(p []float64) []float64 {
	if b, c := p[1], p[2]; b < 1 {
		return []float64{c}
	}
	return nil
}
