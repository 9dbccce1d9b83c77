package data

import (
	"math"
	"math/big"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// totals are exact statistics of rows of K columns: sums without rounding, so that those of pieces of a table add up to the same
// bits however the table is divided.
type totals struct {
	Numbers []total        // [K], of numeric columns
	Levels  [][]levelTotal // [K][L], of categorical ones, by the number of the level
	Rows    levelTotal     // of all rows

	columns []*table.Coder
	each    func(column int, v float64) // called with each number; nil: nothing is
}

// total is the statistics of the values of a numeric column.
type total struct {
	N, Ones  int              // values, and those of weight one
	Weight   numeric.ExactSum // of the other values
	Sum      numeric.ExactSum // of weight times value
	Squares  numeric.ExactSum // of weight times value squared
	Min, Max float64
}

// levelTotal is the number of rows of a level, as that of values of a total.
type levelTotal struct {
	N, Ones int
	Weight  numeric.ExactSum
}

func newTotals(columns []*table.Coder) *totals {
	return &totals{Numbers: make([]total, len(columns)), Levels: make([][]levelTotal, len(columns)), columns: columns}
}

// add, flush, of, empty and tallied make totals statistics.
func (t *totals) add(row []float64, weight float64) {
	t.Rows.add(weight)
	for k, v := range row {
		switch {
		case v != v:
		case t.columns[k].Encoding == table.Numeric:
			t.Numbers[k].add(v, weight)
			if t.each != nil {
				t.each(k, v)
			}
		default:
			t.level(k, int(v)).add(weight)
		}
	}
}

// level returns the total of a level, which it may make.
func (t *totals) level(k, n int) *levelTotal {
	for len(t.Levels[k]) <= n {
		t.Levels[k] = append(t.Levels[k], levelTotal{})
	}
	return &t.Levels[k][n]
}

func (t *totals) flush() {}

func (t *totals) of(from, to int) (all []Moments) {
	for k := from; k < to; k++ {
		if c := t.columns[k]; c.Encoding == table.Numeric {
			all = append(all, t.Numbers[k].moments())
		} else {
			all = append(all, ofLevels(c, t.Levels[k])...)
		}
	}
	return all
}

func (t *totals) empty(from, to int) string {
	for k, c := range t.columns[from:to] {
		n := t.Numbers[from+k].N
		for _, l := range t.Levels[from+k] {
			n += l.N
		}
		if n == 0 {
			return c.Name
		}
	}
	return ""
}

func (t *totals) tallied(k int) (counts []int, weights []float64) {
	for i := range t.Levels[k] {
		l := &t.Levels[k][i]
		w, _ := l.weight().Float64()
		counts, weights = append(counts, l.N), append(weights, w)
	}
	return counts, weights
}

// merge adds the totals of other rows, whose level n of column k is levels[k][n]; nil: n.
func (t *totals) merge(o *totals, levels [][]int) {
	t.Rows.merge(&o.Rows)
	for k := range t.Numbers {
		t.Numbers[k].merge(&o.Numbers[k])
		for n := range o.Levels[k] {
			at := n
			if levels[k] != nil {
				at = levels[k][n]
			}
			t.level(k, at).merge(&o.Levels[k][n])
		}
	}
}

func (s *total) add(v, weight float64) {
	if s.N == 0 {
		s.Min, s.Max = v, v
	}
	s.N++
	s.Min, s.Max = min(s.Min, v), max(s.Max, v)
	if weight == 1 {
		s.Ones++
		s.Sum.Add(v)
	} else {
		s.Weight.Add(weight)
		s.Sum.AddProduct(v, weight)
	}
	s.Squares.AddSquare(v, weight)
}

func (s *total) merge(o *total) {
	switch {
	case o.N == 0:
		return
	case s.N == 0:
		s.Min, s.Max = o.Min, o.Max
	}
	s.Min, s.Max = min(s.Min, o.Min), max(s.Max, o.Max)
	s.N, s.Ones = s.N+o.N, s.Ones+o.Ones
	s.Weight.Merge(&o.Weight)
	s.Sum.Merge(&o.Sum)
	s.Squares.Merge(&o.Squares)
}

// moments returns the moments, each number the float64 nearest to the exact one; SD to the last bit but one.
func (s *total) moments() Moments {
	if s.N == 0 {
		return Moments{}
	}
	return momentsOf(s.N, weightOf(s.Ones, &s.Weight), s.Sum.Rat(), s.Squares.Rat(), s.Min, s.Max)
}

func (l *levelTotal) add(weight float64) {
	l.N++
	if weight == 1 {
		l.Ones++
	} else {
		l.Weight.Add(weight)
	}
}

func (l *levelTotal) merge(o *levelTotal) {
	l.N, l.Ones = l.N+o.N, l.Ones+o.Ones
	l.Weight.Merge(&o.Weight)
}

func (l *levelTotal) weight() *big.Rat { return weightOf(l.Ones, &l.Weight) }

// weightOf returns the sum of so many ones and of other weights.
func weightOf(ones int, others *numeric.ExactSum) *big.Rat {
	return new(big.Rat).Add(new(big.Rat).SetInt64(int64(ones)), others.Rat())
}

// ofLevels returns the moments of the features of a categorical column, [Width].
func ofLevels(c *table.Coder, levels []levelTotal) []Moments {
	n, weight := 0, new(big.Rat)
	weights := make([]*big.Rat, len(c.Levels)) // in the final order
	counts := make([]int, len(c.Levels))
	for i := range levels {
		at := i
		if c.Rank != nil {
			at = c.Rank[i]
		}
		weights[at], counts[at] = levels[i].weight(), levels[i].N
		n += counts[at]
		weight.Add(weight, weights[at])
	}
	if c.Encoding == table.Ordinal {
		return []Moments{ofOrdinal(n, weight, counts, weights)}
	}
	all := make([]Moments, len(counts))
	for l, count := range counts {
		if n == 0 {
			continue
		}
		sum, low, high := new(big.Rat), 0.0, 0.0
		if count > 0 {
			sum, high = weights[l], 1
		}
		if count == n {
			low = 1
		}
		all[l] = momentsOf(n, weight, sum, sum, low, high)
	}
	return all
}

// ofOrdinal returns the moments of the numbers of levels, from 1.
func ofOrdinal(n int, weight *big.Rat, counts []int, weights []*big.Rat) Moments {
	sum, squares := new(big.Rat), new(big.Rat)
	low, high := 0.0, 0.0
	for l, count := range counts {
		if count == 0 {
			continue
		}
		if high = float64(l + 1); low == 0 {
			low = high
		}
		v := new(big.Rat).SetInt64(int64(l + 1))
		term := new(big.Rat).Mul(weights[l], v)
		sum.Add(sum, term)
		squares.Add(squares, term.Mul(term, v))
	}
	if n == 0 {
		return Moments{}
	}
	return momentsOf(n, weight, sum, squares, low, high)
}

// momentsOf returns the moments of n values from their weight and the weighted sums of them and of their squares.
func momentsOf(n int, weight, sum, squares *big.Rat, low, high float64) Moments {
	m := Moments{N: n, Min: low, Max: high}
	m.Weight, _ = weight.Float64()
	if m.Mean = low; low == high {
		return m
	}
	mean := new(big.Rat).Quo(sum, weight)
	m.Mean, _ = mean.Float64()
	variance := new(big.Rat).Quo(squares, weight)
	variance.Sub(variance, mean.Mul(mean, mean))
	variance.Mul(variance, big.NewRat(int64(n), int64(n-1)))
	if variance.Sign() > 0 {
		m.SD, _ = new(big.Float).Sqrt(new(big.Float).SetPrec(128).SetRat(variance)).Float64()
	}
	if math.IsInf(m.SD, 0) {
		m.SD = math.MaxFloat64
	}
	return m
}
