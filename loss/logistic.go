package loss

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/membership"
)

// Logistic is the cross-entropy of two classes, with the output y as the logit of the
// probability p of the second one:
//
//	L(y, t) = -t log p - (1 - t) log(1 - p) = log(1 + e^y) - t y        p = 1 / (1 + e^-y)
//
// The target t is 1 for the second class and 0 for the first, or a probability between them
// if labels are smoothed. No output overflows. Its metric is the mean, the log loss.
type Logistic struct{}

func init() { Register(Logistic{}) }

func (Logistic) Name() string { return "logistic" }

// Targets returns the numbers from 0 to 1.
func (Logistic) Targets() *interval.Interval { return interval.From(0).To(1) }

// Value computes the formula above, with log(1 + e^y) = max(y, 0) + log(1 + e^-|y|).
func (Logistic) Value(y, t float64) float64 {
	return max(y, 0) - float64(t*y) + math.Log1p(numeric.Exp(-math.Abs(y)))
}

// Gradient returns p - t.
func (Logistic) Gradient(y, t float64) float64 { return sigmoid(y) - t }

// Expr returns the formula on terms, with log(1 + e^y) = m + log(e^-m + e^(y-m)) and
// m = max(y, 0), whose derivatives by m cancel, so that the kink of m has no effect.
func (Logistic) Expr(b membership.Builder, y, t membership.Term) membership.Term {
	return b.Sub(softplus(b, y), b.Mul(t, y))
}

// softplus returns log(1 + e^y).
func softplus(b membership.Builder, y membership.Term) membership.Term {
	m := b.Relu(y)
	return b.Add(m, b.Log(b.Add(b.Exp(b.Neg(m)), b.Exp(b.Sub(y, m)))))
}

func (Logistic) Link() Link { return logit }

// Metric returns the mean, the log loss.
func (Logistic) Metric() Metric { return mean("log loss", false) }
