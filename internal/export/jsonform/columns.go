package jsonform

import (
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

var kinds = map[export.Kind]string{export.Numbers: "numbers", export.Quantiles: "quantiles", export.Classes: "classes"}

// column is an [export.Column].
type column struct {
	Name     string   `json:"name"`
	Unit     string   `json:"unit"`
	Encoding string   `json:"encoding"` // numeric, ordinal or onehot
	Levels   []string `json:"levels"`   // null for a numeric column
	First    int      `json:"first"`
	Width    int      `json:"width"`
	Min      number   `json:"min"`
	Max      number   `json:"max"`
	Marks    marks    `json:"marks"`
}

// marks are the texts and the numbers that mark a missing value of a column, besides those that do in every table.
type marks struct {
	Texts   []string `json:"texts"`
	Numbers []number `json:"numbers"`
}

// feature is an [export.Feature].
type feature struct {
	Name    string `json:"name"`
	Column  int    `json:"column"`
	Missing number `json:"missing"`
}

// output is an [export.Output].
type output struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	Level  *number `json:"level"` // null except for a quantile
	Column string  `json:"column"`
}

func columns(f *export.Form) []column {
	all := []column{}
	for _, c := range f.Columns {
		all = append(all, column{c.Name, c.Unit, string(c.Encoding), c.Levels, c.First, c.Width, number(c.Min), number(c.Max), marksOf(f, c.Name)})
	}
	return all
}

func marksOf(f *export.Form, column string) marks {
	texts, numbers := f.Model.Schema.NA.Marks(column)
	m := marks{Texts: append([]string{}, texts...), Numbers: []number{}}
	for _, v := range numbers {
		m.Numbers = append(m.Numbers, number(v))
	}
	return m
}

func features(f *export.Form) []feature {
	all := []feature{}
	for _, one := range f.Features {
		all = append(all, feature{one.Name, one.Column, number(one.Missing)})
	}
	return all
}

func outputs(f *export.Form) []output {
	all := []output{}
	for _, o := range f.Outputs {
		one := output{Name: o.Name, Unit: o.Unit, Column: o.Column}
		if f.Kind == export.Quantiles {
			level := number(o.Level)
			one.Level = &level
		}
		all = append(all, one)
	}
	return all
}

// calibration is a [model.Calibration] with the units of its residuals: those of each target, if
// there are several, are divided by its scale; those of one by max(prediction, minimum)^power.
type calibration struct {
	Samples   int      `json:"samples"`
	Residuals []number `json:"residuals"`
	Minimum   number   `json:"minimum"`
	Power     number   `json:"power"`
	Scales    []number `json:"scales"` // null except of several targets
}

// newCalibration returns that of a model; nil without one.
func newCalibration(m *model.Model) *calibration {
	if m.Calibration == nil {
		return nil
	}
	minimum, power := model.ResidualUnit(m)
	c := &calibration{Samples: m.Calibration.Samples, Residuals: numbers(m.Calibration.Residuals), Minimum: number(minimum), Power: number(power)}
	for _, t := range m.Response.Targets {
		c.Scales = append(c.Scales, number(t.Scaling()))
	}
	return c
}
