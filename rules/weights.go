package rules

import (
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// pick draws one of n samples with probability proportional to its weight; nil: all
// equal.
func pick(weight []float64, n int, rng *rand.Rand) int {
	if weight == nil {
		return rng.IntN(n)
	}
	left := float64(rng.Float64() * weighted.Sum(weight, n))
	for i, w := range weight {
		if left -= w; left < 0 {
			return i
		}
	}
	return n - 1
}
