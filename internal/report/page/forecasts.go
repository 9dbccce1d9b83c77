package page

import (
	"context"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// The least and the most steps of a figure of forecasts.
const (
	leastShown = 60
	mostShown  = 240
)

// forecasts are those of the last times of a series, each from origins some steps before it.
type forecasts struct {
	Times    []string        `json:"times"`           // [N] empty: there is no row
	Observed []*float64      `json:"observed"`        // [N] null: unknown
	Naive    []*float64      `json:"naive,omitempty"` // [N]
	Baseline string          `json:"baseline"`        // what Naive are
	Steps    []stepForecasts `json:"steps"`

	Series string  // whose they are, where the data have several
	Lag    string  // of Naive, in words
	Level  float64 // of the intervals; 0: there are none

	place   map[int]int // in N by the row
	feature int         // that is Naive; -1: there is none
	lag     int
}

// stepForecasts are forecasts of a number of steps, and their errors in all of the data.
type stepForecasts struct {
	Ahead  string     `json:"ahead"`  // such as 2 hours
	Naive  bool       `json:"naive"`  // the naive forecast is known so long before
	Values []*float64 `json:"values"` // [N]
	Lower  []*float64 `json:"lower,omitempty"`
	Upper  []*float64 `json:"upper,omitempty"`

	Errors   model.Metrics
	Baseline model.Metrics // errors of the naive forecast
}

// newForecasts returns the forecasts of a model of time stamps; nil of another, of data whose times are not known, and of one time.
func newForecasts(m *model.Model, d *data.Dataset) (*forecasts, error) {
	spec := m.Schema.Time
	if spec == nil || d.Clock == nil {
		return nil, nil
	}
	p, err := m.Predict(d.X)
	if err != nil {
		return nil, err
	}
	f := lastTimes(m, d)
	if len(f.Times) < 2 {
		return nil, nil
	}
	add := func(step int, p model.Predictions, part *data.Dataset) error {
		if report.ShowsStep(step-spec.Horizon, spec.Steps()-spec.Horizon+1) {
			f.add(m, step, p, part)
		}
		return nil
	}
	if err := add(spec.Horizon, p, d); err != nil {
		return nil, err
	}
	return f, m.Rolling(context.Background(), d, add)
}

// lastTimes returns the last times of the first series, without forecasts.
func lastTimes(m *model.Model, d *data.Dataset) *forecasts {
	spec, clock := m.Schema.Time, d.Clock
	first, begin, last, several := clock.Series[d.Rows[0]-1], clock.Steps[d.Rows[0]-1], 0, false
	for _, row := range d.Rows {
		if clock.Series[row-1] != first {
			several = true
		} else {
			last = clock.Steps[row-1]
		}
	}
	shown := min(mostShown, last-begin+1, max(leastShown, 2*spec.SeasonSteps(), 3*spec.Steps()))
	f := &forecasts{Times: make([]string, shown), Observed: make([]*float64, shown), place: map[int]int{}, feature: -1}
	if several {
		f.Series = spec.Series + " " + clock.Names[first]
	}
	if features, names := m.Naive(); features != nil {
		f.feature, f.Baseline, f.Naive = features[len(features)-1], names[len(names)-1], make([]*float64, shown)
		if f.lag = spec.NaiveLag(); f.Baseline != "naive" {
			f.lag = spec.SeasonalLag()
		}
		f.Lag = spec.Words(f.lag)
	}
	for n, row := range d.Rows {
		at := clock.Steps[row-1] - last + shown - 1
		if clock.Series[row-1] != first || at < 0 {
			continue
		}
		f.place[row], f.Times[at], f.Observed[at] = at, clock.Times[row-1], known(d.Y[n])
		if f.feature >= 0 {
			f.Naive[at] = known(d.X[n][f.feature])
		}
	}
	return f
}

// known returns a number for a picture; nil for NaN.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	v = rounded(v)
	return &v
}

// add adds the forecasts of a step, which are those of the samples of a part.
func (f *forecasts) add(m *model.Model, step int, p model.Predictions, part *data.Dataset) {
	s := stepForecasts{Ahead: m.Schema.Time.Words(step), Naive: f.feature >= 0 && step <= f.lag, Errors: m.Measure(p, part),
		Values: make([]*float64, len(f.Times))}
	low, high, err := m.StepIntervals(p, step, words.UsualLevel)
	if err == nil {
		f.Level, s.Lower, s.Upper = words.UsualLevel, make([]*float64, len(f.Times)), make([]*float64, len(f.Times))
	}
	naive := model.Predictions{}
	for i, row := range part.Rows {
		if s.Naive {
			naive.Values = append(naive.Values, part.X[i][f.feature])
		}
		at, ok := f.place[row]
		if !ok {
			continue
		}
		if s.Values[at] = known(p.Values[i]); err == nil {
			s.Lower[at], s.Upper[at] = known(low[i]), known(high[i])
		}
	}
	if s.Naive {
		s.Baseline = m.Measure(naive, part)
	}
	f.Steps = append(f.Steps, s)
}

// mase returns the MASE of errors as text.
func mase(e model.Metrics) string {
	if e.Time == nil || e.Time.MASE == nil {
		return "\u2013"
	}
	return figure(*e.Time.MASE)
}
