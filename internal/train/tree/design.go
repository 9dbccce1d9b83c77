package tree

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

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

// correlated returns the inputs that correlate most with the outputs (by the length of the vector of
// covariances), at most count, in ascending order. It assumes inputs scaled to mean zero.
func correlated(s Samples, rows []int, count int) []int {
	M := len(s.X[0])
	order, strength := make([]int, M), make([]float64, M)
	for m := range order {
		order[m] = m
	}
	if count == M || count == 0 {
		return order[:count]
	}
	C, covariance := s.outputs(), make([]float64, M)
	for c := range C {
		clear(covariance)
		for _, n := range rows {
			wy := weighted.At(s.Weight, n) * s.Y[n*C+c]
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
