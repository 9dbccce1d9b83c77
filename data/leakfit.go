package data

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// The evidence required for a leak, and limits of the search.
const (
	leakRows      = 20   // rows, at least
	leakValues    = 10   // different targets, at least
	leakTolerance = 1e-6 // of a row, in ranges of the target
	monotoneRows  = 100  // for a column that only rises with the target
	leakSample    = 256  // rows by which pairs are found
	pairedColumns = 500  // numeric columns, at most, of which pairs are looked at
)

// feature copies a feature.
func feature(d *Dataset, at int) []float64 {
	values := make([]float64, d.Len())
	for i, row := range d.X {
		values[i] = row[at]
	}
	return values
}

// fitLine returns slopes and offset of least squares over one or two columns, each [N].
func fitLine(columns [][]float64, y []float64) (slopes []float64, offset float64) {
	a := columns[0]
	aa, ay := comoment(a, a), comoment(a, y)
	if len(columns) == 1 {
		slopes = []float64{ay / aa}
	} else {
		b := columns[1]
		ab, bb, by := comoment(a, b), comoment(b, b), comoment(b, y)
		det := float64(aa*bb) - float64(ab*ab)
		slopes = []float64{(float64(ay*bb) - float64(by*ab)) / det, (float64(by*aa) - float64(ay*ab)) / det}
	}
	offset = average(y)
	for k, x := range columns {
		offset -= float64(slopes[k] * average(x))
	}
	return slopes, offset
}

// comoment returns the sum of the products of deviations from the means.
func comoment(a, b []float64) (sum float64) {
	meanA, meanB := average(a), average(b)
	for i := range a {
		sum += float64((a[i] - meanA) * (b[i] - meanB))
	}
	return sum
}

func average(values []float64) (mean float64) {
	for i, v := range values {
		mean += (v - mean) / float64(i+1)
	}
	return mean
}

// sampled returns evenly spaced values, 256 at most.
func sampled[V any](values []V) []V { return spaced(values, leakSample) }

// spaced returns evenly spaced values, at most a number of them.
func spaced[V any](values []V, most int) []V {
	if len(values) <= most {
		return values
	}
	some := make([]V, most)
	for i := range some {
		some[i] = values[i*len(values)/most]
	}
	return some
}

// standardised returns values less their mean, of length 1; nil if they are constant or not all finite.
func standardised(values []float64) []float64 {
	mean, largest := average(values), 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v-mean))
	}
	if !(largest > 0) || !numeric.Finite(largest) {
		return nil
	}
	z, squares := make([]float64, len(values)), 0.0
	for i, v := range values {
		z[i] = (v - mean) / largest
		squares += float64(z[i] * z[i])
	}
	for i := range z {
		z[i] /= math.Sqrt(squares)
	}
	return z
}

func product(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

// different counts different values, up to leakValues.
func different(values []float64) int {
	seen := map[float64]bool{}
	for _, v := range values {
		if seen[v] = true; len(seen) == leakValues {
			break
		}
	}
	return len(seen)
}

// together reports whether two columns order the rows alike, or in reverse, equal values included.
func together(x, y []float64) (rise, fall bool) {
	order := inOrder(len(x))
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	rise, fall = true, true
	for k := 1; k < len(order) && (rise || fall); k++ {
		dx, dy := cmp.Compare(x[order[k]], x[order[k-1]]), cmp.Compare(y[order[k]], y[order[k-1]])
		rise, fall = rise && dx == dy, fall && dx == -dy
	}
	return rise, fall
}

// How a column gives away the class, in every row.
const (
	namesClass = iota + 1 // one value for each class
	givesClass            // one class for each value, of which each has some ten rows
	partsClass            // a range of values for each class
)

// cells returns a number for each cell of a column that begins with a feature: its value, or that of its level.
func cells(d *Dataset, c table.Column, at int) []float64 {
	values := feature(d, at)
	for i, row := range d.X {
		if c.Nominal() && !math.IsNaN(row[at]) {
			values[i] = float64(c.Level(row[at:][:c.Width()]))
		}
	}
	return values
}

// classGivenBy returns how values determine the classes y; 0 if they do not.
func classGivenBy(y, values []float64) int {
	order := inOrder(len(y))
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(values[i], values[j]), cmp.Compare(y[i], y[j])) })
	if math.IsNaN(values[order[0]]) {
		return 0
	}
	classes, different, changes := map[float64]bool{y[order[0]]: true}, 1, 0
	for k := 1; k < len(order); k++ {
		i, j := order[k-1], order[k]
		if values[i] != values[j] {
			different++
		} else if y[i] != y[j] {
			return 0
		}
		if classes[y[j]] = true; y[i] != y[j] {
			changes++
		}
	}
	switch {
	case len(classes) < 2:
		return 0
	case different == len(classes):
		return namesClass
	case leakValues*different <= len(y):
		return givesClass
	case len(y) >= monotoneRows && changes == len(classes)-1:
		return partsClass
	}
	return 0
}
