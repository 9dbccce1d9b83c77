package loss

import (
	"math"

	"github.com/tskgraph/tskgraph/membership"
)

// Squared is half the squared error, the data part of the paper's equation (7):
//
//	L(y, t) = (y - t)^2 / 2
//
// Its unit is the square of the target's. Its metric is the root mean squared error, RMSE,
// in the target's unit.
type Squared struct{}

func init() { Register(Squared{}) }

func (Squared) Name() string { return "squared" }

// Value computes the formula above. It halves the square, so that it is finite if and only
// if the square of the error is.
func (Squared) Value(y, t float64) float64 {
	e := y - t
	return 0.5 * (e * e)
}

// Gradient returns y - t.
func (Squared) Gradient(y, t float64) float64 { return y - t }

func (Squared) Expr(b membership.Builder, y, t membership.Term) membership.Term {
	return b.Mul(b.Const(0.5), b.Square(b.Sub(y, t)))
}

func (Squared) Link() Link { return Identity() }

// Metric returns RMSE = sqrt(2 sum / weight), computed as a quotient of roots, since
// twice the sum could overflow.
func (Squared) Metric() Metric {
	return Metric{"RMSE", true, func(sum, weight float64) float64 { return math.Sqrt(sum) / math.Sqrt(weight/2) }}
}
