package membership

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// DSigmoid is the difference of two sigmoids, MATLAB's dsigmf with its parameters
// [a1 c1 a2 c2]. As in MATLAB it is the absolute value of the difference:
//
//	mu(x; p) = |f1 - f2|,  f = 1/(1 + exp(-u)),  u1 = a1 (x-c1),  u2 = a2 (x-c2)
//
// Equal slopes make a bump from c1 to c2; any real numbers are allowed. Where the
// slopes differ, the sigmoids cross once; mu is zero there and has a kink.
//
// Where the sigmoids are close, an identity avoids cancellation:
//
//	f1 - f2 = tanh((u1-u2)/2) (f(u1) f(-u2) + f(-u1) f(u2))
type DSigmoid struct{}

func init() { Register(DSigmoid{}) }

func (DSigmoid) Name() string    { return "dsigmoid" }
func (DSigmoid) Params() []Param { return twoSigmoids() }

// Place returns two increasing sigmoids, centered where a Gaussian with this spread has
// the grade 1/2, with its slope there. The grade at the center is 15/17.
func (DSigmoid) Place(center, spread float64) []float64 {
	a, w := flankSlope/spread, float64(halfWidth*spread)
	return []float64{a, center - w, a, center + w}
}

// Between returns increasing sigmoids centered at low and at high.
func (DSigmoid) Between(low, high, spread float64) []float64 {
	a := flankSlope / flankSpread(low, high, spread)
	return []float64{a, max(low, -far), a, min(high, far)}
}

// Grades computes the difference, or the identity above.
func (DSigmoid) Grades(dst, x, p []float64) {
	a1, c1, a2, c2 := p[0], p[1], p[2], p[3]
	var f1, g1, f2, g2 [block]float64
	for from := 0; from < len(x); from += block {
		part := x[from:min(from+block, len(x))]
		n := len(part)
		sigmoids(f1[:n], g1[:n], part, a1, c1)
		sigmoids(f2[:n], g2[:n], part, a2, c2)
		for i, v := range part {
			if d := float64(a1*(v-c1)) - float64(a2*(v-c2)); math.Abs(d) > 1 { // no cancellation
				dst[from+i] = math.Abs(float64(f1[i]*g2[i]) - float64(g1[i]*f2[i]))
			} else {
				dst[from+i] = math.Abs(numeric.Tanh(float64(0.5*d))) * (float64(f1[i]*g2[i]) + float64(g1[i]*f2[i]))
			}
		}
	}
}

// Gradients computes, with s the sign of u1-u2 and f' = f(u) f(-u),
//
//	dmu/da1 =  s f1' (x-c1)    dmu/dc1 = -s f1' a1
//	dmu/da2 = -s f2' (x-c2)    dmu/dc2 =  s f2' a2
//
// and zero at the kink, where u1 = u2 to within rounding.
func (DSigmoid) Gradients(dst [][]float64, x, p []float64) {
	a1, c1, a2, c2 := p[0], p[1], p[2], p[3]
	sigmoids(dst[0], dst[1], x, a1, c1)
	sigmoids(dst[2], dst[3], x, a2, c2)
	for i, v := range x {
		u1, u2 := float64(a1*(v-c1)), float64(a2*(v-c2))
		d1, d2 := dst[0][i]*dst[1][i], dst[2][i]*dst[3][i]
		rounding := 1e-15 * (math.Abs(a1) + math.Abs(a2)) * (math.Abs(v) + math.Abs(c1) + math.Abs(c2))
		switch {
		case math.Abs(u1-u2) <= rounding:
			d1, d2 = 0, 0
		case u1 < u2:
			d1, d2 = -d1, -d2
		}
		dst[0][i] = d1 * (v - c1)
		dst[1][i] = -d1 * a1
		dst[2][i] = -d2 * (v - c2)
		dst[3][i] = d2 * a2
	}
}

// Expr returns the identity on terms.
func (DSigmoid) Expr(b Builder, x Term, p []Term) Term {
	u1, u2 := sigmoidArguments(b, x, p)
	apart := b.Add(
		b.Mul(b.Sigmoid(u1), b.Sigmoid(b.Neg(u2))),
		b.Mul(b.Sigmoid(b.Neg(u1)), b.Sigmoid(u2)))
	return b.Mul(b.Abs(b.Tanh(b.Mul(b.Const(0.5), b.Sub(u1, u2)))), apart)
}

// Kinks returns the point where the sigmoids cross; none if the slopes are equal.
func (DSigmoid) Kinks(p []float64) []float64 {
	a1, c1, a2, c2 := p[0], p[1], p[2], p[3]
	k := c1 + a2*(c1-c2)/(a1-a2)
	if math.IsNaN(k) || math.IsInf(k, 0) {
		return nil
	}
	return []float64{k}
}
