package model

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/weighted"
)

// Metrics are the errors of predictions, in the target's unit.
type Metrics struct {
	Samples    int     `json:"samples"`
	Weighted   bool    `json:"weighted,omitempty"` // RMSE, MAE and R2 are weighted means
	RMSE       float64 `json:"rmse"`
	MAE        float64 `json:"mae"`
	R2         float64 `json:"r2"` // for a constant target: 1 if predicted exactly, otherwise 0
	Uncovered  int     `json:"uncovered_points"`
	OutOfRange int     `json:"out_of_range"`
	Limited    int     `json:"limited"` // see Predictions
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
	e.MAE = largest * (absolute / total)
	if _, sd, _, _ := moments(target, weights); sd > 0 {
		ratio := e.RMSE / sd
		e.R2 = max(1-float64(ratio*ratio*(n/(n-1))), -math.MaxFloat64)
	}
	return e
}

// String returns the metrics in one line.
func (e Metrics) String() string {
	return fmt.Sprintf("RMSE %.6g, MAE %.6g, R2 %.4f over %d %s", e.RMSE, e.MAE, e.R2, e.Samples, weighted.Samples(e.Weighted))
}
