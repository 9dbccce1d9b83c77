package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// Metrics are the errors of predictions. RMSE, MAE and R2 are those of Predictions.Values in
// the target's unit; of several targets means over the targets in standard deviations; zero
// for classes.
type Metrics struct {
	Target     string  `json:"target,omitempty"` // name, in Targets
	Samples    int     `json:"samples"`
	Weighted   bool    `json:"weighted,omitempty"` // RMSE, MAE and R2 are weighted means
	RMSE       float64 `json:"rmse"`
	MAE        float64 `json:"mae"`
	R2         float64 `json:"r2"` // for a constant target: 1 if predicted exactly, otherwise 0
	Uncovered  int     `json:"uncovered_points"`
	OutOfRange int     `json:"out_of_range"`
	Limited    int     `json:"limited"` // see Predictions

	Loss float64 `json:"-"` // the figure by which models are compared, see Criterion: RMSE for the squared loss

	Deviance *float64        `json:"deviance,omitempty"` // mean unit deviance, of counts and costs
	Pinball  []float64       `json:"pinball,omitempty"`  // [C] mean pinball loss of each quantile, in the target's unit
	Targets  []Metrics       `json:"targets,omitempty"`  // [C], of several targets
	Classes  *metric.Classes `json:"classes,omitempty"`
}

// measurable returns the weighed samples of a data set that is valid and has the features,
// targets and classes of a preprocessing; otherwise a *data.Error.
func measurable(p Preprocessing, d *data.Dataset) (*data.Dataset, error) {
	if err := p.CheckFeatures(d); err != nil {
		return nil, err
	}
	for _, list := range []struct {
		what      string
		got, want []string
	}{{"targets", d.Schema.Targets()[1:], p.Schema.Targets()[1:]}, {"classes", d.Schema.Classes, p.Schema.Classes}} {
		if !slices.Equal(list.got, list.want) {
			return nil, &data.Error{Message: fmt.Sprintf("the data have the %s %s, the training part %s", list.what, escape.List(list.got), escape.List(list.want))}
		}
	}
	return d.Weighed()
}

// MeasureValues compares predictions with targets [N], N at least 1. Weights [N] must be
// positive; nil: all one. Squares do not overflow; R2 is at least -math.MaxFloat64.
func MeasureValues(predicted, target, weights []float64) Metrics {
	e := Metrics{Samples: len(target), Weighted: weights != nil}
	largest := 0.0
	for i, t := range target {
		largest = max(largest, math.Abs(predicted[i]-t))
	}
	if largest == 0 {
		e.R2 = 1
		return e
	}
	total := weighted.Sum(weights, len(target))
	squares, absolute := 0.0, 0.0
	for i, t := range target {
		d, w := math.Abs(predicted[i]-t)/largest, weighted.At(weights, i)
		squares += float64(w * (d * d))
		absolute += float64(w * d)
	}
	e.RMSE = largest * math.Sqrt(squares/total)
	e.Loss = e.RMSE
	e.MAE = largest * (absolute / total)
	_, sd, _, _ := moments(target, weights)
	e.R2 = determination(e.RMSE, sd, len(target))
	return e
}

// determination returns R2 of n predictions, given the standard deviation of the target.
func determination(rmse, sd float64, n int) float64 {
	switch {
	case rmse == 0:
		return 1
	case !(sd > 0):
		return 0
	}
	ratio := rmse / sd
	return max(1-float64(ratio*ratio*(float64(n)/float64(n-1))), -math.MaxFloat64)
}
