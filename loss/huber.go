package loss

import (
	"math"

	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/membership"
)

// Huber is the squared error of small errors and the absolute error of large ones (Huber,
// Annals of Mathematical Statistics 35, 1964), for targets with outliers:
//
//	L(y, t) = e^2 / 2                        for |e| <= Delta, with e = y - t
//	L(y, t) = Delta (|e| - Delta / 2)        else
//
// Delta is above 0 and in the unit of the target; training standardises targets, so that it
// is in standard deviations. Its metric is the mean loss.
type Huber struct{ Delta float64 }

func init() {
	Register(Huber{}, Param{
		Name: "huber_delta", Limits: interval.Above(0), Default: []float64{1},
		Doc: "errors above this many standard deviations of the target count linearly, not squared, with train.loss huber",
		Set: func(_ Loss, v []float64) Loss { return Huber{Delta: v[0]} },
	})
}

func (Huber) Name() string { return "huber" }

// Value computes the formula above, as m (|e| - m/2) with m = min(|e|, Delta).
func (h Huber) Value(y, t float64) float64 {
	e := math.Abs(y - t)
	m := min(e, h.Delta)
	return m * (e - float64(m/2))
}

// Gradient returns y - t, limited to [-Delta, Delta].
func (h Huber) Gradient(y, t float64) float64 { return max(-h.Delta, min(y-t, h.Delta)) }

// Kinks returns t - Delta and t + Delta.
func (h Huber) Kinks(t float64) []float64 { return []float64{t - h.Delta, t + h.Delta} }

func (h Huber) Expr(b membership.Builder, y, t membership.Term) membership.Term {
	e := b.Abs(b.Sub(y, t))
	m := b.Min(e, b.Const(h.Delta))
	return b.Mul(m, b.Sub(e, b.Mul(b.Const(0.5), m)))
}

func (Huber) Link() Link { return Identity() }

// Metric returns the mean of the loss. Training measures it in standard deviations, as Delta.
func (Huber) Metric() Metric { return mean("mean Huber loss in standard deviations", false) }
