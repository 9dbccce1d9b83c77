package tree

import "math"

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
