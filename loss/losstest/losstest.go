// Package losstest tests a loss against the contract of [loss.Loss]. One line tests a loss of any module:
//
//	func TestLogCosh(t *testing.T) { losstest.Run(t, LogCosh{}) }
package losstest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/rowterms"
	"github.com/tskgraph/tskgraph/loss"
)

// Run tests a loss, of three outputs with equal and with other weights, at targets for which it is defined
// ([loss.Bounded]):
//
//   - it has a name, and a metric that is zero for no loss, increasing, and that of a mean;
//   - its value is at least zero, its expression agrees with it, and its gradient with differences of it;
//   - value and gradient allocate nothing; dst of the gradient may be y;
//   - outputs of 1e300 give no NaN, and with another link than the identity nothing infinite.
func Run(t *testing.T, l loss.Loss) {
	t.Helper()
	_, one := l.(loss.OfOutput)
	_, all := l.(loss.OfOutputs)
	if !one && !all || l.Name() == "" {
		t.Fatalf("%T has no name, or is neither a loss.OfOutput nor a loss.OfOutputs", l)
	}
	for _, fault := range faults(l) {
		t.Error(fault)
	}
}

// outputs are test values of y [C]; near a kink of a loss, gradients are not compared.
var outputs = [][]float64{{-3.1, 0.2, 0.9}, {-0.4, -0.41, 5.3}, {0.3, 2.6, -1.7}, {19.5, -21, 0.7}}

// targetsOf returns targets t [C] that a loss is defined for: classes for a loss with the
// link softmax, else numbers within its limits.
func targetsOf(l loss.Loss) [][]float64 {
	if l.Link().Name() == "softmax" {
		return [][]float64{{0, 1, 0}, {1, 0, 0}, {0.025, 0.025, 0.95}}
	}
	if l.Name() == "quantile" { // of one target
		return [][]float64{{-2.7, -2.7, -2.7}, {0.13, 0.13, 0.13}, {4.4, 4.4, 4.4}}
	}
	targets := [][]float64{{-2.7, 0.13, 0.61}, {4.4, 1, 0}, {0.5, 0, 1}}
	if bounded, ok := l.(loss.Bounded); ok {
		for _, row := range targets {
			for c, v := range row {
				for ; !bounded.Targets().Has(v); v = math.Abs(v) / 2 {
					v += 0.5
				}
				row[c] = v
			}
		}
	}
	return targets
}

// faults returns the violations of the contract by a loss.
func faults(l loss.Loss) (found []string) {
	for _, weights := range [][]float64{nil, {0.5, 1, 1.5}} {
		all := loss.Joint(l, weights)
		for _, y := range outputs {
			for _, t := range targetsOf(l) {
				found = append(found, valueFaults(all, y, t)...)
			}
		}
		found = append(found, extremeFaults(all, targetsOf(l))...)
	}
	fault := func(format string, a ...any) { found = append(found, fmt.Sprintf(format, a...)) }
	metric := l.Metric()
	if of := metric.Of; metric.Name == "" || of(0, 1) != 0 || !(of(2, 1) > of(1, 1)) || math.Abs(of(6, 3)-of(2, 1)) > 1e-14 {
		fault("metric %s: 0, 1, 2, 6/3 become %v, %v, %v, %v", metric.Name, of(0, 1), of(1, 1), of(2, 1), of(6, 3))
	}
	return found
}

// expression returns the value of the expression of a loss.
func expression(l loss.OfOutputs, y, t []float64) float64 {
	return rowterms.Sum(l.Expr(rowterms.Builder{}, y, t, len(y)))
}

// valueFaults compares the value at y with the expression, and the gradient with
// differences of the value.
func valueFaults(l loss.OfOutputs, y, t []float64) (found []string) {
	fault := func(format string, a ...any) {
		found = append(found, fmt.Sprintf(format, a...)+fmt.Sprintf(" at %v, %v", y, t))
	}
	const h = 1e-5
	value, gradient := l.Value(y, t), slices.Clone(y)
	l.Gradient(gradient, gradient, t) // in place
	if !(value >= 0) {
		fault("value %v", value)
	}
	if expr := expression(l, y, t); math.Abs(expr-value) > 1e-14*(1+value) {
		fault("expression %v, value %v", expr, value)
	}
	for c := range y {
		moved := func(by float64) float64 {
			y := slices.Clone(y)
			y[c] += by
			return l.Value(y, t)
		}
		slope := (moved(h) - moved(-h)) / (2 * h)
		if g := gradient[c]; math.Abs(g-slope) > 1e-7*(1+math.Abs(slope))+1e-10*value {
			fault("gradient [%d] %v, by a difference %v", c, g, slope)
		}
	}
	if n := testing.AllocsPerRun(2, func() { l.Gradient(gradient, y, t); l.Value(y, t) }); n != 0 {
		fault("%v allocations", n)
	}
	return found
}

// extremeFaults checks outputs of 1e300: a loss with a link other than the identity must be
// finite, and no loss may be NaN or negative.
func extremeFaults(l loss.OfOutputs, targets [][]float64) (found []string) {
	linear := l.Link().Name() == "identity"
	for _, y := range [][]float64{{1e300, -1e300, 0}, {-1e300, 1e300, 1}, {0, 0, 0}} {
		for _, t := range targets {
			gradient := slices.Clone(y)
			l.Gradient(gradient, y, t)
			for name, v := range map[string]float64{"value": l.Value(y, t), "expression": expression(l, y, t), "gradient": rowterms.Sum(gradient)} {
				if math.IsNaN(v) || math.IsInf(v, 0) && !linear || name != "gradient" && v < 0 {
					found = append(found, fmt.Sprintf("extreme %s %v at %v, %v", name, v, y, t))
				}
			}
		}
	}
	return found
}
