package pages

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Clipped is the squared error of values that are limited to [Low, High], where a target lies at a limit or beyond: a value beyond it errs
// as the limit does. Other values err as they are.
type Clipped struct{ Low, High float64 }

// Binds reports whether a target lies at a limit.
func (c Clipped) Binds(y []float64) bool {
	return slices.ContainsFunc(y, func(v float64) bool { return c.at(v) != 0 })
}

// at returns the end of the numbers that is beyond the limit at which a target lies; zero if it lies at none.
func (c Clipped) at(y float64) float64 {
	switch {
	case y <= c.Low:
		return math.Inf(-1)
	case y >= c.High:
		return math.Inf(1)
	}
	return 0
}

func (c Clipped) beyond(v, y float64) bool {
	end := c.at(y)
	return end < 0 && v < c.Low || end > 0 && v > c.High
}

func (c Clipped) value(v, y float64) float64 {
	if c.beyond(v, y) {
		v = min(max(v, c.Low), c.High)
	}
	return float64((v - y) * (v - y))
}

// step is that of Newton's method: rows whose values are beyond their limit hardly count.
func (c Clipped) step(v, y float64) (z, w float64) {
	if c.beyond(v, y) {
		return y, leastWeight
	}
	return y, 2
}

// rough returns the upper bound that is a square: a value that is beyond its limit is to stay where it is.
func (c Clipped) rough(v, y, _ float64) (z, w float64) {
	if c.beyond(v, y) {
		return v, 1
	}
	return y, 1
}

func (c Clipped) centre(y, weight []float64) float64 { return numeric.WeightedMean(y, weight) }
func (c Clipped) in(unit float64) Loss               { return Clipped{c.Low / unit, c.High / unit} }
func (Clipped) scores() bool                         { return false }
func (Clipped) root() bool                           { return true }

// squares reports whether errors are squared, of values as they are or limited.
func (s Samples) squares() bool {
	l := s.measured().Loss
	_, clipped := l.(Clipped)
	return clipped || l == nil
}
