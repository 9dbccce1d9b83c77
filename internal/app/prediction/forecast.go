package prediction

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/series"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/model"
)

// Forecast are the forecasts of a series.
type Forecast struct {
	Series     string // its name, where a table has several
	PastTimes  []string
	Past       []float64 // [P] the last known targets
	Times      []string  // [N]
	Values     []float64 // [N]
	Lower      []float64 // [N] bounds of the intervals; nil: none
	Upper      []float64
	Name, Unit string // of the target
}

// mostPast is how many known targets a Forecast has for each of its steps, at least two seasons.
const mostPast = 2

// ForecastTable forecasts so many steps after the last target of each series of a history, with intervals of a level; 0: none. Beyond the
// horizon of the model, forecasts stand for targets. What is known in advance comes from rows of the history.
func ForecastTable(ctx context.Context, m *model.Model, in data.Input, steps int, level float64) ([]*Forecast, error) {
	spec := m.Schema.Samples()
	if spec == nil {
		return nil, message.Usagef("the model is not of a table of time stamps: train with data.time and data.lags")
	}
	for _, l := range spec.Lags {
		for _, lag := range l.Steps {
			if l.Column != spec.Target && !l.Ahead() && lag < steps {
				return nil, message.Usagef("--steps %d: %s of %d steps before is not known then: forecast at most %d, or train with longer lags, or "+
					"lag 0 if it is known in advance", steps, escape.Quote(l.Column), lag, lag)
			}
		}
	}
	in.Samples = spec
	h, err := table.ReadHistory(in, "auto")
	if err != nil {
		return nil, err
	}
	var all []*Forecast
	for _, one := range h.Series {
		if one.End < one.First {
			return nil, &data.Error{File: in.Name, Message: fmt.Sprintf("no row%s has a value of %s: give the past", ofSeries(one.Name),
				escape.Quote(spec.Target))}
		}
		f := &Forecast{Series: one.Name, Name: m.Schema.Target, Unit: m.Schema.TargetUnit}
		for p := max(one.First, one.End+1-max(mostPast*steps, 2*h.Spec.SeasonSteps())); p <= one.End; p++ {
			v, ok := table.ParseNumber(h.Target(one, p))
			if !ok {
				v, ok = table.ParseComma(h.Target(one, p))
			}
			if ok {
				f.PastTimes, f.Past = append(f.PastTimes, h.Stamp(p)), append(f.Past, v)
			}
		}
		all = append(all, f)
	}
	for step := 1; step <= steps; step++ {
		if err := forecastStep(ctx, m, in.Name, h, all, step, level); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// CheckIntervals returns why a model has no intervals of a level for so many steps; nil if it has.
func CheckIntervals(m *model.Model, steps int, level float64) error {
	for step := m.Schema.Time.Horizon; step <= max(steps, m.Schema.Time.Horizon); step++ {
		if _, _, err := m.StepIntervals(model.Predictions{Values: []float64{}}, step, level); err != nil {
			return err
		}
	}
	return nil
}

// forecastStep forecasts one step of all series.
func forecastStep(ctx context.Context, m *model.Model, name string, h *series.History, all []*Forecast, step int, level float64) error {
	samples := &series.Samples{Columns: h.Columns()}
	for _, one := range h.Series {
		cells, line, missing := h.Sample(one, one.End+step)
		if missing != "" {
			return &data.Error{File: name, Message: fmt.Sprintf("the forecast of %s needs %s: give the table a row of that time%s",
				escape.Text(h.Stamp(one.End+step)), missing, ofSeries(one.Name))}
		}
		samples.Cells, samples.Lines = append(samples.Cells, cells), append(samples.Lines, line)
	}
	policy := table.MissingError
	if m.ImputeMeans {
		policy = table.MissingMean
	}
	x, err := table.ReadSamples(name, samples, h.Delimiter, m.Schema, policy)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	p, err := m.Predict(x)
	if err != nil {
		return err
	}
	var low, high []float64
	if level > 0 {
		if low, high, err = m.StepIntervals(p, step, level); err != nil {
			return err
		}
	}
	for i, one := range h.Series {
		f := all[i]
		f.Times, f.Values = append(f.Times, h.Stamp(one.End+step)), append(f.Values, p.Values[i])
		if low != nil {
			f.Lower, f.Upper = append(f.Lower, low[i]), append(f.Upper, high[i])
		}
		h.Forecast(one, one.End+step, table.NumberText(p.Values[i]))
	}
	return nil
}

func ofSeries(name string) string {
	if name == "" {
		return ""
	}
	return " of " + escape.Quote(name)
}

// WriteForecasts writes forecasts as delimited text.
func WriteForecasts(w io.Writer, m *model.Model, all []*Forecast) error {
	spec := m.Schema.Time
	head := []string{spec.Time}
	if spec.Series != "" {
		head = append(head, spec.Series)
	}
	head = append(head, m.Schema.Target+"_predicted")
	if all[0].Lower != nil {
		head = append(head, m.Schema.Target+"_lower", m.Schema.Target+"_upper")
	}
	c := csv.NewWriter(w)
	if err := c.Write(head); err != nil {
		return err
	}
	for _, f := range all {
		for n := range f.Values {
			record := []string{f.Times[n]}
			if spec.Series != "" {
				record = append(record, f.Series)
			}
			record = append(record, table.NumberText(f.Values[n]))
			if f.Lower != nil {
				record = append(record, table.NumberText(f.Lower[n]), table.NumberText(f.Upper[n]))
			}
			if err := c.Write(record); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}
