package loss

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Softmax is the cross-entropy of classes that exclude one another, with the outputs y as
// their logits:
//
//	L(y, t) = -sum_c t_c log p_c        p_c = e^(y_c) / sum_k e^(y_k)
//
// The targets t are 1 for the class of the sample and 0 for the others, or probabilities if
// labels are smoothed; they sum to 1. The largest output is subtracted from all of them, so
// that none overflows. Its metric is the mean, the log loss.
type Softmax struct{}

func init() { Register(Softmax{}) }

func (Softmax) Name() string { return "softmax" }

// Value computes the formula above, as sum_c t_c (log sum_k e^(s_k) - s_c) with s_c =
// y_c - max y.
func (Softmax) Value(y, t []float64) float64 {
	top, log := logSum(y)
	sum := 0.0
	for c, v := range y {
		if t[c] != 0 {
			sum += float64(t[c] * (log - (v - top)))
		}
	}
	return sum
}

// logSum returns the largest output and log sum_k e^(y_k - top).
func logSum(y []float64) (top, log float64) {
	top = y[0]
	for _, v := range y[1:] {
		top = max(top, v)
	}
	sum := 0.0
	for _, v := range y {
		sum += numeric.Exp(v - top)
	}
	return top, math.Log(sum)
}

// Gradient computes p_c - t_c.
func (Softmax) Gradient(dst, y, t []float64) {
	softmax.response(dst, y)
	for c, v := range t {
		dst[c] -= v
	}
}

func (Softmax) Expr(b Builder, y, t Term, C int) Term {
	s := b.Sub(y, b.RowMax(y))
	sum := b.Mul(b.Const(float64(C)), b.RowMeans(b.Exp(s)))
	return b.Mul(t, b.Sub(b.Log(sum), s))
}

func (Softmax) Link() Link { return softmax }

// Metric returns the mean, the log loss.
func (Softmax) Metric() Metric { return mean("log loss", false) }
