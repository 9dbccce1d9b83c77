package loss

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/membership"
)

// Tweedie is half the unit deviance of the Tweedie distribution of a power p between 1 and 2, for amounts of which some are zero, such
// as the cost of all claims of a policy (Jorgensen, The Theory of Dispersion Models, 1997):
//
//	L(y, t) = mu^(2-p) / (2-p) + t mu^(1-p) / (p-1) - t^(2-p) / ((p-1) (2-p))        mu = exp(y)
//
// The variance of the target grows with its mean to the power p. Targets are at least 0, and mu is above 0: the link is the logarithm.
// Training divides targets by their mean. Above exp(15), a power of mu is continued by its tangent, as a function of y, so that the
// loss does not overflow. Its metric is the mean deviance; those of different powers cannot be compared.
type Tweedie struct{ Power float64 }

func init() {
	Register(Tweedie{}, Param{
		Name: "tweedie_power", Limits: interval.From(1.01).To(1.99), Default: []float64{1.5},
		Doc: "power of the mean that the variance of the target grows with, with train.loss tweedie: nearer to 1 for many small " +
			"claims, nearer to 2 for few large ones",
		Set: func(_ Loss, v []float64) Loss { return Tweedie{Power: v[0]} },
	})
}

func (Tweedie) Name() string { return "tweedie" }

// Variance returns the power.
func (l Tweedie) Variance() float64 { return l.Power }

// Targets returns the numbers of at least 0.
func (Tweedie) Targets() *interval.Interval { return interval.From(0) }

func (l Tweedie) Value(y, t float64) float64 {
	a, b := 2-l.Power, l.Power-1
	least := float64(t*numeric.Exp(float64(-b*math.Log(max(t, leastPower))))) / (a * b)
	return max(0, safeExp(a*y, mostPower)/a+float64(t*safeExp(-b*y, mostPower))/b-least)
}

// Gradient returns mu^(2-p) - t mu^(1-p).
func (l Tweedie) Gradient(y, t float64) float64 {
	return numeric.Exp(min((2-l.Power)*y, mostPower)) - float64(t*numeric.Exp(min((1-l.Power)*y, mostPower)))
}

// Kinks returns the outputs beyond which a power of mu is continued by its tangent.
func (l Tweedie) Kinks(float64) []float64 {
	return []float64{mostPower / (1 - l.Power), mostPower / (2 - l.Power)}
}

func (l Tweedie) Expr(b membership.Builder, y, t membership.Term) membership.Term {
	power := func(p float64, v membership.Term) membership.Term { return b.Mul(b.Const(p), v) }
	up, down := 2-l.Power, 1-l.Power
	least := b.Mul(t, b.Exp(power(down, b.Log(b.Max(t, b.Const(leastPower))))))
	return b.Add(b.Sub(power(1/up, safeExpOf(b, power(up, y), mostPower)), power(1/down, b.Mul(t, safeExpOf(b, power(down, y), mostPower)))),
		power(1/(up*down), least))
}

func (Tweedie) Link() Link { return logarithmic }

// Metric returns the mean deviance, 2 sum / weight.
func (Tweedie) Metric() Metric { return deviance("mean Tweedie deviance", false) }

// mostPower is the logarithm of a power of mu above which it is continued by its tangent: below MaxLog, since it is divided by p-1 or 2-p.
const mostPower = 15

// leastPower replaces a target of 0 in its logarithm, so that t t^(1-p) is 0.
const leastPower = 1e-300
