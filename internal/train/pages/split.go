package pages

import (
	"cmp"
	"math"
	"slices"
)

const (
	mostNamed = 3 // levels that a condition names
	closeBy   = 8 // a second border of a column is further away than a part of this many of its bins
)

// split is a split of a node, with the sum of the criteria of the leaves that it makes, less what counts of their means.
type split struct {
	column int
	bins   []bool // that go left
	value  float64
}

// view is what the scores of splits see of the rows of a node: few terms, a one and the target.
type view struct {
	rows  []int32   // of the matrix
	x     []float64 // [len(rows)][q]
	q     int
	group []int // [q-2] of the terms
	sign  []int // [q-2] of their slopes
}

// view shows rows by terms.
func (m *matrix) view(s *scratch, rows []int32, terms []int) *view {
	q := len(terms) + 2
	s.shown = sized(s.shown, len(rows)*q)
	v := &view{rows: rows, x: s.shown, q: q, group: make([]int, len(terms)), sign: make([]int, len(terms))}
	for k, t := range terms {
		v.group[k], v.sign[k] = m.group[t], m.sign[t]
	}
	for i, row := range rows {
		from, to := m.x[int(row)*m.width:][:m.width], v.x[i*q:][:q]
		for k, t := range terms {
			to[k] = from[t]
		}
		to[q-2], to[q-1] = from[m.terms], from[m.terms+1]
	}
	return v
}

// tally holds lower triangles of the products of the columns of a view with one another.
type tally struct {
	order []int32 // where the rows begin, by bins
	first []int32
	bins  []float64 // [bins][triangle]
	left  []float64 // [triangle] of the bins that go left
	right []float64
	total []float64
}

// zeros returns v with n zeros.
func zeros[T int32 | float64](v []T, n int) []T {
	v = sized(v, n)
	clear(v)
	return v
}

// count adds up the products of the rows of each bin.
func (t *tally) count(v *view, codes []uint8, bins int) {
	T := triangle(v.q)
	t.first, t.order = zeros(t.first, bins+2), sized(t.order, len(v.rows))
	for _, row := range v.rows {
		t.first[int(codes[row])+2]++
	}
	for b := 2; b < len(t.first); b++ {
		t.first[b] += t.first[b-1]
	}
	for i, row := range v.rows {
		b := int(codes[row]) + 1
		t.order[t.first[b]] = int32(i * v.q)
		t.first[b]++
	}
	t.bins, t.total, t.left, t.right = zeros(t.bins, bins*T), zeros(t.total, T), zeros(t.left, T), sized(t.right, T)
	for b := range bins {
		g, rows := t.bins[b*T:][:T], t.order[t.first[b]:t.first[b+1]]
		for ; len(rows) >= 4; rows = rows[4:] {
			addProducts(g, v.x[rows[0]:][:v.q], v.x[rows[1]:][:v.q], v.x[rows[2]:][:v.q], v.x[rows[3]:][:v.q])
		}
		for _, row := range rows {
			addProduct(g, v.x[row:][:v.q])
		}
		add(t.total, g)
	}
}

// add adds v to to.
func add(to, v []float64) {
	v = v[:len(to)]
	for i := range to {
		to[i] += v[i]
	}
}

// weight returns the sum of the weights of a triangle of q columns.
func weight(g []float64, q int) float64 { return g[triangle(q-1)-1] }

// fitTriangle fits a leaf of at most so many terms.
func (s *scratch) fitTriangle(v *view, g []float64, most int) *sums {
	p := v.q - 2
	one, target := g[triangle(p):], g[triangle(p+1):]
	s.one, s.target = append(append(s.one[:0], one[:p+1]...), target[p]), append(s.target[:0], target[:p+2]...)
	s.square = s.square[:0]
	for k := range p {
		s.square = append(s.square, g[triangle(k+1)-1])
	}
	l := &s.sums
	l.start(p, s.one, s.target, s.square, v.group, v.sign)
	for range most {
		k := l.pick()
		if k < 0 {
			break
		}
		s.column = append(s.column[:0], g[triangle(k):][:k+1]...)
		for i := k + 1; i < p; i++ {
			s.column = append(s.column, g[triangle(i)+k])
		}
		l.take(k, s.column)
	}
	return l
}

// scores returns the best splits of column number j. The slopes of term number different of the view differ between levels; -1: of none.
func (m *matrix) scores(s *scratch, v *view, c *column, j int, codes []uint8, least float64, different int) (splits []split) {
	s.tally.count(v, codes, c.bins)
	var seen []int
	for _, order := range s.orders(v, c, m.most, different) {
		if slices.Equal(order, seen) {
			continue
		}
		seen = order
		values := m.inTurn(s, v, c, order, least)
		m.separated(values, v.rows, codes, order, c.bins)
		splits = append(splits, c.best(j, values, order)...)
	}
	slices.SortStableFunc(splits, func(a, b split) int { return cmp.Compare(a.value, b.value) })
	return splits
}

// inTurn returns the value of each split with the bins order[:i+1] on the left. Infinite: not allowed.
func (m *matrix) inTurn(s *scratch, v *view, c *column, order []int, least float64) []float64 {
	t, T := &s.tally, triangle(v.q)
	values := make([]float64, len(order))
	clear(t.left)
	for i, b := range order {
		values[i] = math.Inf(1)
		add(t.left, t.bins[b*T:][:T])
		if i+1 == len(order) || c.isCategory() && c.named(order, i+1) == nil || c.closed != nil && c.closed[b] {
			continue
		}
		for k := range t.right {
			t.right[k] = t.total[k] - t.left[k]
		}
		if weight(t.left, v.q) >= least && weight(t.right, v.q) >= least {
			values[i] = s.fitTriangle(v, t.left, m.most).criterion
			values[i] += s.fitTriangle(v, t.right, m.most).criterion
		}
	}
	return values
}

// orders returns the bins that have rows, in order; those of a category without an order by their mean residual from a leaf of all rows,
// and by that of its product with a term.
func (s *scratch) orders(v *view, c *column, most, term int) [][]int {
	t, T, p := &s.tally, triangle(v.q), v.q-2
	var order []int
	for b := range c.bins {
		if t.first[b] < t.first[b+1] {
			order = append(order, b)
		}
	}
	if !c.isCategory() || c.Ordered {
		return [][]int{order}
	}
	l := s.fitTriangle(v, t.total, most)
	slopes := l.slopes()
	by := func(k int) []int {
		mean, order := make([]float64, c.bins), slices.Clone(order)
		for _, b := range order {
			g := t.bins[b*T:][:T]
			r := at(g, p+1, k) - float64(at(g, p, k)*l.middle)
			for u, slope := range slopes {
				j := l.chosen[u]
				r -= float64(slope * (at(g, j, k) - float64(at(g, p, k)*l.mean[j])))
			}
			mean[b] = r / (weight(g, v.q) + 5)
		}
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(mean[i], mean[j]) })
		return order
	}
	if term < 0 {
		return [][]int{by(p)}
	}
	return [][]int{by(p), by(term)}
}

// at returns the product of columns i and j of a triangle.
func at(g []float64, i, j int) float64 { return g[triangle(max(i, j))+min(i, j)] }

// named returns the bins of the side of a split that a condition names, with k bins of the order to the left; nil: there are too many.
func (c *column) named(order []int, k int) []int {
	left, right, other := order[:k], order[k:], len(c.levels)
	allowed := func(side []int) bool { return len(side) <= mostNamed && !slices.Contains(side, other) }
	switch {
	case allowed(left) && (len(left) <= len(right) || !allowed(right)):
		return left
	case allowed(right):
		return right
	}
	return nil
}

// goLeft returns the bins that go left, with k bins of the order. Cells of bins without rows are on the side that is not named.
func (c *column) goLeft(order []int, k int) []bool {
	left := make([]bool, c.bins)
	if !c.isCategory() {
		for b := range order[k-1] + 1 {
			left[b] = true
		}
		return left
	}
	named := c.named(order, k)
	onLeft := named[0] == order[0]
	for b := range left {
		left[b] = slices.Contains(named, b) == onLeft
	}
	return left
}

// best returns the two best splits of a column, the second one at some distance; fewer if there are none.
func (c *column) best(number int, values []float64, order []int) (splits []split) {
	distance := max(2, len(values)/closeBy)
	for range 2 {
		at := -1
		for i, v := range values {
			if v < math.Inf(1) && (at < 0 || v < values[at]) {
				at = i
			}
		}
		if at < 0 {
			break
		}
		splits = append(splits, split{number, c.goLeft(order, at+1), values[at]})
		for i := max(0, at-distance); i < min(len(values), at+distance+1); i++ {
			values[i] = math.Inf(1)
		}
	}
	return splits
}
