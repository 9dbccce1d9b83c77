package data

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
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
