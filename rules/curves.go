package rules

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// AddCurves gives the rules curves over the knots [M] that are zero everywhere: one for each
// feature that has knots and no sign (see [RuleBase]) and each output, shared by all rules, or with
// own one for each rule. Without any knot it does nothing.
func AddCurves(rb *RuleBase, knots [][]float64, own bool) {
	knots, Q := withoutSigns(rb, knots), 0
	for _, k := range knots {
		Q += len(k)
	}
	if Q == 0 {
		return
	}
	n := rb.OutputCount()
	if own {
		n *= rb.Rules()
	}
	rb.Knots, rb.Curves = knots, NewCurves(n, Q)
}

// NewCurves returns the values of n curves at Q knots, all zero: [n][Q].
func NewCurves(n, Q int) [][]float64 { return matrix(n, Q) }

// CentreCurves moves the mean of each curve that is not kept over the inputs of the consequents
// z [N][M], with weights [N] (nil: all one), into the biases. Predictions change by rounding only.
func CentreCurves(rb *RuleBase, z [][]float64, weight []float64) {
	if rb.Curves == nil {
		return
	}
	total := weighted.Sum(weight, len(z))
	means := make([]float64, len(rb.Curves[0])) // the mean weight of each knot
	var places []Place
	for n, row := range z {
		places = Places(places[:0], rb.Knots, rb.ThenPart(row))
		for _, p := range places {
			w := weighted.At(weight, n) / total
			means[p.Knot] += float64(w * (1 - p.Share))
			means[p.Knot+1] += float64(w * p.Share)
		}
	}
	for c := range rb.OutputCount() {
		one := rb.Output(c)
		for i, values := range one.Curves {
			if keepsCurve(one, i) {
				continue
			}
			shift := centre(values, means, rb.Knots)
			for r, w := range one.Consequents {
				if len(one.Curves) == 1 || r == i {
					w[0] += shift
				}
			}
		}
	}
}

// centre subtracts from the curves of each feature their mean, by the mean weights of the
// knots, and returns the sum of these means.
func centre(values, weights []float64, knots [][]float64) (shift float64) {
	for _, k := range knots {
		v, w := values[:len(k)], weights[:len(k)]
		values, weights = values[len(k):], weights[len(k):]
		mean := 0.0
		for q := range v {
			mean += float64(w[q] * v[q])
		}
		for q := range v {
			v[q] -= mean
		}
		shift += mean
	}
	return shift
}

// checkCurveSizes checks that the knots and the values of curves, if there are any, match
// each other and the rules.
func checkCurveSizes(rb *RuleBase) error {
	if rb.Knots == nil && rb.Curves == nil {
		return nil
	}
	if got, want := len(rb.Knots), rb.Features(); got != want {
		return fmt.Errorf("knots of %d features; there are %d", got, want)
	}
	Q := 0
	for m, k := range rb.Knots {
		if n := len(k); n > 0 && n < MinKnots {
			return fmt.Errorf("knots[m=%d]: %d; want at least %d, or none", m, n, MinKnots)
		}
		Q += len(k)
	}
	if n, C := len(rb.Curves), rb.OutputCount(); n != C && n != C*rb.Rules() {
		return fmt.Errorf("curves: %d rows; want %d or %d, one for each rule", n, C, C*rb.Rules())
	}
	for c, values := range rb.Curves {
		if len(values) != Q || Q == 0 {
			return fmt.Errorf("curves[%d]: %d values; there are %d knots", c, len(values), Q)
		}
	}
	return nil
}

// checkCurves checks the knots and the values of curves of matching sizes.
func checkCurves(rb *RuleBase) error {
	for m, k := range rb.Knots {
		for q, v := range k {
			if !numeric.Finite(v) {
				return fmt.Errorf("knots[m=%d,q=%d]: %v: must be finite", m, q, v)
			}
		}
	}
	for c, values := range rb.Curves {
		for q, v := range values {
			if !numeric.Finite(v) {
				return fmt.Errorf("curves[%d,q=%d]: %v: must be finite", c, q, v)
			}
		}
	}
	for m, k := range rb.Knots {
		for q := 1; q < len(k); q++ {
			if !(k[q] > k[q-1]) || math.IsInf(k[q]-k[q-1], 0) {
				return fmt.Errorf("knots[m=%d]: %v after %v: must increase", m, k[q], k[q-1])
			}
		}
	}
	return nil
}
