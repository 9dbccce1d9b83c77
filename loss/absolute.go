package loss

import (
	"math"

	"github.com/tskgraph/tskgraph/membership"
)

// Absolute is the absolute error, whose minimum is the median of the target:
//
//	L(y, t) = |y - t|
//
// Its metric is the mean absolute error, MAE, in the target's unit.
type Absolute struct{}

func init() { Register(Absolute{}) }

func (Absolute) Name() string               { return "absolute" }
func (Absolute) Value(y, t float64) float64 { return math.Abs(y - t) }

// Gradient returns the sign of y - t, 0 where they are equal.
func (Absolute) Gradient(y, t float64) float64 {
	switch {
	case y > t:
		return 1
	case y < t:
		return -1
	}
	return y - t // 0, or NaN
}

// Kinks returns t.
func (Absolute) Kinks(t float64) []float64 { return []float64{t} }

func (Absolute) Expr(b membership.Builder, y, t membership.Term) membership.Term {
	return b.Abs(b.Sub(y, t))
}

func (Absolute) Link() Link { return Identity() }

// Metric returns MAE = sum / weight.
func (Absolute) Metric() Metric { return mean("MAE", true) }
