package tree

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
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
	slices.SortFunc(order, func(a, b keyed) int { // no value is NaN
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return a.row - b.row
	})
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
				w := numeric.WeightAt(s.Weight, n)
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

// maxColumns is the number of inputs in the planes of a tree. Of more, those that correlate
// most with the target have slopes; the slopes of the others start at zero.
const maxColumns = 64

// design is the matrix of the planes: by row one, the inputs of the columns, the outputs.
type design struct {
	width   int
	outputs int       // C
	columns []int     // inputs, ascending
	cells   []float64 // [N, width]; only the rows in use are set
}

func newDesign(s Samples, rows []int, columns int) design {
	C := s.outputs()
	d := design{width: 1 + columns + C, outputs: C, columns: correlated(s, rows, columns)}
	d.cells = make([]float64, len(s.X)*d.width)
	for _, n := range rows {
		row := d.row(n)
		row[0] = 1
		copy(row[1+columns:], s.Y[n*C:][:C])
		for i, m := range d.columns {
			row[1+i] = s.Z[n][m]
		}
	}
	return d
}

func (d *design) row(n int) []float64 { return d.cells[n*d.width : (n+1)*d.width] }

// residual returns the error of the plane of an output at a sample.
func (d *design) residual(plane []float64, c, n int) float64 {
	row := d.row(n)
	e := row[1+len(d.columns)+c]
	for a, w := range plane {
		e -= float64(w * row[a])
	}
	return e
}

// sloped returns the inputs of which planes may have a slope.
func (s Samples) sloped() (inputs []int) {
	for m := range s.X[0] {
		if s.Slopes == nil || s.Slopes[m] {
			inputs = append(inputs, m)
		}
	}
	return inputs
}

// correlated returns the inputs that correlate most with the outputs (by the length of the vector of
// covariances), at most count, in ascending order. It assumes inputs scaled to mean zero.
func correlated(s Samples, rows []int, count int) []int {
	M, order := len(s.X[0]), s.sloped()
	strength := make([]float64, M)
	if count == len(order) || count == 0 {
		return order[:count]
	}
	C, covariance := s.outputs(), make([]float64, M)
	for c := range C {
		clear(covariance)
		for _, n := range rows {
			wy := numeric.WeightAt(s.Weight, n) * s.Y[n*C+c]
			for m, v := range s.Z[n][:M] {
				covariance[m] += float64(wy * v)
			}
		}
		for m, v := range covariance {
			strength[m] = math.Hypot(strength[m], v)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(strength[b], strength[a]) })
	return slices.Sorted(slices.Values(order[:count]))
}

// ridge is the penalty of the squared slopes of a plane, as a share of the weight of its
// samples.
const ridge = 0.01

// moments are the weighted sums of all products of the columns of a design, packed: the
// upper triangle, row by row. The first column is one, the last C are the outputs.
type moments []float64

func newMoments(width int) moments { return make(moments, width*(width+1)/2) }

// add adds a row of the design.
func (s moments) add(row []float64, weight float64) {
	for len(row) > 0 {
		v, part := row[0]*weight, s[:len(row)]
		for i, u := range row {
			part[i] += float64(v * u)
		}
		row, s = row[1:], s[len(part):]
	}
}

// plus adds other moments.
func (s moments) plus(t moments) {
	for i, v := range t {
		s[i] += v
	}
}

// plane returns for each of C outputs the coefficients, bias first, that minimise the sum of
// squared errors plus ridge times weight times the sum of the squared slopes, and the sum of these minima.
// Without samples, or if the equations are not finite, ok is false. factor is memory for
// width(width+1)/2 numbers.
func (s moments) plane(factor moments, width, C int) (w [][]float64, least float64, ok bool) {
	P := width - C
	copy(factor, s)
	lambda := float64(ridge * s[0])
	// Cholesky of the bordered matrix: the factor's last C columns solve L u = right, and its
	// last C pivots are the remaining sums of squares.
	at := make([]int, width) // of the diagonal
	for a, next := 0, 0; a < width; a++ {
		at[a] = next
		next += width - a
		if a > 0 && a < P {
			factor[at[a]] += lambda
		}
	}
	for a := range P {
		pivot := factor[at[a]]
		if !(pivot > 0) || math.IsInf(pivot, 0) {
			return nil, 0, false
		}
		rowA := factor[at[a] : at[a]+width-a]
		for b := a + 1; b < width; b++ {
			share := rowA[b-a] / pivot
			rowB := factor[at[b] : at[b]+width-b]
			for i, v := range rowA[b-a:] {
				rowB[i] -= float64(share * v)
			}
		}
	}
	w = make([][]float64, C)
	for c := range w {
		w[c] = make([]float64, P)
		for a := P - 1; a >= 0; a-- {
			row := factor[at[a] : at[a]+width-a]
			v := row[P+c-a]
			for b := a + 1; b < P; b++ {
				v -= float64(row[b-a] * w[c][b])
			}
			w[c][a] = v / row[0]
		}
		squares := factor[at[P+c]]
		if math.IsNaN(squares) || math.IsInf(squares, 0) {
			return w, squares, false
		}
		least += max(0, squares)
	}
	return w, least, true
}
