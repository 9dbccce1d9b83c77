package loss

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/membership"
)

// leastTarget replaces a target of 0 in its logarithm, so that t log t is 0.
const leastTarget = math.SmallestNonzeroFloat64

// safeExp returns e^v, above MaxLog continued by its tangent.
func safeExp(v float64) float64 {
	near := min(v, MaxLog)
	return float64(numeric.Exp(near) * (1 + (v - near)))
}

// safeExpOf is safeExp on terms.
func safeExpOf(b membership.Builder, v membership.Term) membership.Term {
	near := b.Min(v, b.Const(MaxLog))
	return b.Mul(b.Exp(near), b.Add(b.Const(1), b.Sub(v, near)))
}

// logOf returns log t on terms, finite for t = 0.
func logOf(b membership.Builder, t membership.Term) membership.Term {
	return b.Log(b.Max(t, b.Const(leastTarget)))
}
