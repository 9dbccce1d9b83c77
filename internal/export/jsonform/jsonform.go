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
)

// Format and Version are the first fields of a document. The version changes when a reader of the
// previous one would predict something else, or nothing.
const (
	Format  = "tskgraph predictor"
	Version = 1
)

// Target writes JSON.
type Target struct{}

func init() { export.Register(Target{}) }

// Name returns "json".
func (Target) Name() string { return "json" }

// Meaning describes the file.
func (Target) Meaning() string {
	return "a JSON document of all that a prediction needs, for the Python package"
}

// File returns "predictor.json".
func (Target) File() string { return "predictor.json" }

// Options returns the table to describe the rules on.
func (Target) Options() []string { return []string{export.OptionData, export.OptionStep} }

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
func (Target) Write(f *export.Form, o export.Options) (*export.Result, error) {
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
