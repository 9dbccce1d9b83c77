package membership

import "math"

// halfWidth is where the Gaussian with sigma = 1 has the grade 1/2: sqrt(2 ln 2).
// Smooth shapes are placed to have the grade 1/2 there too, so that every one of
// them starts about as wide as a Gaussian on the same cluster.
const halfWidth = 1.1774100225154747

// flankSlope is the slope of a sigmoid, for a spread of one, that rises at its
// center as a Gaussian does at grade 1/2: 2 sqrt(2 ln 2).
const flankSlope = 2 * halfWidth

// logistic returns 1/(1+e^-u), to full relative precision on both sides.
func logistic(u float64) float64 {
	f, _ := logistics(u)
	return f
}

// logistics returns the logistic function at u and at -u, from one exponential and
// without a branch, which the signs of u would make hard to predict.
func logistics(u float64) (at, atMinus float64) {
	e := math.Exp(-math.Abs(u))
	large := 1 / (1 + e)
	l, s := math.Float64bits(large), math.Float64bits(e*large)
	swap := (l ^ s) & uint64(int64(math.Float64bits(u))>>63)
	return math.Float64frombits(l ^ swap), math.Float64frombits(s ^ swap)
}

// logLogistic returns log(1/(1+e^-u)), with the absolute error of a rounding, which
// is the relative error of the grade. It overflows for no u.
func logLogistic(u float64) float64 {
	return min(u, 0) - math.Log(1+math.Exp(-math.Abs(u)))
}

// logLogisticTerm states logLogistic on terms, as -n - log(1+e^-|u|) with
// n = relu(-u) and |u| = u+2n. In this form the derivative is right at u = 0 too,
// where that of n, and so of |u|, is taken from the right.
func logLogisticTerm(b Builder, u Term) Term {
	n := b.Relu(b.Neg(u))
	far := b.Exp(b.Neg(b.Add(u, b.Mul(b.Const(2), n))))
	return b.Neg(b.Add(n, b.Log(b.Add(b.Const(1), far))))
}

// twoSigmoids describes a1, c1, a2 and c2.
func twoSigmoids() []Param {
	return []Param{
		{Name: "a1", Meaning: "slope of the first sigmoid", Kind: Slope},
		{Name: "c1", Meaning: "center of the first sigmoid"},
		{Name: "a2", Meaning: "slope of the second sigmoid", Kind: Slope},
		{Name: "c2", Meaning: "center of the second sigmoid"},
	}
}

// sigmoidArguments states a1 (x-c1) and a2 (x-c2) on terms.
func sigmoidArguments(b Builder, x Term, p []Term) (u1, u2 Term) {
	a1, c1, a2, c2 := p[0], p[1], p[2], p[3]
	return b.Mul(a1, b.Sub(x, c1)), b.Mul(a2, b.Sub(x, c2))
}
