package loss

import (
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/membership"
)

// LogSquared is half the squared error of a response by the logarithmic link, for amounts that are never below zero and on which columns
// act by factors:
//
//	L(y, t) = (mu - t)^2 / 2        mu = exp(y)
//
// Its minimum is the mean of the target, in the target's unit, as that of [Squared]. Targets are at least 0, and mu is above 0. Training
// divides targets by their mean. Above y = 18, mu does not grow, as in the link. Its metric is RMSE.
type LogSquared struct{}

func init() { Register(LogSquared{}) }

func (LogSquared) Name() string { return "log-squared" }

// Variance returns 0.
func (LogSquared) Variance() float64 { return 0 }

// Targets returns the numbers of at least 0.
func (LogSquared) Targets() *interval.Interval { return interval.From(0) }

func (LogSquared) Value(y, t float64) float64 { return Squared{}.Value(numeric.Exp(min(y, MaxLog)), t) }

// Gradient returns mu (mu - t).
func (LogSquared) Gradient(y, t float64) float64 {
	if y > MaxLog {
		return 0
	}
	mu := numeric.Exp(y)
	return mu * (mu - t)
}

// Kinks returns the output above which mu does not grow.
func (LogSquared) Kinks(float64) []float64 { return []float64{MaxLog} }

func (LogSquared) Expr(b membership.Builder, y, t membership.Term) membership.Term {
	return Squared{}.Expr(b, b.Exp(b.Min(y, b.Const(MaxLog))), t)
}

func (LogSquared) Link() Link { return logarithmic }

// Metric returns RMSE.
func (LogSquared) Metric() Metric { return Squared{}.Metric() }
