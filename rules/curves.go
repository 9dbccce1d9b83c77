package rules

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
)

// AddCurves gives the rules curves over the knots [M] that are zero everywhere: one for each
// feature that has knots and each output, shared by all rules, or with own one for each rule. Without any knot it does nothing.
func AddCurves(rb *RuleBase, knots [][]float64, own bool) {
	Q := 0
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
	total := numeric.WeightSum(weight, len(z))
	means := make([]float64, len(rb.Curves[0])) // the mean weight of each knot
	var places []Place
	for n, row := range z {
		places = Places(places[:0], rb.Knots, rb.ThenPart(row))
		for _, p := range places {
			w := numeric.WeightAt(weight, n) / total
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

// MinKnots is the least number of knots of a curve: with two it would be a straight line.
const MinKnots = 3

// SortedColumns are the sorted inputs of consequents, of which [SortedColumns.Knots] places knots for several
// numbers of intervals.
type SortedColumns struct {
	values [][]float64 // [M][N]
	ranked [][]float64 // [M][N] of equal weight, see numeric.SortedByValue
}

// SortColumns sorts the inputs of the consequents z [N][M] with weights [N] (nil: all one) by
// feature, on all processors. If ctx ends, the error wraps that of ctx. No samples, and samples or weights of other sizes, are
// errors.
func SortColumns(ctx context.Context, z [][]float64, weight []float64) (SortedColumns, error) {
	if len(z) == 0 || weight != nil && len(weight) != len(z) ||
		slices.ContainsFunc(z, func(row []float64) bool { return len(row) != len(z[0]) }) {
		return SortedColumns{}, fmt.Errorf("rules: %d samples and %d weights: want at least one sample, all of one size, and a "+
			"weight of each or none",
			len(z), len(weight))
	}
	s := SortedColumns{make([][]float64, len(z[0])), make([][]float64, len(z[0]))}
	parallel.Each(len(s.values), func(m int) {
		if ctx.Err() != nil {
			return
		}
		column := make([]float64, len(z))
		columns(column, z, m)
		if s.ranked[m] = column; weight != nil {
			s.ranked[m] = numeric.SortedByValue(column, weight)
		}
		slices.Sort(column)
		s.values[m] = column
	})
	return s, interrupted(ctx)
}

// Knots returns the knots [M] for k intervals per feature, at least 1: the weighted quantiles of rank 0, 1/k, ..., 1, or all
// values of a feature that has at most k+1. Equal quantiles are one knot. A feature with fewer than [MinKnots] has none.
func (s SortedColumns) Knots(k int) [][]float64 {
	knots := make([][]float64, len(s.values))
	for m, ranked := range s.ranked {
		values := few(s.values[m], k+1)
		if values == nil {
			for i := range k + 1 {
				values = append(values, ranked[i*(len(ranked)-1)/k])
			}
			values = slices.Compact(values)
		}
		if len(values) >= MinKnots {
			knots[m] = values
		}
	}
	return knots
}

// few returns the different ones of sorted values, nil if they are more than most.
func few(sorted []float64, most int) (values []float64) {
	for i, v := range sorted {
		if i > 0 && v == values[len(values)-1] {
			continue
		}
		if len(values) == most {
			return nil
		}
		values = append(values, v)
	}
	return values
}

// notZero returns the indices of the values that are not zero.
func notZero(values []float64) (all []int) {
	for i, v := range values {
		if v != 0 {
			all = append(all, i)
		}
	}
	return all
}

// Place is a position on the curve of a feature: a share of the way from knot Knot to the
// next one. Knots are numbered over all features.
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
			first += len(k)
		}
	}
	return dst
}

// On returns the value of a curve with the given values [Q] at the knots.
func (p Place) On(values []float64) float64 {
	low := values[p.Knot]
	return low + float64(p.Share*(values[p.Knot+1]-low))
}

// Between returns the index q of a knot and t in [0, 1] so that v, limited to the range of
// the knots, is (1-t) knots[q] + t knots[q+1]. There are at least two knots, ascending. For
// NaN, t is NaN.
func Between(knots []float64, v float64) (q int, t float64) {
	for n := len(knots) - 1; n > 1; { // the interval is one of n from q
		half, above := n/2, 0
		if v >= knots[q+half] { // a comparison that sets above, not a branch
			above = 1
		}
		q += half & -above
		n -= half
	}
	t = (v - knots[q]) / (knots[q+1] - knots[q])
	return q, max(0, min(1, t))
}
