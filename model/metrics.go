package model

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/weighted"
	"github.com/tskgraph/tskgraph/metric"
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

// MeasureMean measures the errors of predicting the training mean for every sample of a data set.
func (t Target) MeasureMean(d *data.Dataset) Metrics {
	predicted := make([]float64, d.Len())
	for i := range predicted {
		predicted[i] = t.Mean
	}
	return Measure(predicted, d.Y, d.Weights)
}

// Measure compares predictions with targets [N], N at least 1. Weights [N] must be
// positive; nil: all one. Squares do not overflow; R2 is at least -math.MaxFloat64.
func Measure(predicted, target, weights []float64) Metrics {
	e := Metrics{Samples: len(target), Weighted: weights != nil}
	largest := 0.0
	for i, t := range target {
		largest = max(largest, math.Abs(predicted[i]-t))
	}
	if largest == 0 {
		e.R2 = 1
		return e
	}
	n, total := float64(len(target)), weighted.Sum(weights, len(target))
	squares, absolute := 0.0, 0.0
	for i, t := range target {
		d, w := math.Abs(predicted[i]-t)/largest, weighted.At(weights, i)
		squares += float64(w * (d * d))
		absolute += float64(w * d)
	}
	e.RMSE = largest * math.Sqrt(squares/total)
	e.Loss = e.RMSE
	e.MAE = largest * (absolute / total)
	if _, sd, _, _ := moments(target, weights); sd > 0 {
		ratio := e.RMSE / sd
		e.R2 = max(1-float64(ratio*ratio*(n/(n-1))), -math.MaxFloat64)
	}
	return e
}

// String returns the metrics in one line.
func (e Metrics) String() string {
	if e.Classes != nil {
		return e.Classes.String()
	}
	return fmt.Sprintf("RMSE %.6g, MAE %.6g, R2 %.4f over %d %s", e.RMSE, e.MAE, e.R2, e.Samples, weighted.Samples(e.Weighted))
}
