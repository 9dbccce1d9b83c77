// Package jsonform writes models as one JSON document, which the Python package tskgraph predicts
// by. It holds the whole [export.Form] with its formulas, what prediction intervals and sets need,
// the rules as `tskgraph show --json` describes them, and the model file.
//
// Numbers have the shortest decimals that read back to the same bits. One that is not finite is the
// text "NaN", "Infinity" or "-Infinity".
package jsonform

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
)

// Format and Version are the first fields of a document. The version changes when a reader of the
// previous one would predict something else, or nothing.
const (
	Format  = "tskgraph predictor"
	Version = 1
)

func init() {
	export.Register(export.Target{Title: "json", Meaning: "a JSON document of all that a prediction needs, for the Python package",
		File: "predictor.json", Options: []string{export.OptionData, export.OptionStep}, Writing: Write})
}

// document is the file.
type document struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Tskgraph string `json:"tskgraph"` // version of the program

	Kind    string    `json:"kind"` // numbers, quantiles or classes
	Target  string    `json:"target"`
	Unit    string    `json:"unit"`
	Order   []string  `json:"order"` // names of all columns that the model was trained on
	Columns []column  `json:"columns"`
	Feature []feature `json:"features"`
	Outputs []output  `json:"outputs"`

	Constants constants `json:"constants"`
	Members   []member  `json:"members"`

	Calibration *calibration `json:"calibration"` // null without one

	Description words.Description `json:"description"` // as `tskgraph show --json`
	Model       string            `json:"model"`       // the text of the model file
}

// constants are those of the steps in [export.Member].
type constants struct {
	MinFiring  number `json:"min_firing"`
	LeastLevel number `json:"least_level"`
	PowerLimit number `json:"power_limit"`
	MaxLog     number `json:"max_log"`
}

// Write writes a form.
func Write(f *export.Form, o export.Options) (*export.Result, error) {
	if o.Described == nil {
		described := words.Model(f.Model)
		o.Described = &described
	}
	d := document{
		Format: Format, Version: Version, Tskgraph: buildinfo.Version,
		Kind: kinds[f.Kind], Target: f.Target, Unit: f.Unit, Columns: columns(f), Feature: features(f), Outputs: outputs(f),
		Constants: constants{export.MinFiring, export.LeastLevel, export.PowerLimit, number(loss.MaxLog)}, Members: members(f),
		Calibration: newCalibration(f.Model), Description: words.Worded(*o.Described),
	}
	for _, c := range f.Model.Schema.Columns {
		d.Order = append(d.Order, c.Name)
	}
	var file bytes.Buffer
	if err := f.Model.Encode(&file); err != nil {
		return nil, fmt.Errorf("json: %w", err)
	}
	d.Model = file.String()
	text, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("json: %w", err)
	}
	return &export.Result{Files: []export.File{{Data: append(escape.JSON(text), '\n')}}, Marks: true}, nil
}

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

// output is a [model.Value].
type output struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	Level  *number `json:"level"` // null except for a quantile
	Column string  `json:"column"`
}

func columns(f *export.Form) []column {
	all := []column{}
	for _, c := range f.Columns {
		all = append(all, column{c.Name, c.Unit, string(c.Encoding), c.Levels, c.First, c.Width(), number(c.Min), number(c.Max),
			marksOf(f, c.Name)})
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
		if o.Level != 0 {
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
	c := &calibration{Samples: m.Calibration.Samples, Residuals: numbers(m.Calibration.Residuals), Minimum: number(minimum),
		Power: number(power)}
	for _, t := range m.Response.Targets {
		c.Scales = append(c.Scales, number(t.Scaling()))
	}
	return c
}
