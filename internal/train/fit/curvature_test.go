package fit

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestCurvatures compares the curvatures of a cross-entropy with p(1-p), and those of
// weighted squared errors with the weights.
func TestCurvatures(t *testing.T) {
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{0}}, Spreads: [][]float64{{1}}, Targets: []float64{0.7}})
	x, weights := [][]float64{{0.3}, {-1}}, []float64{1, 3}
	p := 1 / (1 + math.Exp(-0.7))
	for n, got := range curvatures(rb, loss.Logistic{}, x, []float64{0, 1}, weights)[0] {
		if want := weights[n] * p * (1 - p); math.Abs(got-want) > 1e-6 {
			t.Errorf("sample %d: %v, want %v", n, got, want)
		}
	}
	rb.SetOutputs(2)
	all := curvatures(rb, loss.Joint(loss.Squared{}, []float64{0.5, 2}), x, make([]float64, 4), weights)
	if math.Abs(all[0][1]-1.5) > 1e-9 || math.Abs(all[1][1]-6) > 1e-9 {
		t.Errorf("squared errors: %v", all)
	}
	if linear := curvatures(rb, loss.Joint(loss.Absolute{}, nil), x, []float64{1, 1, 1, 1}, weights); linear[0][1] != 3e-3 {
		t.Errorf("absolute errors: %v", linear)
	}
}
