package inference_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
)

// samples are grades without ties, away from the kinks of the t-norms.
var samples = [][]float64{{0.9}, {0.8, 0.7}, {0.3, 0.9}, {0.97, 0.85, 0.91}, {0.2, 0.4, 0.6, 0.5}, {0, 0.7}, {1, 0.4}, {1, 1, 0.3}}

// TestTNorms checks every registered t-norm against the contract of [inference.TNorm].
func TestTNorms(t *testing.T) {
	for _, n := range inference.TNorms() {
		for _, fault := range normFaults(n) {
			t.Errorf("%s: %s", n.Name(), fault)
		}
		if found, err := inference.LookupTNorm(n.Name()); err != nil || found != n {
			t.Errorf("%s: found %v, %v", n.Name(), found, err)
		}
	}
	if len(inference.TNorms()) < 3 {
		t.Errorf("t-norms %v", inference.TNorms())
	}
}

// join returns T of grades.
func join(n inference.TNorm, mu []float64) float64 {
	f := []float64{1}
	for m := range mu {
		n.Join(f, mu[m:m+1])
	}
	return f[0]
}

// normFaults returns the violations of the contract by a t-norm.
func normFaults(n inference.TNorm) (found []string) {
	fault := func(format string, a ...any) { found = append(found, fmt.Sprintf(format, a...)) }
	const h = 1e-6
	for _, mu := range samples {
		f := join(n, mu)
		reversed := make([]float64, len(mu))
		for m, v := range mu {
			reversed[len(mu)-1-m] = v
		}
		if !(f >= 0 && f <= 1) || math.Abs(join(n, reversed)-f) > 1e-15 || math.Abs(join(n, append([]float64{1}, mu...))-f) > 1e-15 {
			fault("T%v = %v, reversed %v, with one %v", mu, f, join(n, reversed), join(n, append([]float64{1}, mu...)))
		}
		expr := mu[0]
		for _, v := range mu[1:] {
			expr = membership.Evaluate(shape(n.Expr), expr, []float64{v})
		}
		if math.Abs(expr-f) > 1e-15 {
			fault("expression %v, value %v of %v", expr, f, mu)
		}
		by := make([]float64, len(mu))
		n.Gradient(by, mu)
		for m, v := range mu {
			moved := append([]float64(nil), mu...)
			moved[m] = v + h
			up := join(n, moved)
			if n.Piece(moved) != n.Piece(mu) {
				fault("another piece near %v", mu)
			}
			moved[m] = v - h
			if slope := (up - join(n, moved)) / (2 * h); math.Abs(by[m]-slope) > 1e-8 {
				fault("derivative %d of T%v is %v, by a difference %v", m, mu, by[m], slope)
			}
		}
		if log, ok := n.(inference.LogTNorm); ok && f > 0 {
			found = append(found, logFaults(log, mu, f, by)...)
		}
	}
	return found
}

// logFaults compares a t-norm of logarithms with T(mu) = f and its derivatives.
func logFaults(n inference.LogTNorm, mu []float64, f float64, by []float64) (found []string) {
	z, level, expr := make([]float64, len(mu)), []float64{0}, 0.0
	for m, v := range mu {
		z[m] = math.Log(v)
		n.JoinLogs(level, z[m:m+1])
		expr = membership.Evaluate(shape(n.LogExpr), expr, []float64{z[m]})
	}
	if math.Abs(math.Exp(level[0])-f) > 1e-14 || math.Abs(expr-level[0]) > 1e-14 {
		found = append(found, fmt.Sprintf("log T%v is %v, as an expression %v; T is %v", mu, level[0], expr, f))
	}
	logBy := make([]float64, len(mu))
	n.LogGradient(logBy, z)
	for m, d := range logBy {
		if want := by[m] * mu[m] / f; math.Abs(d-want) > 1e-12 {
			found = append(found, fmt.Sprintf("derivative %d of log T%v is %v, want %v", m, mu, d, want))
		}
	}
	return found
}

// TestNormFaults checks that the checks find wrong t-norms.
func TestNormFaults(t *testing.T) {
	for name, n := range map[string]inference.TNorm{"mean": mean{}, "expression": wrongExpr{}, "gradient": wrongGradient{}, "logarithm": wrongLog{}} {
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

// TestDefuzzifications checks every registered defuzzification against the contract of
// [inference.Defuzzification].
func TestDefuzzifications(t *testing.T) {
	for _, d := range inference.Defuzzifications() {
		for _, fault := range weightFaults(d) {
			t.Errorf("%s: %s", d.Name(), fault)
		}
		if found, err := inference.LookupDefuzzification(d.Name()); err != nil || found != d {
			t.Errorf("%s: found %v, %v", d.Name(), found, err)
		}
	}
	for _, wrong := range []inference.Defuzzification{falling{}, wrongWeightExpr{}, wrongWeightGradient{}} {
		if len(weightFaults(wrong)) == 0 {
			t.Errorf("%T: no fault", wrong)
		}
	}
	if len(inference.Defuzzifications()) < 3 {
		t.Errorf("defuzzifications %v", inference.Defuzzifications())
	}
}

// weightFaults returns the violations of the contract by a defuzzification.
func weightFaults(d inference.Defuzzification) (found []string) {
	fault := func(format string, a ...any) { found = append(found, fmt.Sprintf(format, a...)) }
	last := math.Inf(-1)
	if w := d.LogWeight(last, 3); !math.IsInf(w, -1) || math.IsNaN(d.Gradient(last, 3)*0) {
		fault("at minus infinity %v, derivative %v", w, d.Gradient(last, 3))
	}
	for _, z := range []float64{-1e300, -900, -20, -3, -0.5, -1e-3, 0} {
		w := d.LogWeight(z, 7)
		if !(w > last) || math.IsInf(w, 0) {
			fault("log weight %v at %v, %v before it", w, z, last)
		}
		last = w
		expr := membership.Evaluate(shape(func(b membership.Builder, z, _ membership.Term) membership.Term { return d.Expr(b, z, 7) }), z, []float64{0})
		if math.Abs(expr-w) > 1e-14*math.Abs(w) {
			fault("expression %v, log weight %v at %v", expr, w, z)
		}
		if z == 0 || z < -1e3 {
			continue
		}
		h := 1e-6 * -z
		if slope := (d.LogWeight(z+h, 7) - d.LogWeight(z-h, 7)) / (2 * h); math.Abs(d.Gradient(z, 7)-slope) > 1e-7*(1+math.Abs(slope)) {
			fault("derivative %v at %v, by a difference %v", d.Gradient(z, 7), z, slope)
		}
	}
	for _, f := range []float64{1e-9, 0.03, 0.4, 0.99} {
		weight, log := []float64{f}, []float64{math.Log(f)}
		inference.Weigh(d, weight, 7, false)
		inference.Weigh(d, log, 7, true)
		if math.Abs(weight[0]-math.Exp(log[0])) > 1e-12*weight[0] {
			fault("weight %v of %v, by logarithms %v", weight[0], f, math.Exp(log[0]))
		}
		plain, logs := inference.WeightGradient(d, f, 7, false), inference.WeightGradient(d, math.Log(f), 7, true)
		if want := logs * weight[0] / f; math.Abs(plain-want) > 1e-12*want {
			fault("dw/df %v at %v, by logarithms %v", plain, f, want)
		}
	}
	none := []float64{0}
	if inference.Weigh(d, none, 7, false); none[0] != 0 {
		fault("weight %v of a rule that does not fire", none[0])
	}
	return found
}

type falling struct{ inference.TSK }

func (falling) LogWeight(z float64, _ int) float64 { return -z }

type wrongWeightExpr struct{ inference.HTSK }

func (d wrongWeightExpr) Expr(b membership.Builder, z membership.Term, M int) membership.Term {
	return d.HTSK.Expr(b, z, M+1)
}

type wrongWeightGradient struct{ inference.LogTSK }

func (wrongWeightGradient) Gradient(float64, int) float64 { return 1 }

// shape evaluates an expression of two terms as that of a shape with one parameter.
type shape func(b membership.Builder, x, y membership.Term) membership.Term

func (s shape) Name() string                 { return "" }
func (s shape) Params() []membership.Param   { return nil }
func (s shape) Place(_, _ float64) []float64 { return nil }
func (s shape) Grades(_, _, _ []float64)     {}
func (s shape) Expr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return s(b, x, p[0])
}

// TestLogTSKAtACenter: at f = 1 the weight is limited, and equal for rules with f = 1.
func TestLogTSKAtACenter(t *testing.T) {
	f := []float64{1, 1, 0.9}
	inference.Weigh(inference.LogTSK{}, f, 2, false)
	if f[0] != f[1] || math.Abs(f[0]-1e6) > 1e-3 || !(f[2] < 10) {
		t.Errorf("weights %v", f)
	}
}
