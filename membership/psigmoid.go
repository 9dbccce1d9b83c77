package membership

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
)

// PSigmoid is the product of two sigmoids, MATLAB's psigmf with its parameters
// [a1 c1 a2 c2]:
//
//	mu(x; p) = 1/(1 + exp(-a1 (x-c1))) * 1/(1 + exp(-a2 (x-c2)))
//
// Slopes of opposite sign, a1 > 0 > a2, make a bump from c1 to c2; any real
// numbers are allowed, as in MATLAB. It is smooth and positive everywhere.
type PSigmoid struct{}

func init() { Register(PSigmoid{}) }

func (PSigmoid) Name() string    { return "psigmoid" }
func (PSigmoid) Params() []Param { return twoSigmoids() }

// Place returns sigmoids centered where a Gaussian with this spread has the grade 1/2,
// with its slope there, a1 > 0 > a2. The grade at the center is (16/17)^2.
func (PSigmoid) Place(center, spread float64) []float64 {
	a, w := flankSlope/spread, float64(halfWidth*spread)
	return []float64{a, center - w, -a, center + w}
}

// Between returns sigmoids centered at low and at high.
func (PSigmoid) Between(low, high, spread float64) []float64 {
	a := flankSlope / flankSpread(low, high, spread)
	return []float64{a, max(low, -far), -a, min(high, far)}
}

// Grades computes the product above.
func (PSigmoid) Grades(dst, x, p []float64) {
	a1, c1, a2, c2 := p[0], p[1], p[2], p[3]
	var f1, f2, unused [block]float64
	for from := 0; from < len(x); from += block {
		part := x[from:min(from+block, len(x))]
		n := len(part)
		sigmoids(f1[:n], unused[:n], part, a1, c1)
		sigmoids(f2[:n], unused[:n], part, a2, c2)
		for i, f := range f1[:n] {
			dst[from+i] = f * f2[i]
		}
	}
}

// LogGrades computes the sum of the logarithms of both sigmoids, as in logLogistic
// but with one logarithm.
func (PSigmoid) LogGrades(dst, x, p []float64) {
	a1, c1, a2, c2 := p[0], p[1], p[2], p[3]
	var near, far1, far2 [block]float64
	for from := 0; from < len(x); from += block {
		part := x[from:min(from+block, len(x))]
		n := len(part)
		for i, v := range part {
			u1, u2 := a1*(v-c1), a2*(v-c2)
			near[i] = negative(u1) + negative(u2)
			far1[i], far2[i] = -math.Abs(u1), -math.Abs(u2)
		}
		kernel.Exp(far1[:n], far1[:n])
		kernel.Exp(far2[:n], far2[:n])
		for i, e := range far1[:n] {
			far1[i] = (1 + e) * (1 + far2[i])
		}
		kernel.Log(far1[:n], far1[:n])
		for i, l := range far1[:n] {
			dst[from+i] = near[i] - l
		}
	}
}

// negative returns min(u, 0) without a branch or a call; NaN may become 0.
func negative(u float64) float64 {
	bits := math.Float64bits(u)
	return math.Float64frombits(bits & uint64(int64(bits)>>63))
}

// Gradients computes, with f1 and f2 the two sigmoids,
//
//	dmu/da1 = mu (1-f1) (x-c1)    dmu/dc1 = -mu (1-f1) a1
//	dmu/da2 = mu (1-f2) (x-c2)    dmu/dc2 = -mu (1-f2) a2
func (k PSigmoid) Gradients(dst [][]float64, x, p []float64) { k.gradients(dst, x, p, true) }

// LogGradients computes Gradients without the factor mu.
func (k PSigmoid) LogGradients(dst [][]float64, x, p []float64) { k.gradients(dst, x, p, false) }

func (PSigmoid) gradients(dst [][]float64, x, p []float64, ofGrade bool) {
	a1, c1, a2, c2 := p[0], p[1], p[2], p[3]
	sigmoids(dst[0], dst[1], x, a1, c1)
	sigmoids(dst[2], dst[3], x, a2, c2)
	for i, v := range x {
		d1, d2 := dst[1][i], dst[3][i]
		if ofGrade {
			mu := dst[0][i] * dst[2][i]
			d1, d2 = mu*d1, mu*d2
		}
		dst[0][i] = d1 * (v - c1)
		dst[1][i] = -d1 * a1
		dst[2][i] = d2 * (v - c2)
		dst[3][i] = -d2 * a2
	}
}

// Expr returns the product on terms.
func (PSigmoid) Expr(b Builder, x Term, p []Term) Term {
	u1, u2 := sigmoidArguments(b, x, p)
	return b.Mul(b.Sigmoid(u1), b.Sigmoid(u2))
}

// LogExpr returns the logarithm of the product on terms.
func (PSigmoid) LogExpr(b Builder, x Term, p []Term) Term {
	u1, u2 := sigmoidArguments(b, x, p)
	return b.Add(logLogisticTerm(b, u1), logLogisticTerm(b, u2))
}
