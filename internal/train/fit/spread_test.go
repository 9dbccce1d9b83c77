package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestSpreadQuantiles checks that biases move by the quantiles of the residuals in each rule, where the spread
// differs between two rules, that a rule with too few samples moves by those of all, and that weights count.
func TestSpreadQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	var x [][]float64
	var y, weights []float64
	for n := range 4000 {
		side, spread := -5.0, 1.0
		if n%2 == 1 {
			side, spread = 5, 3
		}
		v := 2*side + spread*rng.Float64()
		x, y, weights = append(x, []float64{side + 0.1*rng.NormFloat64()}), append(y, v, v), append(weights, 1)
	}
	x, y, weights = append(x, []float64{50}), append(y, 7, 7), append(weights, 1)
	start := func() *rules.RuleBase {
		return rules.New(membership.Gaussian{}, &rules.Clusters{
			Centers: [][]float64{{-5}, {5}, {50}}, Spreads: [][]float64{{1}, {1}, {1}}, Targets: []float64{-10, -10, 10, 10, 7, 7},
		})
	}
	rb := start()
	spreadQuantiles(rb, x, y, nil, []float64{0.1, 0.5})
	for r, want := range [][]float64{{-9.9, -9.5}, {10.3, 11.5}, {7.19, 7.75}} { // of all: 0.1 of u/2 + u/6 is 0.15, with half of each
		for c, v := range want {
			if got := rb.Output(c).Consequents[r][0]; math.Abs(got-v) > 0.08 {
				t.Errorf("rule %d, output %d: %v, want %v", r, c, got, v)
			}
		}
	}
	for n := range weights[:4000] {
		if n%2 == 0 && y[2*n] > -9.5 {
			weights[n] = 1e-6
		}
	}
	rb = start()
	spreadQuantiles(rb, x, y, weights, []float64{0.1, 0.5})
	if got := rb.Output(1).Consequents[0][0]; math.Abs(got+9.75) > 0.05 {
		t.Errorf("with the upper half weightless: median %v, want -9.75", got)
	}
}
