package pages

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
)

// matrix holds rows of a frame for sums of products: the P terms, a one and the target, each times the root of the row's weight, and zeros
// up to a width that is a multiple of four.
type matrix struct {
	rows  []int32   // of the frame
	x     []float64 // [len(rows)][width]
	width int
	terms int // P
	group []int
	most  int       // terms of a leaf
	means []float64 // [len(rows)] target whose means splits separate; nil: none
	f     *frame
	sign  []int // [P] of the slopes
}

const blockRows = 64 // that are written together

// sample returns n rows, or some of them, evenly spaced.
func sample(n, most int) []int32 {
	k := min(n, most)
	rows := make([]int32, k)
	for i := range rows {
		rows[i] = int32(int64(i) * int64(n) / int64(k))
	}
	return rows
}

// matrix returns these rows, for leaves of at most so many terms. Their weights stand for all rows of the frame if they are a sample.
func (f *frame) matrix(y []float64, rows []int32, of, most int) *matrix {
	P := len(f.terms)
	m := &matrix{rows: rows, terms: P, width: (P + 2 + 3) &^ 3, most: most, group: make([]int, P), f: f, sign: make([]int, P)}
	for k, t := range f.terms {
		m.sign[k] = f.columns[t.column].Sign
		if m.group[k] = t.column; t.level >= 0 {
			m.group[k] = -1 - k // alone
		}
	}
	m.x = make([]float64, len(rows)*m.width)
	scale := float64(of) / float64(len(rows))
	parallel.For(len(rows), blockRows, func(_, start, end int) {
		var roots [blockRows]float64
		z := make([]float64, end-start)
		for i, row := range rows[start:end] {
			roots[i] = math.Sqrt(f.weight[row] * scale)
			x := m.x[(start+i)*m.width+P:]
			x[0], x[1] = roots[i], y[row]*roots[i]
		}
		for k := range f.terms {
			at := start*m.width + k
			for i, v := range f.standardised(z, k, rows[start:end]) {
				m.x[at] = v * roots[i]
				at += m.width
			}
		}
	})
	return m
}

// scratch is the memory of one goroutine.
type scratch struct {
	block  []float64 // rows of a matrix, one after the other
	factor []float64 // [1+rows]
	n      int
	width  int

	one, target, square, column []float64 // sums of products

	sums  sums
	shown []float64
	tally tally
}

// scratch returns memory for all rows of the matrix alone, which it gathers without a copy.
func (m *matrix) scratch() *scratch { return &scratch{block: m.x} }

// gather copies rows of the matrix side by side.
func (s *scratch) gather(m *matrix, rows []int32) {
	s.n, s.width = len(rows), m.width
	if len(rows) == len(m.rows) { // all of them, in their order
		s.block = append(s.block[:0], m.x...)
	} else {
		s.block = s.block[:0]
		for _, row := range rows {
			s.block = append(s.block, m.x[int(row)*m.width:][:m.width]...)
		}
	}
	s.factor = append(s.factor[:0], make([]float64, s.n+1)...)
	s.column = append(s.column[:0], make([]float64, m.width)...)
}

// products returns the sums of the products of column k of the gathered rows with all columns. The next call overwrites them.
func (s *scratch) products(k int) []float64 {
	s.factor[0] = 0
	for i := range s.n {
		s.factor[i+1] = s.block[i*s.width+k]
	}
	kernel.ConsequentColumn(s.column, s.block, s.factor, s.width, s.n)
	return s.column
}

// squares adds up the squares of each column of the gathered rows.
func (s *scratch) squares(into []float64) {
	clear(into)
	for i := 0; i < len(s.block); i += s.width {
		x := s.block[i:][:len(into)]
		kernel.AddWeighted(into, x, x)
	}
}

// triangle is the number of products of q columns with one another.
func triangle(q int) int { return q * (q + 1) / 2 }

// addProducts adds the products of all columns of q numbers with one another, of four rows, to the lower triangle g.
func addProducts(g, a, b, c, d []float64) {
	for i, x := range a {
		y, u, v := b[i], c[i], d[i]
		to := g[:i+1]
		g = g[i+1:]
		at, bt, ct, dt := a[:len(to)], b[:len(to)], c[:len(to)], d[:len(to)]
		for j := range to {
			to[j] += float64(x*at[j]) + float64(y*bt[j]) + (float64(u*ct[j]) + float64(v*dt[j]))
		}
	}
}

// addProduct is addProducts of one row.
func addProduct(g, a []float64) {
	for i, x := range a {
		to := g[:i+1]
		g = g[i+1:]
		at := a[:len(to)]
		for j := range to {
			to[j] += float64(x * at[j])
		}
	}
}

// products returns the sums over the rows of each class of weight times products of values [m][n], [classes][m][m]. Most values of a row
// may be zero.
func products(values [][]float64, weight []float64, class []int, classes int) [][]float64 {
	m := len(values)
	sums := make([][]float64, classes)
	for c := range sums {
		sums[c] = make([]float64, m*m)
	}
	at, of := make([]int, m), make([]float64, m)
	for i, c := range class {
		n := 0
		for k, v := range values {
			if u := v[i]; u != 0 {
				at[n], of[n] = k, u
				n++
			}
		}
		for a, k := range at[:n] {
			row, v := sums[c][k*m:(k+1)*m], float64(weight[i]*of[a])
			for b, l := range at[:a+1] {
				row[l] += float64(v * of[b])
			}
		}
	}
	for _, s := range sums {
		for k := range m {
			for l := range k {
				s[l*m+k] = s[k*m+l]
			}
		}
	}
	return sums
}

// solution returns the weights of least squares for the products of the unknowns and the target, which is last, with penalties of the
// squares of the weights, and the penalised sum of squared errors. The weights have the given signs, see [bounded]; nil: any. It overwrites
// the products.
func solution(a, ridge []float64, sign []int) (w []float64, squares float64) {
	m := len(ridge)
	width := m + 1
	for k, v := range ridge {
		a[k*width+k] += v
	}
	if slices.ContainsFunc(sign, func(s int) bool { return s != 0 }) {
		return bounded(a, sign)
	}
	for k := range ridge {
		sweep(a, width, k)
	}
	w = make([]float64, m)
	for k := range w {
		w[k] = a[k*width+m]
	}
	return w, a[m*width+m]
}

// leastSquares returns the weights of values [m][n] whose sum is nearest to y [n] / scale, with penalties [m] of their squares, and the
// penalised sum of squared errors. The signs are those of [solution].
func leastSquares(values [][]float64, y, weight []float64, scale float64, ridge []float64, sign []int) (w []float64, squares float64) {
	target := make([]float64, len(y))
	for i, v := range y {
		target[i] = v / scale
	}
	a := products(append(slices.Clone(values), target), weight, make([]int, len(y)), 1)[0]
	return solution(a, ridge, sign)
}

// crossValidated returns the root mean square error of a page whose numbers are cross-validated, in standard deviations of the target, and
// the sum of squared errors of each fold: those of least squares, before numbers are rounded and the value is limited, with factors as they
// are.
func (f *fitted) crossValidated(folds []Fold) (rmse float64, squares []float64) {
	n := len(f.weight)
	kind, kinds, class := make([]uint64, n), []uint64{}, make([]int, n) // bits of the folds that train on a row, and that hold it out
	for k, fold := range folds {
		for _, i := range fold.Train {
			kind[i] |= 1 << k
		}
		for _, i := range fold.Held {
			kind[i] |= 1 << (k + len(folds))
		}
	}
	for i, bits := range kind {
		if class[i] = slices.Index(kinds, bits); class[i] < 0 {
			class[i], kinds = len(kinds), append(kinds, bits)
		}
	}
	target, weight := f.over()
	for i := range target {
		target[i] /= f.sd
	}
	values, ridge, sign := f.unknowns()
	sums := products(append(values, target), weight, class, len(kinds))
	total := func(bit int) []float64 {
		all := make([]float64, len(sums[0]))
		for c, bits := range kinds {
			if bits&(1<<bit) != 0 {
				for i, v := range sums[c] {
					all[i] += v
				}
			}
		}
		return all
	}
	for k := range folds {
		w, _ := solution(total(k), ridge, sign)
		squares = append(squares, quadratic(total(k+len(folds)), append(w, -1)))
	}
	return math.Sqrt(sumOf(squares) / f.s.heldWeight(folds)), squares
}

// quadratic returns the product w' a w with a matrix [m][m].
func quadratic(a, w []float64) (sum float64) {
	for i, v := range w {
		row := 0.0
		for j, u := range w {
			row += float64(a[i*len(w)+j] * u)
		}
		sum += float64(v * row)
	}
	return sum
}
