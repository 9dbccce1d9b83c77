package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
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

// measureResponse returns the errors of predictions without their counts.
func measureResponse(m *Model, p Predictions, d *data.Dataset) Metrics {
	if m.Response == nil || m.Response.Classes == nil {
		return measureNumbers(m, p, d)
	}
	classes := metric.MeasureClasses(p.Outputs, d.Y, d.Weights)
	return Metrics{Samples: d.Len(), Weighted: d.Weights != nil, Classes: &classes, Loss: classes.LogLoss}
}

// measureNumbers is measureResponse for targets of numbers.
func measureNumbers(m *Model, p Predictions, d *data.Dataset) Metrics {
	e := MeasureValues(p.Values, d.Y, d.Weights)
	if r := m.Response; r != nil && r.Targets != nil {
		e = measureTargets(r, p, d)
	}
	switch c := m.Criterion(); c.Name {
	case rmse.Name:
	case mae.Name:
		e.Loss = e.MAE
	case pinball.Name:
		for c, q := range m.Response.Quantiles {
			losses := make([]float64, d.Len())
			for n, y := range d.Y {
				losses[n] = pinballLoss(q, y-p.Outputs[c][n])
			}
			e.Pinball = append(e.Pinball, weighted.Mean(losses, d.Weights))
		}
		e.Loss = weighted.Mean(e.Pinball, nil)
	default:
		losses, s := make([]float64, d.Len()), newScoring(m, d, 1)
		for n, v := range p.Values {
			losses[n] = c.of(s, []float64{v}, n)
		}
		e.Loss = weighted.Mean(losses, d.Weights)
		e.Deviance = numeric.OrNil(e.Loss)
	}
	return e
}

// measureTargets returns the errors of several targets, each and together.
func measureTargets(r *Response, p Predictions, d *data.Dataset) Metrics {
	e := Metrics{Samples: d.Len(), Weighted: d.Weights != nil}
	squares, total := 0.0, 0.0
	for c, t := range r.Targets {
		one := d.Target(c)
		of := MeasureValues(p.Outputs[c], one.Y, one.Weights)
		of.Target = one.Schema.Target
		e.Targets = append(e.Targets, of)
		w, z := weighted.At(r.Weights, c), of.RMSE/t.Scaling()
		total += w
		squares += float64(w * (z * z))
		e.MAE += float64(w * (of.MAE / t.Scaling()))
		e.R2 += float64(w * of.R2)
	}
	e.RMSE = math.Sqrt(squares / total)
	e.MAE /= total
	e.R2 /= total
	e.Loss = e.RMSE
	return e
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
