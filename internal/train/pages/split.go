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

// split is a split of a node, with the sum of the criteria of the leaves that it makes.
type split struct {
	column int
	bins   []bool // that go left
	value  float64
}

// view is what the scores of splits see of the rows of a node: few terms, a one and the target.
type view struct {
	rows   []int32   // of the matrix
	x      []float64 // [len(rows)][q]
	q      int
	terms  []int
	group  []int
	left   []uint8 // [len(rows)] the leaf that the row would be in to the left, and to the right; nil: one leaf on either side
	right  []uint8
	leaves [2]int
}

// view shows the node's rows by terms.
func (m *matrix) view(rows []int32, terms []int) *view {
	q := len(terms) + 2
	v := &view{rows: rows, x: make([]float64, len(rows)*q), q: q, terms: terms, group: make([]int, len(terms)), leaves: [2]int{1, 1}}
	for k, t := range terms {
		v.group[k] = m.group[t]
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

// tally holds the lower triangles of the products of the rows of a view, by bins of a column, and leaves.
type tally struct {
	order   []int32
	first   []int32
	cells   [2][]float64 // [bins][leaves][triangle], of the leaves to the left, and to the right
	passed  [2][]float64 // [leaves][triangle] of the bins that go left
	total   [2][]float64 // [leaves][triangle]
	rest    []float64    // [triangle]
	bins    []int        // in the order of the splits, those that have rows
	moments []float64    // [3][q]
}

// zeros returns v with n zeros.
func zeros(v []float64, n int) []float64 {
	v = sized(v, n)
	clear(v)
	return v
}

// count adds the products of the rows of bins and leaves up, on one side.
func (t *tally) count(v *view, side int, leaf, codes []uint8, bins int) {
	leaves, T := v.leaves[side], triangle(v.q)
	t.first = append(t.first[:0], make([]int32, bins*leaves+2)...)
	t.order = append(t.order[:0], make([]int32, len(v.rows))...)
	cell := func(i int) int {
		c := int(codes[v.rows[i]]) * leaves
		if leaf != nil {
			c += int(leaf[i])
		}
		return c
	}
	for i := range v.rows {
		t.first[cell(i)+2]++
	}
	for c := 2; c < len(t.first); c++ {
		t.first[c] += t.first[c-1]
	}
	for i := range v.rows {
		c := cell(i) + 1
		t.order[t.first[c]] = int32(i * v.q)
		t.first[c]++
	}
	t.cells[side], t.total[side] = zeros(t.cells[side], bins*leaves*T), zeros(t.total[side], leaves*T)
	for c := range bins * leaves {
		g, rows := t.cells[side][c*T:][:T], t.order[t.first[c]:t.first[c+1]]
		for ; len(rows) >= 4; rows = rows[4:] {
			addProducts(g, v.x[rows[0]:][:v.q], v.x[rows[1]:][:v.q], v.x[rows[2]:][:v.q], v.x[rows[3]:][:v.q])
		}
		for _, row := range rows {
			addProduct(g, v.x[row:][:v.q])
		}
		add(t.total[side][c%leaves*T:][:T], g)
	}
	t.passed[side] = zeros(t.passed[side], leaves*T)
}

func add(to, v []float64) {
	v = v[:len(to)]
	for i := range to {
		to[i] += v[i]
	}
}

// weight returns the sum of the weights of a triangle of q columns.
func weight(g []float64, q int) float64 { return g[triangle(q-1)-1] }

// criterion fits a leaf of the view from a triangle.
func (s *scratch) criterion(v *view, g []float64, most int) float64 {
	p := len(v.terms)
	s.tally.moments = sized(s.tally.moments, p)
	for k := range p {
		s.tally.moments[k] = g[triangle(k+1)-1]
	}
	one, target := g[triangle(p):], g[triangle(p+1):]
	s.pair[0], s.pair[1] = append(append(s.pair[0][:0], one[:p+1]...), target[p]), append(s.pair[1][:0], target[:p+2]...)
	l := &s.sums
	l.start(p, s.pair[0], s.pair[1], s.tally.moments, v.group)
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
	return l.criterion
}

// scores returns the value of each split of a column: number i has bins[:i+1] of the returned order to the left. Infinite: not allowed.
func (m *matrix) scores(s *scratch, v *view, c *column, codes []uint8, least float64) (values []float64, order []int) {
	t, T := &s.tally, triangle(v.q)
	simple := v.left == nil
	t.count(v, 0, v.left, codes, c.bins)
	if !simple {
		t.count(v, 1, v.right, codes, c.bins)
	}
	order = t.inOrder(s, m, v, c)
	values = make([]float64, len(order))
	for i, b := range order {
		values[i] = math.Inf(1)
		for side := range 2 {
			if n := v.leaves[side] * T; side == 0 || !simple {
				add(t.passed[side], t.cells[side][b*n:][:n])
			}
		}
		if i+1 == len(order) || c.isCategory() && c.named(order, i+1) == nil {
			continue
		}
		values[i] = t.value(s, m, v, least)
	}
	return values, order
}

// value returns the sum of the criteria of all leaves where the bins passed go left.
func (t *tally) value(s *scratch, m *matrix, v *view, least float64) float64 {
	T, sum, right := triangle(v.q), 0.0, 1
	if v.left == nil {
		right = 0 // the rows to the right are all but those passed
	}
	t.rest = sized(t.rest, T)
	for l := range v.leaves[0] {
		if weight(t.passed[0][l*T:][:T], v.q) < least {
			return math.Inf(1)
		}
	}
	for l := range v.leaves[1] {
		if weight(t.total[right][l*T:][:T], v.q)-weight(t.passed[right][l*T:][:T], v.q) < least {
			return math.Inf(1)
		}
	}
	for l := range v.leaves[0] {
		sum += s.criterion(v, t.passed[0][l*T:][:T], m.most)
	}
	for l := range v.leaves[1] {
		passed, total := t.passed[right][l*T:][:T], t.total[right][l*T:][:T]
		for i := range t.rest {
			t.rest[i] = total[i] - passed[i]
		}
		sum += s.criterion(v, t.rest, m.most)
	}
	return sum
}

// inOrder returns the bins that have rows, those of a category without an order by their mean residual from a leaf of all rows.
func (t *tally) inOrder(s *scratch, m *matrix, v *view, c *column) []int {
	T, leaves := triangle(v.q), v.leaves[0]
	p := len(v.terms)
	sum := make([]float64, T)
	all, residual := make([]float64, T), make([]float64, c.bins)
	var order []int
	for l := range leaves {
		add(all, t.total[0][l*T:][:T])
	}
	var b []float64
	byMean := c.isCategory() && !c.Ordered
	if byMean {
		s.criterion(v, all, m.most)
		b = s.sums.slopes()
	}
	for bin := range c.bins {
		clear(sum)
		for l := range leaves {
			add(sum, t.cells[0][(bin*leaves+l)*T:][:T])
		}
		n := weight(sum, v.q)
		if n <= 0 {
			continue
		}
		order = append(order, bin)
		if !byMean {
			continue
		}
		one, target := sum[triangle(p):], sum[triangle(p+1):]
		r := target[p] - float64(n*(all[triangle(p+1)+p]/s.sums.n))
		for k, slope := range b {
			j := s.sums.chosen[k]
			r -= float64(slope * (one[j] - float64(n*s.sums.mean[j])))
		}
		residual[bin] = r / (n + 5)
	}
	if byMean {
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(residual[i], residual[j]) })
	}
	return order
}

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
