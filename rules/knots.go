package rules

import (
	"context"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// MinKnots is the least number of knots of a curve: with two it would be a straight line.
const MinKnots = 3

// PlaceKnots returns the knots [M] for k intervals per feature: the quantiles of rank 0, 1/k,
// ..., 1 of the inputs of the consequents z [N][M] with weights [N] (nil: all one), or all
// values of a feature that has at most k+1. Equal quantiles are one knot. A feature with
// fewer than [MinKnots] has none. The samples must be such that [SortColumns] accepts them, and k at least 1.
func PlaceKnots(z [][]float64, weight []float64, k int) [][]float64 {
	columns, err := SortColumns(context.Background(), z, weight)
	if err != nil {
		return make([][]float64, len(z[0]))
	}
	return columns.Knots(k)
}

// SortedColumns are the sorted inputs of consequents, of which [SortedColumns.Knots] places knots for several
// numbers of intervals.
type SortedColumns struct {
	values [][]float64 // [M][N]
	ranked [][]float64 // [M][N] of equal weight, see weighted.Sorted
}

// SortColumns sorts the inputs of the consequents z [N][M] with weights [N] (nil: all one) by
// feature, on all processors. If ctx ends, the error wraps that of ctx. No samples, and samples or weights of other sizes, are
// errors.
func SortColumns(ctx context.Context, z [][]float64, weight []float64) (SortedColumns, error) {
	if len(z) == 0 || weight != nil && len(weight) != len(z) ||
		slices.ContainsFunc(z, func(row []float64) bool { return len(row) != len(z[0]) }) {
		return SortedColumns{}, fmt.Errorf("rules: %d samples and %d weights: want at least one sample, all of one size, and a weight of each or none",
			len(z), len(weight))
	}
	s := SortedColumns{make([][]float64, len(z[0])), make([][]float64, len(z[0]))}
	parallel.Each(len(s.values), func(m int) {
		if ctx.Err() != nil {
			return
		}
		column := make([]float64, len(z))
		for n, row := range z {
			column[n] = row[m]
		}
		if s.ranked[m] = column; weight != nil {
			s.ranked[m] = weighted.Sorted(column, weight)
		}
		slices.Sort(column)
		s.values[m] = column
	})
	return s, interrupted(ctx)
}

// Knots returns the knots [M] for k intervals per feature, as [PlaceKnots] does.
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
