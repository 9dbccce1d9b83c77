package membership

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Laplace is the two-sided exponential, the density of Laplace's distribution
// scaled to a peak of one:
//
//	mu(x; c, s) = exp(-|x-c| / s)
//
// It is positive everywhere and has a kink, its peak, at c. Its only constraint
// is s > 0.
type Laplace struct{}

func init() { Register(Laplace{}) }

func (Laplace) Name() string { return "laplace" }

func (Laplace) Params() []Param {
	return []Param{
		{Name: "c", Meaning: "center"},
		{Name: "s", Meaning: "distance over which the grade falls by the factor e", Kind: Spread},
	}
}

// Place returns c = center and s = spread sqrt(2/ln 2): as wide at grade 1/2 as a
// Gaussian of this standard deviation.
func (Laplace) Place(center, spread float64) []float64 {
	return []float64{center, halfWidth / math.Ln2 * spread}
}

func (l Laplace) Grades(dst, x, p []float64) {
	l.LogGrades(dst, x, p)
	kernel.Exp(dst, dst)
}

// LogGrades computes -|x-c| / s.
func (Laplace) LogGrades(dst, x, p []float64) {
	c, s := p[0], p[1]
	for i, v := range x {
		dst[i] = -math.Abs((v - c) / s)
	}
}

// Gradients computes, with z = (x-c)/s,
//
//	dmu/dc = mu sign(z) / s
//	dmu/ds = mu |z| / s
//
// and zero at the kink, x = c.
func (Laplace) Gradients(dst [][]float64, x, p []float64) {
	c, s := p[0], p[1]
	for i, v := range x {
		dst[0][i], dst[1][i] = 0, 0
		if v == c {
			continue
		}
		z := (v - c) / s
		d := numeric.Exp(-math.Abs(z)) / s
		dst[0][i] = math.Copysign(d, z)
		dst[1][i] = d * math.Abs(z)
	}
}

// LogGradients computes sign(z)/s and |z|/s, and zero at the kink.
func (Laplace) LogGradients(dst [][]float64, x, p []float64) {
	c, s := p[0], p[1]
	for i, v := range x {
		dst[0][i], dst[1][i] = 0, 0
		if v == c {
			continue
		}
		z := (v - c) / s
		dst[0][i] = math.Copysign(1/s, z)
		dst[1][i] = math.Abs(z) / s
	}
}

func (l Laplace) Expr(b Builder, x Term, p []Term) Term { return b.Exp(l.LogExpr(b, x, p)) }

func (Laplace) LogExpr(b Builder, x Term, p []Term) Term {
	c, s := p[0], p[1]
	return b.Neg(b.Abs(b.Div(b.Sub(x, c), s)))
}

// Kinks returns c.
func (Laplace) Kinks(p []float64) []float64 { return p[:1:1] }
