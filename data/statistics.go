package data

import (
	"math"
	"math/big"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// statistics are those of rows of K columns, with values as table.Coder.Value gives them. Exact ones have no rounding in their sums, so
// that those of pieces of a table add up to the same bits however the table is divided; others have that of blocks of rows.
type statistics struct {
	Numbers []total        // [K], of columns of numbers; nil unless the statistics are exact
	Levels  [][]levelTotal // [K][1+L], of columns of levels: of cells that are none of the levels, then by the number of the level
	Blanks  []levelTotal   // [K], of missing cells; of columns whose missing cells are values, see table.Column.Missing
	Rows    levelTotal     // of all rows; empty unless the statistics are exact

	columns []*table.Coder
	each    func(column int, v float64) // called with each number; nil: nothing is

	spreads  []spread  // [K], of columns of numbers, unless the statistics are exact
	pending  []float64 // rows of K values, less than a block
	weights  []float64 // of these rows
	weighted bool      // weights differ from one
	values   []float64 // of a column of a block
}

// momentRows is the number of rows of a block.
const momentRows = 256

func newStatistics(columns []*table.Coder, exact bool) *statistics {
	s := &statistics{Levels: make([][]levelTotal, len(columns)), Blanks: make([]levelTotal, len(columns)), columns: columns}
	if exact {
		s.Numbers = make([]total, len(columns))
	} else {
		s.spreads = make([]spread, len(columns))
	}
	return s
}

// add adds a row. Rows of statistics that are not exact wait for flush.
func (s *statistics) add(row []float64, weight float64) {
	if s.Numbers == nil {
		s.pending, s.weights = append(s.pending, row...), append(s.weights, weight)
		if s.weighted = s.weighted || weight != 1; len(s.weights) == momentRows {
			s.flush()
		}
		return
	}
	s.Rows.add(weight)
	for k, v := range row {
		switch {
		case v != v:
			s.blank(k, weight)
		case !s.columns[k].Numbers():
			s.level(k, int(v)).add(weight)
		default:
			s.Numbers[k].add(v, weight)
			if s.each != nil {
				s.each(k, v)
			}
		}
	}
}

// flush adds the rows that wait, if any.
func (s *statistics) flush() {
	if s.Numbers != nil {
		return
	}
	K, weights := len(s.columns), s.weights
	if !s.weighted {
		weights = nil
	}
	for k, c := range s.columns {
		s.values = s.values[:0]
		for i := k; i < len(s.pending); i += K {
			s.values = append(s.values, s.pending[i])
		}
		if c.Numbers() {
			s.spreads[k].merge(spreadOf(s.values, weights))
		}
		for i, v := range s.values {
			if v != v {
				s.blank(k, s.weights[i])
			} else if !c.Numbers() {
				s.level(k, int(v)).add(s.weights[i])
			}
		}
	}
	s.pending, s.weights = s.pending[:0], s.weights[:0]
}

// blank adds a missing cell of column k, if such cells are values.
func (s *statistics) blank(k int, weight float64) {
	if s.columns[k].Own {
		s.Blanks[k].add(weight)
	}
}

// level returns the total of level n of column k, -1 for cells that are none of its levels; it may make it.
func (s *statistics) level(k, n int) *levelTotal {
	for len(s.Levels[k]) <= n+1 {
		s.Levels[k] = append(s.Levels[k], levelTotal{})
	}
	return &s.Levels[k][n+1]
}

// known returns the totals of the levels of column k, by number.
func (s *statistics) known(k int) []levelTotal { return s.Levels[k][min(1, len(s.Levels[k])):] }

// merge adds exact statistics of other rows, whose level n of column k is levels[k][n]; nil: n.
func (s *statistics) merge(o *statistics, levels [][]int) {
	s.Rows.merge(&o.Rows)
	for k := range s.Numbers {
		s.Numbers[k].merge(&o.Numbers[k])
		s.Blanks[k].merge(&o.Blanks[k])
		for n := range o.known(k) {
			at := n
			if levels[k] != nil {
				at = levels[k][n]
			}
			s.level(k, at).merge(&o.known(k)[n])
		}
	}
}

// number returns the moments of column k, of numbers.
func (s *statistics) number(k int) Moments {
	if s.Numbers != nil {
		return s.Numbers[k].moments()
	}
	return s.spreads[k].moments()
}

// of returns the moments of the features of columns from, below to, after table.Coder.Finish.
func (s *statistics) of(from, to int) (all []Moments) {
	for k := from; k < to; k++ {
		c := s.columns[k]
		switch levels := s.Levels[k]; {
		case c.Numbers() && c.Missing:
			all = append(all, s.number(k), s.missing(k))
		case c.Numbers():
			all = append(all, s.number(k))
		default:
			if at := c.Numbered(math.NaN()) + 1; s.Blanks[k].N > 0 && at > 0 {
				levels = append(slices.Clone(levels), make([]levelTotal, max(0, at+1-len(levels)))...)
				var both levelTotal
				both.merge(&levels[at])
				both.merge(&s.Blanks[k])
				levels[at] = both
			}
			all = append(all, ofLevels(c, levels)...)
		}
	}
	return all
}

// missing returns the moments of the indicator of missing cells of column k, of numbers.
func (s *statistics) missing(k int) Moments {
	known, blanks := s.number(k), &s.Blanks[k]
	ones, all := blanks.weight(), new(big.Rat).SetFloat64(known.Weight)
	low, high := 0.0, 0.0
	if known.N == 0 {
		low = 1
	}
	if blanks.N > 0 {
		high = 1
	}
	return momentsOf(known.N+blanks.N, all.Add(all, ones), ones, ones, low, high)
}

// empty returns the name of the first of the columns from, below to, without a value; nothing if there is none.
func (s *statistics) empty(from, to int) string {
	for k := from; k < to; k++ {
		c := s.columns[k]
		none := !slices.ContainsFunc(s.Levels[k], func(l levelTotal) bool { return l.N > 0 })
		if none && c.At >= 0 && (!c.Numbers() || s.number(k).N == 0) {
			return c.Name
		}
	}
	return ""
}

// tallied returns the rows and the weights of the levels of column k, by number.
func (s *statistics) tallied(k int) (counts []int, weights []float64) {
	for i := range s.known(k) {
		l := &s.known(k)[i]
		w, _ := l.weight().Float64()
		counts, weights = append(counts, l.N), append(weights, w)
	}
	return counts, weights
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

// ofLevels returns the moments of the features of a column of levels, [Width], of which first those of cells that are none.
func ofLevels(c *table.Coder, levels []levelTotal) []Moments {
	W, n, weight := c.Width(), 0, new(big.Rat)
	x, all := make([]float64, W), make([]Moments, W)
	sums, squares := make([]big.Rat, W), make([]big.Rat, W)
	for i := range levels {
		if levels[i].N == 0 {
			continue
		}
		if c.Encode(x, float64(i-1)); x[0] != x[0] {
			continue // missing
		}
		of := levels[i].weight()
		for m, v := range x {
			if n == 0 {
				all[m].Min, all[m].Max = v, v
			}
			all[m].Min, all[m].Max = min(all[m].Min, v), max(all[m].Max, v)
			if v != 0 {
				term, value := new(big.Rat).Set(of), new(big.Rat).SetFloat64(v)
				sums[m].Add(&sums[m], term.Mul(term, value))
				squares[m].Add(&squares[m], term.Mul(term, value))
			}
		}
		n += levels[i].N
		weight.Add(weight, of)
	}
	for m := range all {
		if n > 0 {
			all[m] = momentsOf(n, weight, &sums[m], &squares[m], all[m].Min, all[m].Max)
		}
	}
	return all
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
