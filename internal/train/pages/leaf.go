package pages

import (
	"math"
	"slices"
)

const (
	ridge       = 1e-3 // of the slopes of standardised terms, times the weight of the rows
	leastSpread = 0.01 // variance within a leaf of a term that it may have, in shares of that in the table
	leastRest   = 0.02 // the part of it that the terms before leave unexplained
)

// sums are those of the rows of a leaf about their means, of q terms, while terms are selected forwards: own and target are of what the
// selected terms leave unexplained, by a Cholesky decomposition that grows by a row with each of them.
type sums struct {
	n         float64 // weight of the rows
	mean      []float64
	own, full []float64 // [q] of squares, left and at the start; negative: not a candidate
	target    []float64 // [q] of products with the target
	middle    float64   // mean of the target
	sse       float64   // of the target
	group     []int     // [q] terms of one group exclude one another
	sign      []int     // [q] of the slopes
	alone     bool      // no term excludes another one

	chosen []int
	root   []float64   // [chosen] diagonal of the decomposition
	rows   [][]float64 // [chosen][q]
	along  []float64   // [chosen] the target's row

	best      int // how many of the chosen terms are best
	criterion float64
}

// start begins with the sums of products with one and with the target, [q+2] each, and the sums of squares [q].
func (s *sums) start(q int, one, target, squares []float64, group, sign []int) {
	s.n, s.group, s.sign, s.alone = one[q], group, sign, false
	s.mean, s.own, s.full, s.target = sized(s.mean, q), sized(s.own, q), sized(s.full, q), sized(s.target, q)
	s.chosen, s.root, s.along, s.best = s.chosen[:0], s.root[:0], s.along[:0], 0
	s.middle = one[q+1] / s.n
	s.sse = max(0, target[q+1]-float64(one[q+1]*s.middle))
	for k := range q {
		m := one[k] / s.n
		s.mean[k], s.target[k] = m, target[k]-float64(one[k]*s.middle)
		s.full[k] = squares[k] - float64(one[k]*m)
		if s.own[k] = s.full[k]; s.full[k] < leastSpread*s.n {
			s.own[k] = -1
		}
	}
	s.criterion = penalised(s.sse, s.n, 0)
}

// sized returns v with n cells.
func sized[T int32 | float64](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	return v[:n]
}

// penalised is the criterion of a leaf with k terms: its sum of squared errors, times the more the fewer rows there are for a term.
func penalised(sse, n float64, k int) float64 {
	v := 1 + 2*float64(k)
	if n-v < 1 {
		return math.Inf(1)
	}
	return sse * (n + v) / (n - v)
}

// pick returns the term that explains most, or -1.
func (s *sums) pick() int {
	best, lambda := -1, float64(ridge*s.n)
	top, by := 0.0, 1.0 // the best gain is top/by
	for k, d := range s.own {
		if d <= 0 || float64(s.sign[k])*s.target[k] < 0 {
			continue
		}
		if q := s.target[k]; float64(float64(q*q)*by) > float64(top*(d+lambda)) {
			best, top, by = k, float64(q*q), d+lambda
		}
	}
	return best
}

// take selects term j, whose products with the q terms are given.
func (s *sums) take(j int, products []float64) {
	at := len(s.chosen)
	d := s.own[j] + float64(ridge*s.n)
	scale := 1 / math.Sqrt(d)
	along := s.target[j] * scale
	s.sse = max(0, s.sse-float64(along*along))
	s.chosen, s.along, s.root = append(s.chosen, j), append(s.along, along), append(s.root, d*scale)
	if len(s.rows) <= at {
		s.rows = append(s.rows, nil)
	}
	row := sized(s.rows[at], len(s.own))
	s.rows[at] = row
	centre := float64(s.mean[j] * s.n)
	for k, m := range s.mean {
		row[k] = products[k] - float64(centre*m)
	}
	for _, before := range s.rows[:at] {
		subtract(row, before[j], before[:len(row)])
	}
	for k, left := range s.own {
		r := row[k] * scale
		row[k] = r
		if left <= 0 {
			continue
		}
		left -= float64(r * r)
		s.target[k] -= float64(r * along)
		if s.own[k] = left; left < leastRest*s.full[k] || left < 0.2*leastSpread*s.n {
			s.own[k] = -1
		}
	}
	for k, g := range s.group {
		if k == j || !s.alone && g == s.group[j] {
			s.own[k] = -1
		}
	}
	if c := penalised(s.sse, s.n, at+1); c < s.criterion {
		s.criterion, s.best = c, at+1
	}
}

// slopes returns the coefficients [best] of the best of the chosen terms.
func (s *sums) slopes() []float64 {
	b := make([]float64, s.best)
	for u := s.best - 1; u >= 0; u-- {
		v := s.along[u]
		for w := u + 1; w < s.best; w++ {
			v -= float64(s.rows[u][s.chosen[w]] * b[w])
		}
		b[u] = v / s.root[u]
	}
	return b
}

// fit is the linear model of a leaf.
type fit struct {
	criterion float64
	terms     []int     // of the model, the most useful first
	also      []int     // further terms chosen
	rest      []float64 // [P] what each term would still explain, of all terms chosen
	spread    []float64 // [P] sums of squares about the mean
	slopes    []float64 // [terms]
	about     float64   // the value where all terms are zero
}

// fit fits a leaf with these rows of the matrix, whose conditions are on the columns of path.
func (m *matrix) fit(s *scratch, rows []int32, path []int) fit {
	s.gather(m, rows)
	l := m.start(s)
	m.exclude(l, path)
	for range m.most {
		k := l.pick()
		if k < 0 {
			break
		}
		l.take(k, s.products(k))
		m.exclude(l, path)
	}
	return l.fit()
}

// start begins with the gathered rows.
func (m *matrix) start(s *scratch) *sums {
	s.one = append(s.one[:0], s.products(m.terms)...)
	s.target = append(s.target[:0], s.products(m.terms+1)...)
	s.square = sized(s.square, m.terms)
	s.squares(s.square)
	s.sums.start(m.terms, s.one, s.target, s.square, m.group, m.sign)
	return &s.sums
}

func (s *sums) fit() fit {
	f := fit{criterion: s.criterion, terms: slices.Clone(s.chosen[:s.best]), also: slices.Clone(s.chosen[s.best:])}
	f.spread, f.slopes, f.about = slices.Clone(s.full), s.slopes(), s.middle
	for k, b := range f.slopes {
		f.about -= float64(b * s.mean[f.terms[k]])
	}
	f.rest = make([]float64, len(s.own))
	for k, d := range s.own {
		if d > 0 {
			f.rest[k] = float64(s.target[k]*s.target[k]) / d
		}
	}
	return f
}
