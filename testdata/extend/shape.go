package main

import (
	"math"

	"github.com/tskgraph/tskgraph/membership"
)

// Sech is a bell with the tails of the Laplace distribution and a smooth top:
//
//	mu(x; c, s) = 1 / cosh((x-c)/s)
//
// It is positive everywhere, so that it has logarithms, and with the derivatives of these it trains on the fused engine.
type Sech struct{}

func init() { membership.Register(Sech{}) }

// Name returns "sech".
func (Sech) Name() string { return "sech" }

// Params returns c and s.
func (Sech) Params() []membership.Param {
	return []membership.Param{
		{Name: "c", Meaning: "center"},
		{Name: "s", Meaning: "width", Kind: membership.Spread},
	}
}

// Place returns c = center and s = spread, which is near a Gaussian with this spread at its top.
func (Sech) Place(center, spread float64) []float64 { return []float64{center, spread} }

// Grades computes the formula above.
func (h Sech) Grades(dst, x, p []float64) {
	h.LogGrades(dst, x, p)
	for i, v := range dst {
		dst[i] = math.Exp(v)
	}
}

// LogGrades computes -log cosh((x-c)/s).
func (Sech) LogGrades(dst, x, p []float64) {
	for i, v := range x {
		dst[i] = -logCosh((v - p[0]) / p[1])
	}
}

// Gradients computes, with z = (x-c)/s,
//
//	dmu/dc = mu tanh(z) / s
//	dmu/ds = mu z tanh(z) / s
func (h Sech) Gradients(dst [][]float64, x, p []float64) {
	h.LogGradients(dst, x, p)
	for i, v := range x {
		mu := math.Exp(-logCosh((v - p[0]) / p[1]))
		dst[0][i], dst[1][i] = mu*dst[0][i], mu*dst[1][i]
	}
}

// LogGradients computes the derivatives above over mu.
func (Sech) LogGradients(dst [][]float64, x, p []float64) {
	for i, v := range x {
		z := (v - p[0]) / p[1]
		d := math.Tanh(z) / p[1]
		dst[0][i], dst[1][i] = d, z*d
	}
}

// Expr states the formula on terms.
func (h Sech) Expr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return b.Exp(h.LogExpr(b, x, p))
}

// LogExpr states the formula's logarithm on terms.
func (Sech) LogExpr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return b.Neg(logCoshTerm(b, b.Div(b.Sub(x, p[0]), p[1])))
}
