package tree

import (
	"cmp"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// variable is what a split divides by: a feature, or the indicator columns of a category.
type variable []int

// category reports whether the variable is a category.
func (v variable) category() bool { return len(v) > 1 }

// split divides samples by a variable.
type split struct {
	by        variable
	gain      float64 // by which it lowers the error; 0: not a split
	threshold float64 // of a feature: above is x_m >= threshold
	above     []int   // of a category: the indicator columns of the levels above
	sd        float64 // of the feature in the node's samples
}

// isAbove reports on which side of the split a sample [M] is. A sample without any of the
// category's levels is below.
func (s split) isAbove(x []float64) bool {
	if !s.by.category() {
		return x[s.by[0]] >= s.threshold
	}
	return slices.ContainsFunc(s.above, func(m int) bool { return x[m] > 0 }) // an indicator is positive, scaled, where it is one
}

// steps divides the samples of a leaf: it may be split at every 1/steps quantile.
const steps = 20

// cuts returns the positions in ascending values at which a leaf may be split: those
// nearest to the quantiles between two different values with at least least values on
// either side, in ascending order.
func cuts(order []keyed, least int) []int {
	var at []int
	n := len(order)
	fits := func(k int) bool {
		return k >= least && k <= n-least && order[k-1].value < order[k].value
	}
	for i := 1; i < steps; i++ {
		k := (i*n + steps/2) / steps
		for d := range n {
			if fits(k - d) {
				k -= d
			} else if fits(k + d) {
				k += d
			} else {
				continue
			}
			at = append(at, k)
			break
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// between returns a threshold between two different neighbouring values.
func between(below, above float64) float64 {
	if t := float64(below/2) + float64(above/2); t > below && t <= above {
		return t
	}
	return above
}

// keyed is a row with its value of the variable that orders the rows.
type keyed struct {
	value float64
	row   int
}

// ordered returns rows in the order of a feature; or, for a category, by the mean of an output
// over their levels: their values are places in levels, the indicator columns in this order.
func ordered(s Samples, v variable, rows []int) (order []keyed, levels []int) {
	if v.category() {
		levels = byTarget(s, v, rows)
	}
	order = make([]keyed, len(rows))
	for i, n := range rows {
		x := s.X[n]
		if order[i] = (keyed{x[v[0]], n}); levels != nil {
			order[i].value = float64(place(levels, x))
		}
	}
	slices.SortFunc(order, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.value, b.value), a.row-b.row) })
	return order, levels
}

// place returns the place of a sample's level, from 1. A sample without any level is at
// the first, which is below every split.
func place(levels []int, x []float64) int {
	return max(1, 1+slices.IndexFunc(levels, func(m int) bool { return x[m] > 0 }))
}

// byTarget returns the indicator columns of the levels that occur in some rows, in the
// order of their means of an output: that whose means vary most between the levels.
func byTarget(s Samples, v variable, rows []int) []int {
	C := s.outputs()
	means, size := map[int][]float64{}, map[int]float64{}
	for _, n := range rows {
		for _, m := range v {
			if s.X[n][m] > 0 {
				if means[m] == nil {
					means[m] = make([]float64, C)
				}
				w := weighted.At(s.Weight, n)
				for c, t := range s.Y[n*C:][:C] {
					means[m][c] += float64(w * t)
				}
				size[m] += w
			}
		}
	}
	var levels []int
	for _, m := range v {
		if size[m] > 0 {
			for c := range C {
				means[m][c] /= size[m]
			}
			levels = append(levels, m)
		}
	}
	at := widest(means, size, levels, C)
	slices.SortStableFunc(levels, func(a, b int) int { return cmp.Compare(means[a][at], means[b][at]) })
	return levels
}

// widest returns the output whose means have the greatest weighted variance between levels.
func widest(means map[int][]float64, size map[int]float64, levels []int, C int) int {
	at, greatest := 0, 0.0
	for c := range C {
		sum, total, variance := 0.0, 0.0, 0.0
		for _, m := range levels {
			sum += float64(size[m] * means[m][c])
			total += size[m]
		}
		for _, m := range levels {
			d := means[m][c] - sum/total
			variance += float64(size[m] * (d * d))
		}
		if variance > greatest {
			at, greatest = c, variance
		}
	}
	return at
}
