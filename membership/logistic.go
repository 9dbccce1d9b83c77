package membership

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
)

// block is the number of points that a shape computes at a time if it needs memory: small
// arrays stay on the stack.
const block = 64

// halfWidth is the point where the Gaussian with sigma = 1 has the grade 1/2: sqrt(2 ln
// 2). Smooth shapes are placed with the grade 1/2 at the same point, so that they start
// about as wide as a Gaussian on the same cluster.
const halfWidth = 1.1774100225154747

// flankSlope is the slope parameter, for a spread of one, of a sigmoid as steep at its
// center as a Gaussian at grade 1/2: 2 sqrt(2 ln 2).
const flankSlope = 2 * halfWidth

// logistic writes 1/(1+e^-u) to dst, to full relative precision on both sides. dst
// may be u.
func logistic(dst, u []float64) {
	var minus [block]float64
	for from := 0; from < len(u); from += block {
		part := u[from:min(from+block, len(u))]
		logistics(dst[from:from+len(part)], minus[:len(part)], part)
	}
}

// sigmoid is logistic for a number.
func sigmoid(u float64) float64 {
	v := [1]float64{u}
	logistic(v[:], v[:])
	return v[0]
}

// logistics writes the logistic function of u to at, which may be u, and that of -u to
// atMinus. It computes one exponential for both and avoids branches, which would be hard
// to predict.
func logistics(at, atMinus, u []float64) {
	at, atMinus = at[:len(u)], atMinus[:len(u)]
	for i, v := range u {
		atMinus[i] = -math.Abs(v)
	}
	kernel.Exp(atMinus, atMinus)
	for i, v := range u {
		e := atMinus[i]
		large := 1 / (1 + e)
		l, s := math.Float64bits(large), math.Float64bits(e*large)
		swap := (l ^ s) & uint64(int64(math.Float64bits(v))>>63)
		at[i], atMinus[i] = math.Float64frombits(l^swap), math.Float64frombits(s^swap)
	}
}

// logLogistic replaces u by log(1/(1+e^-u)). Its absolute error, which is the relative
// error of the grade, is about one rounding. It does not overflow.
func logLogistic(u []float64) {
	var far [block]float64
	for ; len(u) > 0; u = u[min(block, len(u)):] {
		part := u[:min(block, len(u))]
		far := far[:len(part)]
		for i, v := range part {
			far[i] = -math.Abs(v)
		}
		kernel.Exp(far, far)
		for i := range far {
			far[i]++
		}
		kernel.Log(far, far)
		for i, v := range part {
			part[i] = negative(v) - far[i]
		}
	}
}

// logLogisticTerm returns logLogistic on terms, as -n - log(1+e^-|u|) with
// n = relu(-u) and |u| = u+2n. This form has the right derivative at u = 0, too, where
// that of n, and so of |u|, is the right-hand one.
func logLogisticTerm(b Builder, u Term) Term {
	n := b.Relu(b.Neg(u))
	far := b.Exp(b.Neg(b.Add(u, b.Mul(b.Const(2), n))))
	return b.Neg(b.Add(n, b.Log(b.Add(b.Const(1), far))))
}

// sigmoids writes the logistic function of a (x-c) to at, and that of its negative
// to atMinus.
func sigmoids(at, atMinus, x []float64, a, c float64) {
	for i, v := range x {
		at[i] = a * (v - c)
	}
	logistics(at[:len(x)], atMinus, at[:len(x)])
}

// scale multiplies v by s.
func scale(v []float64, s float64) {
	for i := range v {
		v[i] *= s
	}
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

// sigmoidArguments returns a1 (x-c1) and a2 (x-c2) on terms.
func sigmoidArguments(b Builder, x Term, p []Term) (u1, u2 Term) {
	a1, c1, a2, c2 := p[0], p[1], p[2], p[3]
	return b.Mul(a1, b.Sub(x, c1)), b.Mul(a2, b.Sub(x, c2))
}
