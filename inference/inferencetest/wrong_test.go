package inferencetest

import (
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
)

// TestNormFaults checks that the checks find wrong t-norms.
func TestNormFaults(t *testing.T) {
	for name, n := range map[string]inference.TNorm{"mean": mean{}, "expression": wrongExpr{}, "gradient": wrongGradient{},
		"logarithm": wrongLog{}} {
		if len(normFaults(n)) == 0 {
			t.Errorf("wrong %s: no fault", name)
		}
	}
}

type mean struct{ inference.Minimum }

func (mean) Join(f, mu []float64) { f[0] = (f[0] + mu[0]) / 2 }

type wrongExpr struct{ inference.Lukasiewicz }

func (wrongExpr) Expr(b membership.Builder, x, y membership.Term) membership.Term {
	return b.Relu(b.Sub(b.Add(x, y), b.Const(0.9)))
}

type wrongGradient struct{ inference.Product }

func (wrongGradient) Gradient(dst, mu []float64) { copy(dst, mu) }

type wrongLog struct{ inference.Product }

func (wrongLog) LogGradient(dst, mu []float64) { clear(dst) }

// TestWeightFaults checks that the checks find wrong defuzzifications.
func TestWeightFaults(t *testing.T) {
	for _, wrong := range []inference.Defuzzification{falling{}, wrongWeightExpr{}, wrongWeightGradient{}} {
		if len(weightFaults(wrong)) == 0 {
			t.Errorf("%T: no fault", wrong)
		}
	}
}

type falling struct{ inference.TSK }

func (falling) LogWeight(z float64, _ int) float64 { return -z }

type wrongWeightExpr struct{ inference.HTSK }

func (d wrongWeightExpr) Expr(b membership.Builder, z membership.Term, M int) membership.Term {
	return d.HTSK.Expr(b, z, M+1)
}

type wrongWeightGradient struct{ inference.LogTSK }

func (wrongWeightGradient) Gradient(float64, int) float64 { return 1 }
