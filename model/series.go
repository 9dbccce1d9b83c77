package model

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// TimeMetrics are the measures of forecasts besides the others; nil: unknown.
type TimeMetrics struct {
	MASE *float64 `json:"mase,omitempty"` // R. J. Hyndman, A. B. Koehler, Int. J. Forecast. 22 (2006)
	KGE  *float64 `json:"kge,omitempty"`  // H. V. Gupta, H. Kling, K. K. Yilmaz, G. F. Martinez, J. Hydrol. 377 (2009)
}

// measureTime returns the measures of forecasts of a data set whose other errors are e.
func (m *Model) measureTime(e Metrics, p Predictions, d *data.Dataset) *TimeMetrics {
	t := &TimeMetrics{KGE: numeric.OrNil(kge(p.Values, d.Y, d.Weights))}
	if scale := m.Schema.Time.Scale; scale > 0 {
		t.MASE = numeric.OrNil(e.MAE / scale)
	}
	return t
}

// kge returns the Kling-Gupta efficiency; NaN where the targets have no spread, or the mean zero.
func kge(predicted, target, weights []float64) float64 {
	pm, ps, _, _ := moments(predicted, weights)
	tm, ts, _, _ := moments(target, weights)
	covariance := 0.0
	for i, t := range target {
		covariance += float64(numeric.WeightAt(weights, i) * ((predicted[i] - pm) / ps) * ((t - tm) / ts))
	}
	r := covariance / numeric.WeightSum(weights, len(target)) * float64(len(target)) / float64(len(target)-1)
	if ps == 0 {
		r = 0
	}
	if ts == 0 || tm == 0 {
		return math.NaN()
	}
	return 1 - math.Sqrt(float64((r-1)*(r-1))+float64((ps/ts-1)*(ps/ts-1))+float64((pm/tm-1)*(pm/tm-1)))
}

// pastColumn returns the index among the features of the value of the target some steps before; -1 if it is none of them.
func pastColumn(s data.Schema, lag int) int {
	return slices.Index(s.Features(), s.Time.Name(s.Target, lag))
}

// Naive returns the features, and their names, that are the naive forecast of the target, its last known value, and the seasonal naive
// one, its last known value at the same place of a season. There are none of lags that are no features.
func (p Preprocessing) Naive() (features []int, names []string) {
	if p.Schema.Time == nil {
		return nil, nil
	}
	naive, seasonal := p.Schema.Time.NaiveLag(), p.Schema.Time.SeasonalLag()
	if at := pastColumn(p.Schema, naive); at >= 0 && seasonal != naive {
		features, names = append(features, at), append(names, "naive")
	}
	if at := pastColumn(p.Schema, seasonal); at >= 0 {
		features, names = append(features, at), append(names, "seasonal naive")
	}
	return features, names
}

// fitTime sets the scale of the errors of forecasts.
func (p *Preprocessing) fitTime(train *data.Dataset) {
	features, _ := p.Naive()
	if features == nil {
		return
	}
	var errors []float64
	at := features[len(features)-1]
	for n, x := range train.X {
		if e := math.Abs(train.Y[n] - x[at]); !math.IsNaN(e) {
			errors = append(errors, e)
		}
	}
	if scale := numeric.WeightedMean(errors, nil); numeric.Finite(scale) {
		spec := *p.Schema.Time
		spec.Scale, p.Schema.Time = scale, &spec
	}
}

// Rolling forecasts the samples of a data set with a clock from origins of one step before each, then two, to the last of Time of the
// schema, each from forecasts of earlier steps in place of targets after the origin. The function each gets, for each step after
// Time.Horizon, the samples whose forecasts need no row that is not in the data set. Rolling returns the error of each, or that of ctx when
// it ends.
func (m *Model) Rolling(ctx context.Context, d *data.Dataset, each func(step int, p Predictions, d *data.Dataset) error) error {
	spec := m.Schema.Time
	if spec == nil || d.Clock == nil {
		return nil
	}
	r := newRolling(d)
	first, err := m.predict(ctx, m.Fill(d).X, nil)
	if err != nil {
		return err
	}
	r.forecasts = slices.Repeat([][]float64{first.Values}, spec.Horizon+1) // those up to the horizon are the same
	for step := spec.Horizon + 1; step <= spec.Steps(); step++ {
		part, known := r.part(step)
		if part == nil {
			return nil
		}
		p, err := m.predict(ctx, m.Fill(part).X, nil)
		if err != nil {
			return err
		}
		all := slices.Repeat([]float64{math.NaN()}, d.Len())
		for i, n := range known {
			all[n] = p.Values[i]
		}
		r.forecasts = append(r.forecasts, all)
		if err := each(step, p, part); err != nil {
			return err
		}
	}
	return nil
}

// rolling are the forecasts of the samples of a data set by step.
type rolling struct {
	d         *data.Dataset
	when      []instant       // [N]
	rows      map[instant]int // sample by time
	columns   map[int]int     // feature by lag of the target
	forecasts [][]float64     // [step][N], NaN for none
}

// instant is a time of a series.
type instant struct{ series, at int }

func newRolling(d *data.Dataset) *rolling {
	r := &rolling{d: d, rows: map[instant]int{}, columns: map[int]int{}}
	for n, row := range d.Rows {
		r.when = append(r.when, instant{d.Clock.Series[row-1], d.Clock.Steps[row-1]})
		r.rows[r.when[n]] = n
	}
	for _, l := range d.Schema.Time.Lags {
		for _, lag := range l.Steps {
			if at := pastColumn(d.Schema, lag); l.Column == d.Schema.Target && at >= 0 {
				r.columns[lag] = at
			}
		}
	}
	return r
}

// part returns the samples of a forecast of a step, with earlier forecasts in place of targets after the origin, and their indices; nil if
// no sample has all of them.
func (r *rolling) part(step int) (part *data.Dataset, known []int) {
	var x [][]float64
	for n := range r.d.Y {
		row, ok := slices.Clone(r.d.X[n]), true
		for lag, at := range r.columns {
			if lag >= step {
				continue
			}
			from, there := r.rows[instant{r.when[n].series, r.when[n].at - lag}]
			if ok = ok && there && !math.IsNaN(r.forecasts[step-lag][from]); ok {
				row[at] = r.forecasts[step-lag][from]
			}
		}
		if ok {
			known, x = append(known, n), append(x, row)
		}
	}
	if known == nil {
		return nil, nil
	}
	part = r.d.Subset(known)
	part.X = x
	return part, known
}

// calibrateSteps adds the scores of the forecasts of steps after the horizon to the calibration.
func (m *Model) calibrateSteps(ctx context.Context, d *data.Dataset) error {
	return m.Rolling(ctx, d, func(_ int, p Predictions, part *data.Dataset) error {
		var s calibrating
		if err := s.measure(m, p, part); err != nil {
			return err
		}
		var c Calibration
		s.keep(&c, m.kind().sets())
		m.Calibration.Steps = append(m.Calibration.Steps, c)
		return nil
	})
}

// StepIntervals returns the bounds [N] of the prediction intervals of a level for forecasts of a step. The error is that of
// [Model.Intervals], also of a step that the model was not calibrated for.
func (m *Model) StepIntervals(p Predictions, step int, level float64) (low, high []float64, err error) {
	score, err := scoreOn(m, p, level, BothSides, false)
	if err != nil {
		return nil, nil, err
	}
	if after := step - m.Schema.Time.Horizon; after > len(m.Calibration.Steps) {
		return nil, nil, fmt.Errorf("model: no interval of step %d: train with data.calibration and data.horizon: %d..%d", step,
			m.Schema.Time.Horizon, step)
	} else if after > 0 {
		if score, err = m.Calibration.Steps[after-1].score(level, BothSides, false); err != nil {
			return nil, nil, err
		}
	}
	l, h := intervals(m, p, score, BothSides)
	return l[0], h[0], nil
}
