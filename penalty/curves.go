package penalty

import "github.com/tskgraph/tskgraph/internal/base/kernel"

// Curves shrinks the curves of the consequents: their mean over the rules towards zero, and
// each rule's towards that mean,
//
//	P(V) = Lambda/2 sum_q v_q^2 + Deviation/2 sum_q sum_r (V_{r,q} - v_q)^2
//	v_q = 1/C sum_r V_{r,q}
//
// with C = R, or C = 1 for curves that all rules share, which have no deviation.
type Curves struct {
	Lambda, Deviation float64
}

func init() {
	Register(Curves{Lambda: 0.05, Deviation: 0.2},
		weight("curve_l2", 0.01, "penalty of the curves (model.curves), 0 or more",
			func(p Penalty, v float64) Penalty { return Curves{v, p.(Curves).Deviation} }),
		weight("curve_deviation_l2", 0.003, "penalty of the deviations of rules' own curves from their mean, 0 or more",
			func(p Penalty, v float64) Penalty { return Curves{p.(Curves).Lambda, v} }))
}

func (Curves) Name() string { return "curves" }
func (Curves) Of() Part     { return OnCurves }

// Weight returns the larger of Lambda and Deviation.
func (c Curves) Weight() float64 { return max(c.Lambda, c.Deviation) }

func (c Curves) Value(v []float64, C int) float64 {
	means, deviations := 0.0, 0.0
	for ; len(v) > 0; v = v[C:] {
		mean := mean(v[:C])
		means += float64(mean * mean)
		for _, value := range v[:C] {
			deviations += float64((value - mean) * (value - mean))
		}
	}
	return float64(c.Lambda/2*means) + float64(c.Deviation/2*deviations)
}

// mean returns the mean of at least one value.
func mean(v []float64) float64 {
	sum := 0.0
	for _, value := range v {
		sum += value
	}
	return sum / float64(len(v))
}

// Gradient computes Lambda v_q / C + Deviation (V_{r,q} - v_q); the derivatives of the
// second part through the mean sum to zero.
func (c Curves) Gradient(dst, v []float64, C int) {
	for ; len(v) > 0; dst, v = dst[C:], v[C:] {
		mean := mean(v[:C])
		for r, value := range v[:C] {
			dst[r] = float64(c.Lambda/float64(C)*mean) + float64(c.Deviation*(value-mean))
		}
	}
}

// Kernel returns the values themselves as the direction if C is one.
func (c Curves) Kernel(memory, v []float64, C int) (value, factor float64, direction []float64) {
	if C == 1 {
		return c.Lambda / 2 * kernel.SumSquares(v), c.Lambda, v
	}
	means, deviations := kernel.Shrink(memory, v, c.Lambda/float64(C), c.Deviation, C)
	return float64(c.Lambda/2*means) + float64(c.Deviation/2*deviations), 1, memory
}

func (c Curves) Expr(b Builder, v Term, C int) Term {
	mean := b.RowMeans(v)
	means := b.Mul(b.Const(c.Lambda/(2*float64(C))), b.Sum(b.Square(mean)))
	return b.Add(means, b.Mul(b.Const(c.Deviation/2), b.Sum(b.Square(b.Sub(v, mean)))))
}
