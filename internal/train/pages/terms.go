package pages

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

const (
	mostTerms = 40   // candidates
	mostWhole = 28   // of them without a cap, if there are more candidates
	besides   = 0.03 // least share of the rows on either side of a cap
	capWindow = 0.06 // share of the rows on either side of a quartile within which its cap may be
)

// numberTerms returns the terms of column number j: its range, and parts of it up to or from a cap.
func numberTerms(c *column, j int, sorted, weight []float64) []term {
	if c.NoThen {
		return nil
	}
	terms := []term{{column: j, level: -1, from: c.low, to: c.high}}
	n, last, caps := float64(len(sorted)), len(sorted)-1, []float64{c.low, c.high}
	if c.distinct < 5 {
		caps, n = nil, 0
	}
	for _, p := range []float64{0.25, 0.5, 0.75} {
		if n == 0 {
			break
		}
		at := roundest(sorted[int((p-capWindow)*n)], sorted[min(int((p+capWindow)*n), last)])
		below, _ := slices.BinarySearch(sorted, at)
		above := 0
		for above <= last && sorted[last-above] > at {
			above++
		}
		if slices.Contains(caps, at) || at < c.low || at > c.high || float64(min(below, above)) <= besides*n {
			continue
		}
		caps = append(caps, at)
		terms = append(terms, term{column: j, level: -1, from: c.low, to: at, capped: [2]bool{false, true}},
			term{column: j, level: -1, from: at, to: c.high, capped: [2]bool{true, false}})
	}
	for i := range terms {
		t := &terms[i]
		values := t.values(c)
		t.mean, t.sd = numeric.WeightedMean(values, weight), deviation(values, weight)
	}
	return slices.DeleteFunc(terms, func(t term) bool { return !(t.sd > 0 && t.sd <= math.MaxFloat64) })
}

// levelTerms returns the terms of column number j: the levels with enough rows, of two levels the last. Ordered categories have none.
func levelTerms(c *column, j int, weight []float64) (terms []term) {
	if c.Ordered || c.NoThen {
		return nil
	}
	count, total := make([]float64, len(c.Levels)+1), 0.0
	for i, code := range c.Codes {
		count[code] += weight[i]
		total += weight[i]
	}
	for _, l := range c.levels {
		if count[l] >= max(10, 0.01*total) && count[l] < total && (len(c.levels) != 2 || c.distinct > 2 || l == c.levels[1]) {
			terms = append(terms, term{column: j, level: l, sd: 1})
		}
	}
	return terms
}

// values returns the term's values of the cells of c, before they are standardised.
func (t *term) values(c *column) []float64 {
	values := make([]float64, max(len(c.Values), len(c.Codes)))
	for i := range values {
		values[i] = t.value(c, i)
	}
	return values
}

// value returns the term's value of row i of c, before it is standardised.
func (t *term) value(c *column, i int) float64 {
	if t.level >= 0 {
		if c.Codes[i] == t.level {
			return 1
		}
		return 0
	}
	v := c.Values[i]
	if v < t.from {
		v = t.from
	} else if v > t.to {
		v = t.to
	}
	return v
}

// standardised puts the values of term k at some rows, less their mean and over their standard deviation, into z, and returns them.
func (f *frame) standardised(z []float64, k int, rows []int32) []float64 {
	t := &f.terms[k]
	c := &f.columns[t.column]
	z = sized(z, len(rows))
	for i, row := range rows {
		z[i] = t.standardised(c, int(row))
	}
	return z
}

// standardised returns the term's value of row i of c, less its mean and over its standard deviation.
func (t *term) standardised(c *column, i int) float64 { return (t.value(c, i) - t.mean) / t.sd }

// useful returns the terms to keep of too many, by some of the rows: those without a cap by correlation with y, the others by forward
// selection.
func (f *frame) useful(s Samples) []int {
	var rows []int
	for _, i := range sample(f.n, rowsToFit) {
		rows = append(rows, int(i))
	}
	g, n := f.applied(s.at(rows)), f.n
	g.weight = pick(f.weight, rows)
	return g.selected(pick(s.Y, rows), n)
}

// selected is useful for rows that stand for n rows.
func (f *frame) selected(y []float64, n int) []int {
	m := f.matrix(y, sample(f.n, f.n), n, mostTerms)
	s := m.scratch()
	s.gather(m, sample(len(m.rows), len(m.rows)))
	l := m.start(s)
	by, score := make([]int, len(f.terms)), make([]float64, len(f.terms))
	for k := range by {
		if by[k] = k; l.own[k] > 0 {
			score[k] = math.Abs(l.target[k]) / math.Sqrt(l.own[k])
		}
	}
	slices.SortStableFunc(by, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	var keep []int
	for _, k := range by {
		if f.terms[k].capped == [2]bool{} && len(keep) < mostWhole {
			keep = append(keep, k)
		}
	}
	l.alone = true
	for range mostTerms {
		k := l.pick()
		if k < 0 || len(keep) == mostTerms {
			break
		}
		l.take(k, s.products(k))
		if !slices.Contains(keep, k) {
			keep = append(keep, k)
		}
	}
	slices.Sort(keep)
	return keep
}
