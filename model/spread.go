package model

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/rules"
)

// Spread is the scale s(x) of prediction intervals that follow the samples, which is what scores of a [Calibration] are divided by: the
// exponential of Level and of a piecewise linear curve for each of some features and for the prediction. It is one rule with curves for the
// logarithm of the absolute residual.
type Spread struct {
	Level  float64       `json:"level"`
	Curves []SpreadCurve `json:"curves"`
}

// SpreadCurve is the curve of a feature, in its own unit, or of the prediction; a feature that is missing counts as its training mean.
type SpreadCurve struct {
	Feature int       `json:"feature"` // in the order of the features; their number for the prediction
	Knots   []float64 `json:"knots"`
	Values  []float64 `json:"values"` // at the knots; beyond them, the nearest
}

// mostLogSpread is the largest sum of the values of a spread, so that it neither overflows nor is zero.
const mostLogSpread = 700

// check validates the spread of a model file.
func (s *Spread) check(p Preprocessing) error {
	if p.several() {
		return fmt.Errorf("spread: is for one number or count")
	}
	total, last := math.Abs(s.Level), -1
	for i, c := range s.Curves {
		if c.Feature <= last || c.Feature > len(p.Features) || len(c.Knots) < 2 || len(c.Values) != len(c.Knots) {
			return fmt.Errorf("spread.curves[%d]: feature %d, %d knots, %d values: want ascending features up to %d, and as many values as "+
				"knots, at least two", i, c.Feature, len(c.Knots), len(c.Values), len(p.Features))
		}
		last = c.Feature
		largest := 0.0
		for k, v := range c.Knots {
			if !numeric.Finite(v, c.Values[k]) || k > 0 && !(v > c.Knots[k-1]) || math.IsInf(v-c.Knots[0], 0) {
				return fmt.Errorf("spread.curves[%d].knots[%d]: %v, value %v: must be finite and ascending", i, k, v, c.Values[k])
			}
			largest = max(largest, math.Abs(c.Values[k]))
		}
		total += largest
	}
	if !(total <= mostLogSpread) {
		return fmt.Errorf("spread: the logarithm reaches %v: must be at most %d", total, mostLogSpread)
	}
	return nil
}

// scales returns the scales [N] of samples in the units of the table, with their predictions [N].
func (s *Spread) scales(p Preprocessing, x [][]float64, predicted []float64) []float64 {
	all := make([]float64, len(x))
	for n, row := range x {
		log := s.Level
		for _, c := range s.Curves {
			q, t := rules.Between(c.Knots, spreadInput(p, row, predicted[n], c.Feature))
			log += rules.Place{Knot: q, Share: t}.On(c.Values)
		}
		all[n] = math.Exp(log)
	}
	return all
}

// spreadInput returns what the curve of a feature, or of the prediction, is of.
func spreadInput(p Preprocessing, row []float64, predicted float64, feature int) float64 {
	switch {
	case feature == len(p.Features):
		return predicted
	case math.IsNaN(row[feature]):
		return p.Features[feature].Mean
	}
	return row[feature]
}

// several reports whether the response is neither one number nor a count: such models have no [Spread].
func (p Preprocessing) several() bool {
	return p.Schema.Classes != nil || p.Response.Targets != nil || p.Ordered()
}
