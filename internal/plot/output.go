package plot

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

// Outputs returns the names of the values that a model predicts for a sample: several targets, classes, or levels of
// quantiles; nil for a single number.
func Outputs(m *model.Model) []string {
	switch r := m.Response; {
	case r == nil:
	case r.Targets != nil:
		return m.Schema.Targets()
	case r.Classes != nil:
		return m.Schema.Classes
	case r.Quantiles != nil:
		var names []string
		for _, q := range r.Quantiles {
			names = append(names, strconv.FormatFloat(q, 'g', -1, 64))
		}
		return names
	}
	return nil
}

// output is a value that a model predicts: number j of Outputs, or the only one.
type output struct {
	m *model.Model
	j int
}

// of returns the values in predictions [N].
func (o output) of(p model.Predictions) []float64 {
	if p.Outputs == nil {
		return p.Values
	}
	return p.Outputs[o.j]
}

// label returns the name of the value with its unit, escaped for people.
func (o output) label() string {
	s := o.m.Schema
	switch r := o.m.Response; {
	case r != nil && r.Targets != nil && o.j > 0:
		return label(s.Others[o.j-1].Name, s.Others[o.j-1].Unit)
	case r != nil && r.Classes != nil:
		return "probability of " + escape.Text(s.Classes[o.j])
	case r != nil && r.Quantiles != nil:
		return fmt.Sprintf("%g quantile of %s", r.Quantiles[o.j], label(s.Target, s.TargetUnit))
	}
	return label(s.Target, s.TargetUnit)
}

// observed returns what the value is to predict in a data set [N]; an error for a class.
func (o output) observed(d *data.Dataset) ([]float64, error) {
	if o.m.Schema.Classes != nil {
		return nil, errors.New("plot: classes have no residuals: draw confusion, roc or calibration")
	}
	if r := o.m.Response; r != nil && r.Targets != nil {
		return d.Target(o.j).Y, nil
	}
	return d.Y, nil
}
