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
	"math"

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

// document is the file, of which readers find the format first.
type document struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Tskgraph string `json:"tskgraph"` // version of the program

	Kind    string   `json:"kind"` // numbers, quantiles or classes
	Target  string   `json:"target"`
	Unit    string   `json:"unit"`
	Order   []string `json:"order"`   // names of all columns that the model was trained on
	Columns []object `json:"columns"` // see [export.Column], with the marks of missing values
	Feature []object `json:"features"`
	Outputs []object `json:"outputs"`

	Constants object   `json:"constants"` // of the steps in [export.Member]
	Members   []object `json:"members"`

	Calibration *calibration `json:"calibration"` // null without one

	Description words.Description `json:"description"` // as `tskgraph show --json`
	Model       string            `json:"model"`       // the text of the model file
}

// object is an object of the document.
type object = map[string]any

// Write writes a form.
func Write(f *export.Form, o export.Options) (*export.Result, error) {
	if o.Described == nil {
		described := words.Model(f.Model)
		o.Described = &described
	}
	d := document{
		Format: Format, Version: Version, Tskgraph: buildinfo.Version, Kind: f.Kind.String(), Target: f.Target, Unit: f.Unit,
		Constants: object{"min_firing": number(export.MinFiring), "least_level": number(export.LeastLevel),
			"power_limit": number(export.PowerLimit), "max_log": number(loss.MaxLog)},
		Calibration: newCalibration(f), Description: words.Worded(*o.Described),
	}
	for _, c := range f.Model.Schema.Columns {
		d.Order = append(d.Order, c.Name)
	}
	for _, c := range f.Columns {
		d.Columns = append(d.Columns, object{"name": c.Name, "unit": c.Unit, "encoding": string(c.Encoding), "levels": c.Levels, "first": c.First,
			"width": c.Width(), "min": number(c.Min), "max": number(c.Max), "marks": marksOf(f, c.Name)})
	}
	for _, one := range f.Features {
		d.Feature = append(d.Feature, object{"name": one.Name, "column": one.Column, "missing": number(one.Missing)})
	}
	for _, o := range f.Outputs {
		one := object{"name": o.Name, "unit": o.Unit, "level": nil, "column": o.Column}
		if o.Level != 0 {
			one["level"] = number(o.Level)
		}
		d.Outputs = append(d.Outputs, one)
	}
	for k := range f.Members {
		d.Members = append(d.Members, member(&f.Members[k]))
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

// marks are the texts and the numbers that mark a missing value of a column, besides those that do in every table.
type marks struct {
	Texts   []string `json:"texts"`
	Numbers []number `json:"numbers"`
}

func marksOf(f *export.Form, column string) marks {
	texts, values := f.Model.Schema.NA.Marks(column)
	return marks{append([]string{}, texts...), numbers(values)}
}

// calibration is a [model.Calibration] with the units of its residuals: those of each target, if
// there are several, are divided by its scale; those of one by max(prediction, minimum)^power.
type calibration struct {
	Samples   int      `json:"samples"`
	Residuals []number `json:"residuals"`
	Below     []number `json:"below"` // null without those of one side
	Above     []number `json:"above"`
	Spread    object   `json:"spread"` // null without one, see [model.Spread]
	Minimum   number   `json:"minimum"`
	Power     number   `json:"power"`
	Scales    []number `json:"scales"` // null except of several targets
	Low       []number `json:"low"`    // of intervals, by target
	High      []number `json:"high"`
}

// newCalibration returns that of a model; nil without one.
func newCalibration(f *export.Form) *calibration {
	m := f.Model
	if m.Calibration == nil {
		return nil
	}
	minimum, power := model.ResidualUnit(m)
	c := &calibration{Samples: m.Calibration.Samples, Residuals: numbers(m.Calibration.Residuals), Minimum: number(minimum),
		Power: number(power)}
	if m.Calibration.Below != nil {
		c.Below, c.Above = numbers(m.Calibration.Below), numbers(m.Calibration.Above)
	}
	if s := m.Calibration.Spread; s != nil {
		c.Spread = spread(f, s)
	}
	for _, t := range m.Response.Targets {
		c.Scales = append(c.Scales, number(t.Scaling()))
	}
	targets := m.Response.Targets
	if targets == nil {
		targets = []model.Target{m.Target}
	}
	for _, t := range targets {
		low, high := t.Range()
		c.Low, c.High = append(c.Low, number(low)), append(c.High, number(high))
	}
	return c
}

// spread returns a [model.Spread].
func spread(f *export.Form, s *model.Spread) object {
	curves := []object{}
	for _, c := range s.Curves {
		at, missing := f.OfSpread(c)
		curves = append(curves, object{"feature": at, "missing": number(missing), "knots": numbers(c.Knots), "values": numbers(c.Values)})
	}
	return object{"level": number(s.Level), "curves": curves}
}

// member returns an [export.Member]. Components, knots and curves are null without, and so is the weight if that of a rule is its level.
func member(e *export.Member) object {
	inputs, rules, targets := []object{}, []object{}, []object{}
	for _, in := range e.Inputs {
		one := object{"feature": in.Feature, "mean": number(in.Mean), "sd": number(in.SD), "missing": number(in.Missing), "power": nil}
		if in.Limited() {
			one["low"], one["high"] = number(in.Low), number(in.High)
		}
		if p := in.Power; p != nil {
			one["power"] = object{"lambda": number(p.Lambda), "mean": number(p.Mean), "sd": number(p.SD)}
		}
		inputs = append(inputs, one)
	}
	for _, r := range e.Rules {
		rules = append(rules, object{"if": append([]int{}, r.If...), "parameters": append([][]number{}, matrix(r.Params)...),
			"weights": matrix(r.Weights)})
	}
	for j, t := range e.Targets {
		targets = append(targets, object{"mean": number(t.Mean), "scale": number(t.Scale), "low": number(e.Low[j]), "high": number(e.High[j])})
	}
	return object{"inputs": inputs, "components": matrix(e.Components), "grade": program(e.Grade), "join": program(e.Join),
		"weight": program(e.Weight), "log_space": e.LogSpace, "membership": e.Shape.Name(), "tnorm": e.TNorm, "defuzzification": e.Defuzz,
		"parameters": e.Parameters, "rules": rules, "knots": matrix(e.Knots), "curves": matrix(e.Curves), "outputs": e.Outputs, "link": e.Link,
		"targets": targets, "uncovered": numbers(e.Uncovered)}
}

// program returns an [export.Program]; nil stays nil. A step is ["const", value], or the name of an operation and the
// indices of its operands.
func program(p *export.Program) object {
	if p == nil {
		return nil
	}
	steps := [][]any{}
	for _, s := range p.Steps {
		step := []any{s.Op.String(), number(s.Value)}
		if s.Op != export.Const {
			step = append(step[:1], []any{s.X, s.Y}[:s.Op.Operands()]...)
		}
		steps = append(steps, step)
	}
	return object{"arguments": p.Arguments, "steps": steps, "result": p.Result}
}

// number is a number of 64 bits.
type number float64

// MarshalJSON returns the shortest decimals that read back to the same bits, and a text for what is
// not finite. Minus zero is -0.0, which readers do not take for an integer.
func (n number) MarshalJSON() ([]byte, error) {
	switch v := float64(n); {
	case math.IsNaN(v):
		return []byte(`"NaN"`), nil
	case math.IsInf(v, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-Infinity"`), nil
	}
	return []byte(export.Decimal(float64(n))), nil
}

// numbers converts a list, of which nil is an empty one.
func numbers(list []float64) []number {
	converted := make([]number, len(list))
	for i, v := range list {
		converted[i] = number(v)
	}
	return converted
}

// matrix converts rows; nil stays nil.
func matrix(rows [][]float64) [][]number {
	if rows == nil {
		return nil
	}
	converted := make([][]number, len(rows))
	for i, row := range rows {
		converted[i] = numbers(row)
	}
	return converted
}
