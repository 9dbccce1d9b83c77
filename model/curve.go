package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

const (
	curveKnots = 65 // at most, at evenly spaced quantiles of the training part
	curveLimit = 8  // of a curve's values, in standard deviations
)

// Curve is a strictly increasing map from a feature's own unit to the scale on which
// antecedents see it: straight between knots, going on with the first and the last
// slope outside them, and limited to -8 and 8.
//
// [Preprocessing.Straighten] fits it.
type Curve struct {
	From []float64 `json:"from"` // the knots, ascending, in the feature's unit; two at least
	To   []float64 `json:"to"`   // their values, ascending
}

// Value returns the value at v.
func (c *Curve) Value(v float64) float64 {
	return max(-curveLimit, min(curveLimit, interpolate(c.From, c.To, v)))
}

// Inverse returns where the curve has the value u, in the feature's unit. It is
// not limited.
func (c *Curve) Inverse(u float64) float64 { return interpolate(c.To, c.From, u) }

// interpolate returns the straight line through the two knots nearest to v.
func interpolate(from, to []float64, v float64) float64 {
	i := min(max(sort.SearchFloat64s(from, v), 1), len(from)-1)
	return to[i-1] + (v-from[i-1])*((to[i]-to[i-1])/(from[i]-from[i-1]))
}

// fitCurve fits a curve to the values of a feature, of mean and standard deviation
// as given: the mean of the z-score and the rank, both scaled to standard deviation
// one. A feature that takes two values only has a straight line. The result has mean
// zero and standard deviation one over the values.
func fitCurve(values []float64, mean, sd float64) *Curve {
	sorted := slices.Sorted(slices.Values(values))
	last := len(sorted) - 1
	c := &Curve{}
	for k := range curveKnots {
		v := sorted[(k*last+(curveKnots-1)/2)/(curveKnots-1)]
		if n := len(c.From); n > 0 && !(v > c.From[n-1]) {
			continue
		}
		c.From = append(c.From, v)
		c.To = append(c.To, ((v-mean)/sd+rank(sorted, v))/2)
	}
	m, s, _, _ := moments(c.over(values))
	for i, u := range c.To {
		c.To[i] = (u - m) / s
	}
	return c.thinned()
}

// rank returns the rank of v in sorted values, the mean of all ranks where it is
// there more than once, scaled to mean zero and, were there no ties, standard
// deviation one.
func rank(sorted []float64, v float64) float64 {
	first := sort.SearchFloat64s(sorted, v)
	end := first + sort.Search(len(sorted)-first, func(i int) bool { return sorted[first+i] > v })
	middle := float64(first+end-1) / 2 / float64(len(sorted)-1)
	return math.Sqrt(12) * (middle - 0.5)
}

// over returns the curve's values, without the limit.
func (c *Curve) over(values []float64) []float64 {
	u := make([]float64, len(values))
	for i, v := range values {
		u[i] = interpolate(c.From, c.To, v)
	}
	return u
}

// thinned leaves out knots that are too near to the one before to have a slope.
func (c *Curve) thinned() *Curve {
	t := &Curve{From: c.From[:1], To: c.To[:1]}
	for i := 1; i < len(c.From); i++ {
		n := len(t.From) - 1
		rise := (c.To[i] - t.To[n]) / (c.From[i] - t.From[n])
		if c.To[i] > t.To[n] && finite(rise, 1/rise) {
			t.From, t.To = append(t.From, c.From[i]), append(t.To, c.To[i])
		}
	}
	return t
}

// check says what keeps the curve from being one.
func (c *Curve) check() error {
	if len(c.From) < 2 || len(c.From) != len(c.To) {
		return fmt.Errorf("%d knots with %d values: must be as many, at least two", len(c.From), len(c.To))
	}
	if !finite(c.From...) || !finite(c.To...) {
		return errors.New("knots must be finite")
	}
	for i := 1; i < len(c.From); i++ {
		rise := (c.To[i] - c.To[i-1]) / (c.From[i] - c.From[i-1])
		if !(c.From[i] > c.From[i-1] && c.To[i] > c.To[i-1] && finite(rise, 1/rise)) {
			return fmt.Errorf("knots %d and %d: must ascend", i-1, i)
		}
	}
	return nil
}
