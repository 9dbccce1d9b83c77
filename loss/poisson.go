package loss

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/membership"
)

// Poisson is half the unit deviance of the Poisson distribution, for counts (McCullagh and
// Nelder, Generalized Linear Models, 1989):
//
//	L(y, t) = mu - t + t log(t / mu)        mu = exp(y)
//
// with 0 log 0 = 0. Targets are at least 0, and mu is above 0: the link is the logarithm.
// Training divides targets by their mean. Above y = 18, exp(y) is continued by its tangent,
// so that the loss does not overflow. Its metric is the mean deviance.
type Poisson struct{}

func init() { Register(Poisson{}) }

func (Poisson) Name() string { return "poisson" }

// Variance returns 1.
func (Poisson) Variance() float64 { return 1 }

// Targets returns the numbers of at least 0.
func (Poisson) Targets() *interval.Interval { return interval.From(0) }

func (Poisson) Value(y, t float64) float64 {
	return max(0, safeExp(y, MaxLog)-t-float64(t*(y-math.Log(max(t, leastTarget)))))
}

// Gradient returns mu - t.
func (Poisson) Gradient(y, t float64) float64 { return numeric.Exp(min(y, MaxLog)) - t }

// Kinks returns the output above which exp(y) is continued by its tangent.
func (Poisson) Kinks(float64) []float64 { return []float64{MaxLog} }

func (Poisson) Expr(b membership.Builder, y, t membership.Term) membership.Term {
	return b.Sub(b.Sub(safeExpOf(b, y, MaxLog), t), b.Mul(t, b.Sub(y, logOf(b, t))))
}

func (Poisson) Link() Link { return logarithmic }

// Metric returns the mean deviance, 2 sum / weight.
func (Poisson) Metric() Metric { return deviance("mean Poisson deviance", true) }
