package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

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
	return m.kind().residual(m.Criterion())
}

// scoreOf returns the largest score inside the intervals of a level, or inside the sets of
// classes.
func scoreOf(m *Model, level float64, sets bool) (float64, error) {
	switch classes := m != nil && m.kind().sets(); {
	case classes && !sets:
		return 0, errors.New("model: classes have prediction sets, not intervals: request sets (--sets)")
	case sets && !classes:
		return 0, errors.New("model: numbers have prediction intervals, not sets: request an interval (--interval)")
	}
	return threshold(m, level)
}

// checkPredictions checks that predictions have the values of the model's response to N samples.
func checkPredictions(m *Model, p Predictions, N int) error {
	if got, want := len(p.All()), len(m.Values()); got != want {
		return fmt.Errorf("model: predictions of %d values; those of the model have %d", got, want)
	}
	for _, values := range append(p.All(), p.Values) {
		if len(values) != N {
			return fmt.Errorf("model: %d predictions of %d samples", len(values), N)
		}
	}
	return nil
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
	k := m.kind()
	if k.sets() {
		for i, in := range sets(p, score) {
			for n, is := range in {
				if is {
					sizes[n]++
					held[n] += k.observed(d, n, i)
				}
			}
		}
		return weighted.Mean(held, d.Weights), weighted.Mean(sizes, d.Weights)
	}
	low, high := k.intervals(m, p, score)
	values := k.values()
	for n := range held {
		held[n] = 1
		for c := range low {
			y, unit := k.observed(d, n, c), 1.0
			if len(low) > 1 {
				unit = values[c].Scale * float64(len(low))
			}
			sizes[n] += (high[c][n] - low[c][n]) / unit
			if !(y >= low[c][n] && y <= high[c][n]) {
				held[n] = 0
			}
		}
	}
	return weighted.Mean(held, d.Weights), weighted.Mean(sizes, d.Weights)
}
