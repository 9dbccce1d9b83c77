package membership

import (
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Gauss2 is the two-sided Gaussian, MATLAB's gauss2mf with its parameters
// [sig1 c1 sig2 c2]: the product of a left flank and a right flank,
//
//	left(x)  = exp(-(x-c1)^2 / (2 sig1^2)) for x < c1, else 1
//	right(x) = exp(-(x-c2)^2 / (2 sig2^2)) for x > c2, else 1
//
// With c1 <= c2 it is one between them. As in MATLAB c1 may exceed c2; then both
// flanks apply in between and the grade is below one. The only constraints are
// sig1 > 0 and sig2 > 0.
//
// It is positive everywhere and has no kinks: at c1 and c2 only the second
// derivative jumps.
type Gauss2 struct{}

func init() { Register(Gauss2{}) }

func (Gauss2) Name() string { return "gauss2" }

func (Gauss2) Params() []Param {
	return []Param{
		{Name: "sig1", Meaning: "standard deviation of the left flank", Kind: Spread},
		{Name: "c1", Meaning: "where the left flank ends"},
		{Name: "sig2", Meaning: "standard deviation of the right flank", Kind: Spread},
		{Name: "c2", Meaning: "where the right flank begins"},
	}
}

// Place returns the Gaussian: c1 = c2 = center, sig1 = sig2 = spread.
func (Gauss2) Place(center, spread float64) []float64 {
	return []float64{spread, center, spread, center}
}

// Between returns flanks with this spread that have the grade 1/2 at low and at high.
func (Gauss2) Between(low, high, spread float64) []float64 {
	sig := flankSpread(low, high, spread)
	w := float64(halfWidth * sig)
	return []float64{sig, max(low+w, -far), sig, min(high-w, far)}
}

// Grades computes the product above.
func (g Gauss2) Grades(dst, x, p []float64) {
	g.LogGrades(dst, x, p)
	kernel.Exp(dst, dst)
}

// flanks returns the distances, in standard deviations, of x from c1 on the left flank
// and from c2 on the right flank; zero off the flank.
func (Gauss2) flanks(x float64, p []float64) (left, right float64) {
	sig1, c1, sig2, c2 := p[0], p[1], p[2], p[3]
	return numeric.Positive((c1 - x) / sig1), numeric.Positive((x - c2) / sig2)
}

// LogGrades computes the sum of -z^2/2 over both flanks.
func (g Gauss2) LogGrades(dst, x, p []float64) {
	for i, v := range x {
		left, right := g.flanks(v, p)
		dst[i] = -0.5 * (float64(left*left) + float64(right*right))
	}
}

// Gradients computes, with z the distance along a flank in standard deviations,
//
//	dmu/dsig1 = mu z1^2 / sig1     dmu/dc1 = -mu z1 / sig1
//	dmu/dsig2 = mu z2^2 / sig2     dmu/dc2 =  mu z2 / sig2
func (g Gauss2) Gradients(dst [][]float64, x, p []float64) { g.gradients(dst, x, p, true) }

// LogGradients computes Gradients without the factor mu.
func (g Gauss2) LogGradients(dst [][]float64, x, p []float64) { g.gradients(dst, x, p, false) }

func (g Gauss2) gradients(dst [][]float64, x, p []float64, ofGrade bool) {
	sig1, sig2, mu := p[0], p[2], 1.0
	for i, v := range x {
		left, right := g.flanks(v, p)
		if ofGrade {
			mu = numeric.Exp(-0.5 * (float64(left*left) + float64(right*right)))
		}
		dst[0][i] = mu * left * left / sig1
		dst[1][i] = -mu * left / sig1
		dst[2][i] = mu * right * right / sig2
		dst[3][i] = mu * right / sig2
	}
}

// Expr returns the product on terms.
func (g Gauss2) Expr(b Builder, x Term, p []Term) Term { return b.Exp(g.LogExpr(b, x, p)) }

// LogExpr returns the logarithm of the product on terms.
func (Gauss2) LogExpr(b Builder, x Term, p []Term) Term {
	sig1, c1, sig2, c2 := p[0], p[1], p[2], p[3]
	left := b.Relu(b.Div(b.Sub(c1, x), sig1))
	right := b.Relu(b.Div(b.Sub(x, c2), sig2))
	return b.Mul(b.Const(-0.5), b.Add(b.Square(left), b.Square(right)))
}
