package loss

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/membership"
)

// Gamma is half the unit deviance of the gamma distribution, for costs and other targets
// whose standard deviation grows with their mean (McCullagh and Nelder, Generalized Linear
// Models, 1989):
//
//	L(y, t) = t / mu - 1 - log(t / mu)        mu = exp(y)
//
// Targets and mu are above 0: the link is the logarithm. Training divides targets by their
// mean. Above t / mu = exp(18), that quotient is continued by its tangent, as a function of
// its logarithm, so that the loss does not overflow. Its metric is the mean deviance.
type Gamma struct{}

func init() { Register(Gamma{}) }

func (Gamma) Name() string { return "gamma" }

// Variance returns 2.
func (Gamma) Variance() float64 { return 2 }

// Targets returns the numbers above 0.
func (Gamma) Targets() *interval.Interval { return interval.Above(0) }

func (Gamma) Value(y, t float64) float64 {
	v := math.Log(max(t, leastTarget)) - y
	return max(0, safeExp(v, MaxLog)-1-v)
}

// Gradient returns 1 - t / mu.
func (Gamma) Gradient(y, t float64) float64 {
	return 1 - numeric.Exp(min(math.Log(max(t, leastTarget))-y, MaxLog))
}

// Kinks returns the output below which t / mu is continued by its tangent.
func (Gamma) Kinks(t float64) []float64 { return []float64{math.Log(max(t, leastTarget)) - MaxLog} }

func (Gamma) Expr(b membership.Builder, y, t membership.Term) membership.Term {
	v := b.Sub(logOf(b, t), y)
	return b.Sub(b.Sub(safeExpOf(b, v, MaxLog), b.Const(1)), v)
}

func (Gamma) Link() Link { return logarithmic }

// Metric returns the mean deviance, 2 sum / weight.
func (Gamma) Metric() Metric { return deviance("mean gamma deviance", false) }
