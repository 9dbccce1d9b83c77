package inference_test

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/inference/inferencetest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestTNorms checks every registered t-norm against the contract of [inference.TNorm].
func TestTNorms(t *testing.T) {
	for _, n := range inference.TNorms() {
		t.Run(n.Name(), func(t *testing.T) { inferencetest.TNorm(t, n) })
		testenv.Equal(t, testenv.Must(inference.LookupTNorm(n.Name())), n, "%s: found", n.Name())
	}
	if len(inference.TNorms()) < 3 {
		t.Errorf("t-norms %v", inference.TNorms())
	}
}

// TestDefuzzifications checks every registered defuzzification against the contract of
// [inference.Defuzzification].
func TestDefuzzifications(t *testing.T) {
	for _, d := range inference.Defuzzifications() {
		t.Run(d.Name(), func(t *testing.T) { inferencetest.Defuzzification(t, d) })
		testenv.Equal(t, testenv.Must(inference.LookupDefuzzification(d.Name())), d, "%s: found", d.Name())
	}
	if len(inference.Defuzzifications()) < 3 {
		t.Errorf("defuzzifications %v", inference.Defuzzifications())
	}
}

// TestLogTSKAtACenter: at f = 1 the weight is limited, and equal for rules with f = 1.
func TestLogTSKAtACenter(t *testing.T) {
	f := []float64{1, 1, 0.9}
	inference.Weigh(inference.LogTSK{}, f, 2, false)
	if f[0] != f[1] || math.Abs(f[0]-1e6) > 1e-3 || !(f[2] < 10) {
		t.Errorf("weights %v", f)
	}
}
