// Package wholetest makes small data sets that are samples of a [data.Whole], for tests.
package wholetest

import (
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Sample returns the given rows of d, from 0 and ascending, as a sample of all of d, whose rows lie in so many buckets: row n in bucket
// n modulo their number minus one, so that the last bucket is empty unless it is the only one.
func Sample(d *data.Dataset, rows []int, buckets int) *data.Dataset {
	s := d.Subset(rows)
	s.Whole = whole{d, buckets}
	return s
}

// Every returns a sample of the rows 0, n, 2 n, ... of d in seven buckets, see [Sample].
func Every(d *data.Dataset, n int) *data.Dataset {
	var rows []int
	for row := 0; row < d.Len(); row += n {
		rows = append(rows, row)
	}
	return Sample(d, rows, 7)
}

// whole is a data set in memory as a [data.Whole].
type whole struct {
	all     *data.Dataset
	buckets int
}

func (w whole) Len() int            { return w.all.Len() }
func (w whole) Weight() float64     { return numeric.WeightSum(w.all.Weights, w.all.Len()) }
func (w whole) Buckets() int        { return w.buckets }
func (w whole) Fingerprint() string { return w.all.Fingerprint() }

func (w whole) Features() (all []data.Moments) {
	for m := range w.all.Schema.Features() {
		values := make([]float64, w.all.Len())
		for n, row := range w.all.X {
			values[n] = row[m]
		}
		all = append(all, moments(values, w.all.Weights))
	}
	return all
}

func (w whole) Targets() (all []data.Moments) {
	if w.all.Schema.Classes != nil {
		return make([]data.Moments, 1)
	}
	for c := range w.all.Schema.Targets() {
		all = append(all, moments(w.all.Target(c).Y, w.all.Weights))
	}
	return all
}

func (w whole) ClassWeights() []float64 {
	if w.all.Schema.Classes == nil {
		return nil
	}
	sums := make([]float64, len(w.all.Schema.Classes))
	for n, y := range w.all.Y {
		sums[int(y)] += numeric.WeightAt(w.all.Weights, n)
	}
	return sums
}

func (w whole) Bucket(i int) (*data.Dataset, error) {
	var rows []int
	for n := range w.all.Len() {
		if n%max(1, w.buckets-1) == i {
			rows = append(rows, n)
		}
	}
	if rows == nil {
		return nil, nil
	}
	return w.all.Subset(rows), nil
}

// moments returns the moments of the values that are not missing.
func moments(values, weights []float64) data.Moments {
	m := data.Moments{Min: math.Inf(1), Max: math.Inf(-1)}
	for n, v := range values {
		if math.IsNaN(v) {
			continue
		}
		m.N++
		m.Weight += numeric.WeightAt(weights, n)
		m.Min, m.Max = min(m.Min, v), max(m.Max, v)
	}
	if m.N == 0 {
		return data.Moments{}
	}
	for n, v := range values {
		if !math.IsNaN(v) {
			m.Mean += float64(v * (numeric.WeightAt(weights, n) / m.Weight))
		}
	}
	if m.Min == m.Max {
		m.Mean = m.Min
		return m
	}
	scale, squares := m.Max-m.Min, 0.0
	for n, v := range values {
		if !math.IsNaN(v) {
			d := (v - m.Mean) / scale
			squares += float64(d * d * (numeric.WeightAt(weights, n) / m.Weight))
		}
	}
	m.SD = scale * math.Sqrt(squares*(float64(m.N)/float64(m.N-1)))
	return m
}
