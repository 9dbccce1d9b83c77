package data

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Moments are exact statistics of the values of a column that are not missing.
type Moments struct {
	N        int     // the number of values
	Weight   float64 // the sum of their weights as given
	Mean, SD float64 // weighted; divisor N-1, see Dataset.Weighed; SD is 0 for a constant column
	Min, Max float64
}

// spread is the state of Moments under way: those of the values so far, but Mean is the deviation from an origin among the values,
// which is exact where they are far from zero, and SD the root of the weighted mean of the squared deviations.
type spread struct {
	Moments
	origin float64
}

// merge adds the moments of further values (T. F. Chan, G. H. Golub, R. J. LeVeque, Algorithms for computing the sample variance,
// The American Statistician 37 (1983)).
func (s *spread) merge(o spread) {
	if s.N == 0 || o.N == 0 {
		if s.N == 0 {
			*s = o
		}
		return
	}
	weight := s.Weight + o.Weight
	before, after := s.Weight/weight, o.Weight/weight
	within := math.Hypot(s.SD*math.Sqrt(before), o.SD*math.Sqrt(after))
	between := o.origin - s.origin + (o.Mean - s.Mean)
	s.SD = math.Hypot(within, math.Abs(between)*math.Sqrt(before*after))
	s.Mean += float64(between * after)
	s.N, s.Weight = s.N+o.N, weight
	s.Min, s.Max = min(s.Min, o.Min), max(s.Max, o.Max)
}

// moments returns the moments of all values.
func (s spread) moments() Moments {
	m := s.Moments
	m.Mean += s.origin
	if m.N > 1 {
		m.SD *= math.Sqrt(float64(m.N) / float64(m.N-1))
	}
	if m.Min == m.Max {
		m.Mean, m.SD = m.Min, 0
	}
	return m
}

// spreadOf returns the moments of a few values; NaN is missing. Weights nil: all one.
func spreadOf(values, weights []float64) (s spread) {
	sum := 0.0 // of deviations from the first value
	for i, v := range values {
		if v != v {
			continue
		}
		if s.N == 0 {
			s.origin, s.Min, s.Max = v, v, v
		}
		s.N++
		if v < s.Min {
			s.Min = v
		} else if v > s.Max {
			s.Max = v
		}
		w := at(weights, i)
		s.Weight += w
		sum += float64((v - s.origin) * w)
	}
	if s.N == 0 || s.Min == s.Max {
		return s
	}
	if !numeric.Finite(sum) {
		return scaledSpread(s, values, weights)
	}
	s.Mean = sum / s.Weight
	unit := unitOf(s.Max - s.Min)
	squares := 0.0
	for i, v := range values {
		if v == v {
			d := (v - s.origin - s.Mean) / unit
			squares += float64(float64(d*d) * at(weights, i))
		}
	}
	s.SD = unit * math.Sqrt(squares/s.Weight)
	return s
}

// scaledSpread is spreadOf for values whose sums overflow.
func scaledSpread(s spread, values, weights []float64) spread {
	unit := unitOf(max(math.Abs(s.Min), math.Abs(s.Max)))
	small := make([]float64, len(values))
	for i, v := range values {
		small[i] = v / unit
	}
	scaled := spreadOf(small, weights)
	s.Mean, s.SD = scaled.Mean*unit, scaled.SD*unit
	return s
}

// unitOf returns a power of two near a positive number, by which division is exact.
func unitOf(v float64) float64 {
	_, exponent := math.Frexp(v)
	return math.Ldexp(1, min(exponent, 1023))
}

func at(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// tally counts the levels of a categorical column, by their number plus one: unknownLevel is the first.
type tally struct {
	counts  []int
	weights []float64
}

func (t *tally) add(level int, weight float64) {
	for len(t.counts) <= level+1 {
		t.counts, t.weights = append(t.counts, 0), append(t.weights, 0)
	}
	t.counts[level+1]++
	t.weights[level+1] += weight
}

// known returns the counts and weights of the levels that have a number.
func (t *tally) known() (counts []int, weights []float64) {
	if len(t.counts) == 0 {
		return nil, nil
	}
	return t.counts[1:], t.weights[1:]
}

// features returns the moments of the features of the column, [Width], after finish.
func (t *tally) features(c *table.Coder) []Moments {
	all := make([]spread, c.Width())
	x := make([]float64, c.Width())
	for i, n := range t.counts {
		if n == 0 {
			continue
		}
		c.Encode(x, float64(i-1))
		for m, v := range x {
			if !math.IsNaN(v) {
				all[m].merge(spread{Moments{N: n, Weight: t.weights[i], Min: v, Max: v}, v})
			}
		}
	}
	var moments []Moments
	for _, s := range all {
		moments = append(moments, s.moments())
	}
	return moments
}

// number returns the number of values of the column that are not missing.
func (t *tally) number() (n int) {
	for _, count := range t.counts {
		n += count
	}
	return n
}

// accumulator computes the moments of rows of K columns, of which some are categorical.
type accumulator struct {
	columns []*table.Coder // [K]
	pending []float64      // rows of K values, less than a block
	weights []float64      // of these rows

	weighted bool // weights differ from one

	spreads []spread  // [K]
	levels  []tally   // [K]
	values  []float64 // of a column of a block
}

// momentRows is the number of rows of a block of an accumulator.
const momentRows = 256

func newAccumulator(columns []*table.Coder) *accumulator {
	return &accumulator{columns: columns, spreads: make([]spread, len(columns)), levels: make([]tally, len(columns))}
}

// add adds a row. Its values are those of column.value.
func (a *accumulator) add(row []float64, weight float64) {
	a.pending, a.weights = append(a.pending, row...), append(a.weights, weight)
	a.weighted = a.weighted || weight != 1
	if len(a.weights) == momentRows {
		a.flush()
	}
}

func (a *accumulator) flush() {
	K, weights := len(a.columns), a.weights
	if !a.weighted {
		weights = nil
	}
	for k, c := range a.columns {
		if c.Encoding != table.Numeric {
			for i, w := range a.weights {
				if v := a.pending[i*K+k]; !math.IsNaN(v) {
					a.levels[k].add(int(v), w)
				}
			}
			continue
		}
		a.values = a.values[:0]
		for i := k; i < len(a.pending); i += K {
			a.values = append(a.values, a.pending[i])
		}
		a.spreads[k].merge(spreadOf(a.values, weights))
	}
	a.pending, a.weights = a.pending[:0], a.weights[:0]
}

func (a *accumulator) tallied(k int) (counts []int, weights []float64) { return a.levels[k].known() }

// of returns the moments of the features of columns from, below to, after finish.
func (a *accumulator) of(from, to int) (all []Moments) {
	for k := from; k < to; k++ {
		if c := a.columns[k]; c.Encoding == table.Numeric {
			all = append(all, a.spreads[k].moments())
		} else {
			all = append(all, a.levels[k].features(c)...)
		}
	}
	return all
}

// empty returns the name of the first of the columns from, below to, without a value; nothing if there is none.
func (a *accumulator) empty(from, to int) string {
	for k, c := range a.columns[from:to] {
		if c.At >= 0 && a.spreads[from+k].N == 0 && a.levels[from+k].number() == 0 {
			return c.Name
		}
	}
	return ""
}
