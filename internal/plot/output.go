package plot

import (
	"errors"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Outputs returns the names of the values that a model predicts for a sample: several targets, classes, or levels of
// quantiles; nil for a single number.
func Outputs(m *model.Model) []string {
	values := m.Values()
	if len(values) == 1 && values[0].Level == 0 {
		return nil
	}
	var names []string
	for _, v := range values {
		names = append(names, v.Choice())
	}
	return names
}

// output is a value that a model predicts: number j of Outputs, or the only one.
type output struct {
	m *model.Model
	j int
}

// of returns the values in predictions [N].
func (o output) of(p model.Predictions) []float64 { return p.All()[o.j] }

// label returns the name of the value with its unit, escaped for people.
func (o output) label() string {
	v := o.m.Values()[o.j]
	return label(v.Title, v.Unit)
}

// observed returns what the value is to predict in a data set [N]; an error for a class.
func (o output) observed(d *data.Dataset) ([]float64, error) {
	if o.m.Schema.Classes != nil {
		return nil, errors.New("plot: classes have no residuals: draw confusion, roc or calibration")
	}
	return d.Target(o.j).Y, nil
}
