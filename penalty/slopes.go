package penalty

import "github.com/tskgraph/tskgraph/internal/base/kernel"

// Slopes shrinks slopes towards zero, the second part of the paper's equation (7):
//
//	P(w) = Lambda/2 sum_r sum_m>0 w_{r,m}^2
//
// or, with ToMean, towards their mean over the rules, so that rules differ only where the
// data support it:
//
//	P(w) = Lambda/2 sum_r sum_m>0 (w_{r,m} - v_m)^2    v_m = 1/R sum_r w_{r,m}
type Slopes struct {
	Lambda float64
	ToMean bool
}

func init() {
	Register(Slopes{Lambda: 0.05})
	Register(Slopes{Lambda: 0.05, ToMean: true})
}

// Name returns "slopes" or "slopes to mean".
func (s Slopes) Name() string {
	if s.ToMean {
		return "slopes to mean"
	}
	return "slopes"
}

func (Slopes) Of() Part          { return OnSlopes }
func (s Slopes) Weight() float64 { return s.Lambda }

// Value computes the formulas above.
func (s Slopes) Value(w []float64, R int) float64 {
	sum := 0.0
	for ; len(w) > 0; w = w[R:] {
		v := s.target(w[:R])
		for _, slope := range w[:R] {
			sum += float64((slope - v) * (slope - v))
		}
	}
	return s.Lambda / 2 * sum
}

// target returns the value that the slopes of one feature are shrunk towards.
func (s Slopes) target(w []float64) float64 {
	if !s.ToMean {
		return 0
	}
	return mean(w)
}

// Gradient computes Lambda (w_{r,m} - v_m); the derivatives through the mean sum to zero.
func (s Slopes) Gradient(dst, w []float64, R int) {
	for ; len(w) > 0; dst, w = dst[R:], w[R:] {
		v := s.target(w[:R])
		for r, slope := range w[:R] {
			dst[r] = s.Lambda * (slope - v)
		}
	}
}

// Kernel returns Lambda as the factor and, without ToMean, the slopes themselves as the
// direction.
func (s Slopes) Kernel(memory, w []float64, R int) (value, factor float64, direction []float64) {
	direction = w
	if s.ToMean {
		direction = memory
		for from := 0; from < len(w); from += R {
			v := s.target(w[from : from+R])
			for r := from; r < from+R; r++ {
				direction[r] = w[r] - v
			}
		}
	}
	return s.Lambda / 2 * kernel.SumSquares(direction), s.Lambda, direction
}

// Expr returns the formulas on terms.
func (s Slopes) Expr(b Builder, w Term, _ int) Term {
	if s.ToMean {
		w = b.Sub(w, b.RowMeans(w))
	}
	return b.Mul(b.Const(s.Lambda/2), b.Sum(b.Square(w)))
}
