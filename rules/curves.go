package rules

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/tskgraph/tskgraph/internal/weighted"
)

// MinKnots is the least number of knots of a curve: with two it would be a straight line.
const MinKnots = 3

// PlaceKnots returns the knots [M] for k intervals per feature: the quantiles of rank 0, 1/k,
// ..., 1 of the inputs of the consequents z [N][M] with weights [N] (nil: all one), or all
// values of a feature that has at most k+1. Equal quantiles are one knot. A feature with
// fewer than [MinKnots] has none.
func PlaceKnots(z [][]float64, weight []float64, k int) [][]float64 {
	knots := make([][]float64, len(z[0]))
	column := make([]float64, len(z))
	for m := range knots {
		for n, row := range z {
			column[n] = row[m]
		}
		sorted := weighted.Sorted(column, weight)
		values := slices.Compact(slices.Clone(sorted))
		if len(values) > k+1 {
			values = values[:0]
			for i := range k + 1 {
				values = append(values, sorted[i*(len(sorted)-1)/k])
			}
			values = slices.Compact(values)
		}
		if len(values) >= MinKnots {
			knots[m] = values
		}
	}
	return knots
}

// AddCurves gives the rules curves over the knots [M] that are zero everywhere: one for each
// feature that has knots, shared by all rules, or with own one for each rule. Without any
// knot it does nothing.
func AddCurves(rb *RuleBase, knots [][]float64, own bool) {
	Q := 0
	for _, k := range knots {
		Q += len(k)
	}
	if Q == 0 {
		return
	}
	C := 1
	if own {
		C = rb.Rules()
	}
	rb.Knots, rb.Curves = knots, NewCurves(C, Q)
}

// NewCurves returns the values of C curves at Q knots, all zero: [C][Q].
func NewCurves(C, Q int) [][]float64 { return matrix(C, Q) }

// Place is a position on the curves of a feature: a share of the way from knot Knot to the
// next one.
type Place struct {
	Knot  int
	Share float64
}

// Places appends the positions of the inputs of the consequents z [M] on the curves with the
// given knots [M] to dst, one for each feature that has a curve, in order.
func Places(dst []Place, knots [][]float64, z []float64) []Place {
	first := 0
	for m, k := range knots {
		if len(k) > 0 {
			q, t := Between(k, z[m])
			dst = append(dst, Place{first + q, t})
		}
		first += len(k)
	}
	return dst
}

// Between returns the index q of a knot and t in [0, 1] so that v, limited to the range of
// the knots, is (1-t) knots[q] + t knots[q+1]. There are at least two knots, ascending. For
// NaN, t is NaN.
func Between(knots []float64, v float64) (q int, t float64) {
	q = sort.Search(len(knots)-2, func(i int) bool { return !(v >= knots[i+1]) })
	t = (v - knots[q]) / (knots[q+1] - knots[q])
	return q, math.Max(0, math.Min(1, t))
}

// curveAt returns the sum of the curves with the given values at the knots.
func curveAt(values []float64, places []Place) float64 {
	sum := 0.0
	for _, p := range places {
		v := values[p.Knot]
		sum += v + float64(p.Share*(values[p.Knot+1]-v))
	}
	return sum
}

// CentreCurves moves the mean of each curve over the inputs of the consequents z [N][M], with
// weights [N] (nil: all one), into the biases. Predictions change by rounding only.
func CentreCurves(rb *RuleBase, z [][]float64, weight []float64) {
	if rb.Curves == nil {
		return
	}
	total := weighted.Sum(weight, len(z))
	means := make([]float64, len(rb.Curves[0])) // the mean weight of each knot
	var places []Place
	for n, row := range z {
		places = Places(places[:0], rb.Knots, row)
		for _, p := range places {
			w := weighted.At(weight, n) / total
			means[p.Knot] += float64(w * (1 - p.Share))
			means[p.Knot+1] += float64(w * p.Share)
		}
	}
	for c, values := range rb.Curves {
		shift := centre(values, means, rb.Knots)
		for r, w := range rb.Consequents {
			if len(rb.Curves) == 1 || r == c {
				w[0] += shift
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
	if n := len(rb.Curves); n != 1 && n != rb.Rules() {
		return fmt.Errorf("curves: %d rows; want 1 or %d, the number of rules", n, rb.Rules())
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
	for _, rows := range []struct {
		name   string
		values [][]float64
	}{{"knots", rb.Knots}, {"curves", rb.Curves}} {
		if err := checkFinite(rows.values); err != nil {
			return fmt.Errorf("%s%v", rows.name, err)
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
