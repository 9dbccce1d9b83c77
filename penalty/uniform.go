package penalty

import "github.com/tskgraph/tskgraph/internal/base/kernel"

// Uniform penalises differences of the rules' normalised firing levels, averaged over the
// batch, from 1/R:
//
//	P(fbar) = Lambda R sum_r u_r^2    u_r = 1/B sum_n fbar_r(x_n) - 1/R
type Uniform struct{ Lambda float64 }

func init() {
	Register(Uniform{Lambda: 0.3}, weight("uniform", 0, "penalty of unequal firing of the rules, 0 or more",
		func(_ Penalty, v float64) Penalty { return Uniform{Lambda: v} }))
}

func (Uniform) Name() string      { return "uniform" }
func (Uniform) Of() Part          { return OnLevels }
func (u Uniform) Weight() float64 { return u.Lambda }

func (u Uniform) Value(levels []float64, R int) float64 {
	sum := 0.0
	for r := range R {
		off := uneven(levels, R, r)
		sum += float64(off * off)
	}
	return u.Lambda * float64(R) * sum
}

// uneven returns u_r.
func uneven(levels []float64, R, r int) float64 {
	sum := 0.0
	for i := r; i < len(levels); i += R {
		sum += levels[i]
	}
	return sum/float64(len(levels)/R) - 1/float64(R)
}

// Gradient computes 2 Lambda R/B u_r, the same for all samples.
func (u Uniform) Gradient(dst, levels []float64, R int) {
	by := u.factor(levels, R)
	for r := range R {
		d := by * uneven(levels, R, r)
		for i := r; i < len(dst); i += R {
			dst[i] = d
		}
	}
}

func (u Uniform) factor(levels []float64, R int) float64 {
	return 2 * u.Lambda * float64(R) / float64(len(levels)/R)
}

// Kernel returns the single row u as the direction.
func (u Uniform) Kernel(memory, levels []float64, R int) (value, factor float64, direction []float64) {
	direction = memory[:R]
	kernel.Unevenness(direction, levels, len(levels)/R, R)
	return u.Lambda * float64(R) * kernel.SumSquares(direction), u.factor(levels, R), direction
}

func (u Uniform) Expr(b Builder, levels Term, R int) Term {
	off := b.Sub(b.ColumnMeans(levels), b.Const(1/float64(R)))
	return b.Mul(b.Const(u.Lambda*float64(R)), b.Sum(b.Square(off)))
}
