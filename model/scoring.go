package model

import (
	"cmp"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// scoring is what the losses of a criterion are computed from.
type scoring struct {
	Preprocessing
	Criterion
	data   *data.Dataset
	kind   kind
	values []Value
	units  []float64 // [J] of errors: the given one of a single target; of several it is the standard deviation of each
	unit   float64   // the given one
}

func newScoring(m *Model, d *data.Dataset, unit float64) scoring {
	s := scoring{Preprocessing: m.Preprocessing, Criterion: m.Criterion(), data: d, kind: m.kind(), values: m.Values(), unit: unit}
	for _, v := range s.values {
		s.units = append(s.units, cmp.Or(v.Scale, unit))
	}
	return s
}

// deviation returns the standard deviation of what the response predicts, in units; of several
// values the root of the sum of their squares.
func (s scoring) deviation() float64 {
	all, values := 0.0, make([]float64, s.data.Len())
	for j, unit := range s.units {
		for n := range values {
			values[n] = s.kind.observed(s.data, n, j)
		}
		_, sd, _, _ := moments(values, s.data.Weights)
		all = math.Hypot(all, sd/unit)
	}
	return all
}

// error returns the error of value j of the response to sample n, in its unit.
func (s scoring) error(v float64, n, j int) float64 {
	return (v - s.kind.observed(s.data, n, j)) / s.units[j]
}

// mean returns the mean over the targets.
func (s scoring) mean(response []float64, of func(j int, v float64) float64) float64 {
	if len(response) == 1 {
		return of(0, response[0])
	}
	sum, total := 0.0, 0.0
	for j, v := range response {
		w := weighted.At(s.Response.Weights, j)
		sum += float64(w * of(j, v))
		total += w
	}
	return sum / total
}

// whole returns the loss of the rules together on sample i of f, which is sample n of the data
// set.
func (s scoring) whole(f fired, i, n int) float64 {
	response := make([]float64, len(f.values))
	for j := range response {
		response[j] = f.values[j][i]
	}
	return s.of(s, response, n)
}

// alone returns the largest loss of the given rules, each read alone, on sample i of f, which
// is sample n of the data set.
func (s scoring) alone(f fired, i, n int, which []int) float64 {
	worst, J := 0.0, len(f.values)
	for _, r := range which {
		worst = max(worst, s.of(s, f.says[i][r*J:(r+1)*J], n))
	}
	return worst
}
