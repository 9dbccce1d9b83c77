package membership

import "github.com/tskgraph/tskgraph/internal/base/kernel"

// Cauchy is the rational bell, the density of Cauchy's distribution scaled to a
// peak of one:
//
//	mu(x; c, s) = 1 / (1 + ((x-c)/s)^2)
//
// It is smooth and positive everywhere, with tails that decrease as 1/x^2. Its only
// constraint is s > 0. It is the [GBell] with a = s and b = 1.
type Cauchy struct{}

func init() { Register(Cauchy{}) }

func (Cauchy) Name() string { return "cauchy" }

func (Cauchy) Params() []Param {
	return []Param{
		{Name: "c", Meaning: "center"},
		{Name: "s", Meaning: "half width at grade 1/2", Kind: Spread},
	}
}

// Place returns c = center and s = spread: somewhat narrower at grade 1/2 than a
// Gaussian of this standard deviation, with far longer tails.
func (Cauchy) Place(center, spread float64) []float64 { return []float64{center, spread} }

func (Cauchy) Grades(dst, x, p []float64) {
	c, s := p[0], p[1]
	for i, v := range x {
		z := (v - c) / s
		dst[i] = 1 / (1 + float64(z*z))
	}
}

// LogGrades computes -log(1 + ((x-c)/s)^2).
func (Cauchy) LogGrades(dst, x, p []float64) {
	c, s := p[0], p[1]
	for i, v := range x {
		z := (v - c) / s
		dst[i] = 1 + float64(z*z) // its rounding is relative to the grade
	}
	kernel.Log(dst, dst)
	scale(dst, -1)
}

// Gradients computes, with z = (x-c)/s,
//
//	dmu/dc = 2 mu^2 z / s
//	dmu/ds = 2 mu^2 z^2 / s
func (Cauchy) Gradients(dst [][]float64, x, p []float64) {
	c, s := p[0], p[1]
	for i, v := range x {
		z := (v - c) / s
		mu := 1 / (1 + float64(z*z))
		d := 2 * mu * (mu * z) / s
		dst[0][i] = d
		dst[1][i] = d * z
	}
}

// LogGradients computes 2 mu z / s and 2 mu z^2 / s.
func (Cauchy) LogGradients(dst [][]float64, x, p []float64) {
	c, s := p[0], p[1]
	for i, v := range x {
		z := (v - c) / s
		d := 2 / (1 + float64(z*z)) * z / s
		dst[0][i] = d
		dst[1][i] = d * z
	}
}

func (k Cauchy) Expr(b Builder, x Term, p []Term) Term {
	return b.Div(b.Const(1), k.reciprocal(b, x, p))
}

func (k Cauchy) LogExpr(b Builder, x Term, p []Term) Term {
	return b.Neg(b.Log(k.reciprocal(b, x, p)))
}

// reciprocal returns 1/mu, which is at least one.
func (Cauchy) reciprocal(b Builder, x Term, p []Term) Term {
	c, s := p[0], p[1]
	return b.Add(b.Const(1), b.Square(b.Div(b.Sub(x, c), s)))
}
