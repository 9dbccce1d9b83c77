package certify

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

// draw returns a random row [len(Columns)] of a box: numbers, or -1-p for point p.
func (s *space) draw(rng *rand.Rand, b box) []float64 {
	row := make([]float64, len(b))
	for c, of := range b {
		switch n := len(of.points); {
		case n > 0 && (!of.numbers() || rng.IntN(20) == 0):
			if k := len(s.domain.Columns[c].Levels); rng.IntN(10) > 0 && of.points[0] < k { // known levels above all
				n = slices.IndexFunc(append(of.points, k), func(p int) bool { return p >= k })
			}
			row[c] = pointOf(of.points[rng.IntN(n)])
		case s.form.Columns[c].Numbers():
			row[c] = max(of.lo, min(of.hi, of.lo+float64(rng.Float64()*(of.hi-of.lo))))
		default: // of levels on a scale
			row[c] = max(math.Ceil(of.lo), min(math.Floor(of.hi), math.Round(of.lo+float64(rng.Float64()*(of.hi-of.lo)))))
		}
		if k := len(s.steps[c]); k > 0 && of.numbers() && s.form.Columns[c].Numbers() && rng.IntN(4) == 0 {
			if at := s.steps[c][rng.IntN(k)]; at >= of.lo && at < of.hi {
				row[c] = at
				if rng.IntN(2) == 0 {
					row[c] = math.Nextafter(at, math.Inf(1))
				}
			}
		}
	}
	return row
}

// middle returns the row in the middle of a box.
func (s *space) middle(b box) []float64 {
	row := make([]float64, len(b))
	for c, of := range b {
		switch {
		case !of.numbers():
			row[c] = pointOf(of.points[0])
		case s.form.Columns[c].Numbers():
			row[c] = of.lo + float64(0.5*(of.hi-of.lo))
		default:
			row[c] = math.Round(of.lo + float64(0.5*(of.hi-of.lo)))
		}
	}
	return row
}

// pointOf returns the number of a point in a row. Points are distinct floats below all numbers.
func pointOf(p int) float64 {
	return math.Float64frombits(math.Float64bits(-math.MaxFloat64) - uint64(p))
}

// isPoint returns the point that a number in a row is.
func isPoint(v float64) (p int, ok bool) {
	if !(v < -math.MaxFloat64/2) {
		return 0, false
	}
	return int(math.Float64bits(-math.MaxFloat64) - math.Float64bits(v)), true
}

// predict returns the predictions [N][J] of rows, as the model computes them; not a number for one that it does not predict.
func (s *space) predict(rows ...[]float64) [][]float64 {
	x := make([][]float64, len(rows))
	for n, row := range rows {
		for _, c := range s.model.Schema.Columns {
			at := make([]float64, c.Width())
			if k := s.column(c.Name); k >= 0 {
				s.features(at, k, row[k])
			}
			x[n] = append(x[n], at...)
		}
	}
	y := make([][]float64, len(rows))
	for n := range y {
		y[n] = slices.Repeat([]float64{math.NaN()}, len(s.form.Outputs))
	}
	if p, err := s.model.Predict(x); err == nil {
		for j, values := range p.All() {
			for n, v := range values {
				y[n][j] = v
			}
		}
	}
	return y
}

// features writes the features of column c where a row has v.
func (s *space) features(to []float64, c int, v float64) {
	p, ok := isPoint(v)
	switch d := s.domain.Columns[c]; {
	case !ok:
		to[0] = v
	case d.Range != nil: // missing
		copy(to, s.form.Columns[c].Values(-1))
	case d.Missing && p == d.points()-1:
		for k := range to {
			to[k] = math.NaN()
		}
	case p < len(d.Levels):
		copy(to, s.form.Columns[c].Values(p))
	}
}

// cells returns a row as cells of the columns of the domain.
func (s *space) cells(row []float64) (cells []string) {
	for c, v := range row {
		of := s.form.Columns[c]
		p, ok := isPoint(v)
		switch d := s.domain.Columns[c]; {
		case ok && d.Missing && p == d.points()-1:
			cells = append(cells, "")
		case ok && p < len(d.Levels):
			cells = append(cells, d.Levels[p])
		case ok:
			cells = append(cells, unseen(d.Levels))
		case of.Numbers():
			cells = append(cells, strconv.FormatFloat(v, 'g', -1, 64))
		default:
			cells = append(cells, of.Levels[max(0, min(len(of.Levels)-1, int(v)-1))])
		}
	}
	return cells
}

// unseen returns a text that is none of the levels.
func unseen(levels []string) string {
	text := "unseen"
	for slices.Contains(levels, text) {
		text += "_"
	}
	return text
}
