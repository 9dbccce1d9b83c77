package membership

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Gaussian is the bell of the paper's equation (8):
//
//	mu(x; c, sigma) = exp(-(x-c)^2 / (2 sigma^2))
//
// It is smooth and, before rounding, positive everywhere. Its only constraint
// is sigma > 0.
type Gaussian struct{}

func init() { Register(Gaussian{}) }

func (Gaussian) Name() string { return "gaussian" }

func (Gaussian) Params() []Param {
	return []Param{
		{Name: "c", Meaning: "center"},
		{Name: "sigma", Meaning: "standard deviation", Kind: Spread},
	}
}

// Place returns c = center, sigma = spread.
func (Gaussian) Place(center, spread float64) []float64 { return []float64{center, spread} }

func (g Gaussian) Grades(dst, x, p []float64) {
	g.LogGrades(dst, x, p)
	kernel.Exp(dst, dst)
}

// LogGrades computes -(x-c)^2 / (2 sigma^2).
func (Gaussian) LogGrades(dst, x, p []float64) {
	c, k := p[0], math.Sqrt2/2/p[1]
	for i, v := range x {
		z := (v - c) * k
		dst[i] = -z * z
	}
}

// Gradients computes, with z = (x-c)/sigma,
//
//	dmu/dc     = mu z / sigma
//	dmu/dsigma = mu z^2 / sigma
func (g Gaussian) Gradients(dst [][]float64, x, p []float64) {
	c, sigma := p[0], p[1]
	for i, v := range x {
		z := (v - c) / sigma
		d := numeric.Exp(-0.5*(z*z)) * z / sigma
		dst[0][i] = d
		dst[1][i] = d * z
	}
}

// LogGradients computes z/sigma and z^2/sigma.
func (Gaussian) LogGradients(dst [][]float64, x, p []float64) {
	c, sigma := p[0], p[1]
	for i, v := range x {
		z := (v - c) / sigma
		dst[0][i] = z / sigma
		dst[1][i] = z * z / sigma
	}
}

func (g Gaussian) Expr(b Builder, x Term, p []Term) Term { return b.Exp(g.LogExpr(b, x, p)) }

func (Gaussian) LogExpr(b Builder, x Term, p []Term) Term {
	c, sigma := p[0], p[1]
	z := b.Div(b.Sub(x, c), sigma)
	return b.Mul(b.Const(-0.5), b.Square(z))
}
