package pages

import (
	"math"

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
	most  int // terms of a leaf
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
	m := &matrix{rows: rows, terms: P, width: (P + 2 + 3) &^ 3, most: most, group: make([]int, P)}
	for k, t := range f.terms {
		if m.group[k] = t.column; t.level >= 0 {
			m.group[k] = -1 - k // alone
		}
	}
	m.x = make([]float64, len(rows)*m.width)
	scale := float64(of) / float64(len(rows))
	parallel.For(len(rows), blockRows, func(_, start, end int) {
		var roots [blockRows]float64
		for i, row := range rows[start:end] {
			roots[i] = math.Sqrt(f.weight[row] * scale)
			x := m.x[(start+i)*m.width+P:]
			x[0], x[1] = roots[i], y[row]*roots[i]
		}
		for k, z := range f.z {
			at := start*m.width + k
			for i, row := range rows[start:end] {
				m.x[at] = z[row] * roots[i]
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
