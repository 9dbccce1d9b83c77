package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// conformity returns the score of the targets of sample n, see [Calibration].
func conformity(m *Model, p Predictions, d *data.Dataset, n int) float64 {
	y := d.Y[n]
	switch r := m.Response; {
	case r == nil:
	case r.Classes != nil:
		return 1 - p.Outputs[int(y)][n]
	case r.Quantiles != nil:
		return max(p.Outputs[0][n]-y, y-p.Outputs[len(p.Outputs)-1][n])
	case r.Targets != nil:
		worst := 0.0
		for c, t := range r.Targets {
			worst = max(worst, math.Abs(observed(m.Preprocessing, d, n, c)-p.Outputs[c][n])/t.Scaling())
		}
		return worst
	}
	return math.Abs(y-p.Values[n]) / residualUnit(m, p.Values[n])
}

// residualUnit returns the unit of the residuals of a prediction of one target, see [ResidualUnit].
func residualUnit(m *Model, prediction float64) float64 {
	minimum, power := ResidualUnit(m)
	switch mu := max(prediction, minimum); power {
	case 1:
		return mu
	case 0.5:
		return math.Sqrt(mu)
	}
	return 1
}

// ResidualUnit returns what the residuals of one target are divided by in a [Calibration]: max(prediction, minimum)^power.
// With the log link it is the root of the variance function, with the power 1/2 or 1; otherwise the power is 0.
func ResidualUnit(m *Model) (minimum, power float64) {
	switch {
	case m.Link() != logLink:
		return 0, 0
	case m.Criterion().Name == gamma.Name:
		return least * m.Target.Mean, 1
	}
	return least * m.Target.Mean, 0.5
}

// scoreOf returns the largest score inside the intervals of a level, or inside the sets of
// classes.
func scoreOf(m *Model, level float64, sets bool) (float64, error) {
	switch classes := m != nil && m.Schema.Classes != nil; {
	case classes && !sets:
		return 0, errors.New("model: classes have prediction sets, not intervals: request sets (--sets)")
	case sets && !classes:
		return 0, errors.New("model: numbers have prediction intervals, not sets: request an interval (--interval)")
	}
	return threshold(m, level)
}

// checkPredictions checks that predictions have the values of the model's response to N samples.
func checkPredictions(m *Model, p Predictions, N int) error {
	if J := m.Response.size(); J > 1 && len(p.Outputs) != J {
		return fmt.Errorf("model: predictions of %d values; those of the model have %d", len(p.Outputs), J)
	}
	for _, values := range append([][]float64{p.Values}, p.Outputs...) {
		if len(values) != N {
			return fmt.Errorf("model: %d predictions of %d samples", len(values), N)
		}
	}
	return nil
}

// intervals returns the bounds [T][N] of the targets whose score is at most the given one.
func intervals(m *Model, p Predictions, score float64) (low, high [][]float64) {
	bounds := func(centre []float64, unit func(n int) float64) {
		lows, highs := make([]float64, len(centre)), make([]float64, len(centre))
		for n, v := range centre {
			lows[n], highs[n] = v-float64(score*unit(n)), v+float64(score*unit(n))
		}
		low, high = append(low, lows), append(high, highs)
	}
	switch r := m.Response; {
	case r != nil && r.Targets != nil:
		for c, t := range r.Targets {
			bounds(p.Outputs[c], func(int) float64 { return t.Scaling() })
		}
	case r != nil && r.Quantiles != nil:
		bounds(p.Outputs[0], func(int) float64 { return 1 })
		_, high[0] = low[0], make([]float64, len(p.Values))
		for n, v := range p.Outputs[len(p.Outputs)-1] {
			if high[0][n] = v + score; high[0][n] < low[0][n] { // the interval is empty
				middle := low[0][n] + float64((high[0][n]-low[0][n])/2)
				low[0][n], high[0][n] = middle, middle
			}
		}
	default:
		bounds(p.Values, func(n int) float64 { return residualUnit(m, p.Values[n]) })
		for n, v := range low[0] {
			if m.Link() == logLink {
				low[0][n] = max(0, v)
			}
		}
	}
	return low, high
}

// sets returns the sets [K][N] of the classes whose score is at most the given one, and the
// most probable class.
func sets(p Predictions, score float64) [][]bool {
	in := make([][]bool, len(p.Outputs))
	for k, probabilities := range p.Outputs {
		in[k] = make([]bool, len(probabilities))
		for n, v := range probabilities {
			in[k][n] = 1-v <= score || k == metric.MostProbable(p.Outputs, n)
		}
	}
	return in
}

// coverage returns the results of [Model.Coverage] for predictions of a data set.
func coverage(m *Model, d *data.Dataset, p Predictions, score float64) (share, size float64) {
	sizes, held := make([]float64, d.Len()), make([]float64, d.Len())
	if m.Schema.Classes != nil {
		for k, in := range sets(p, score) {
			for n, is := range in {
				if is {
					sizes[n]++
					held[n] += observed(m.Preprocessing, d, n, k)
				}
			}
		}
	} else {
		low, high := intervals(m, p, score)
		for n := range held {
			held[n] = 1
			for c := range low {
				y, unit := observed(m.Preprocessing, d, n, c), 1.0
				if len(low) > 1 {
					unit = m.Response.Targets[c].Scaling() * float64(len(low))
				}
				sizes[n] += (high[c][n] - low[c][n]) / unit
				if !(y >= low[c][n] && y <= high[c][n]) {
					held[n] = 0
				}
			}
		}
	}
	return weighted.Mean(held, d.Weights), weighted.Mean(sizes, d.Weights)
}
