package onnx

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/export"
)

// columnEntry describes a column in the metadata.
type columnEntry struct {
	Input  string   `json:"input"` // name in the graph
	Column string   `json:"column"`
	Unit   string   `json:"unit,omitempty"`
	Levels []string `json:"levels,omitempty"`
	Min    *float64 `json:"min,omitempty"` // in the training part
	Max    *float64 `json:"max,omitempty"`
}

// outputEntry describes an output in the metadata.
type outputEntry struct {
	Output   string   `json:"output"` // name in the graph
	Target   string   `json:"target"`
	Unit     string   `json:"unit,omitempty"`
	Quantile float64  `json:"quantile,omitempty"`
	Classes  []string `json:"classes,omitempty"`
}

// metadata returns the entries of the model: columns, features and outputs as JSON, and the rules
// in words. inputs are the names of the columns' inputs, or that of the matrix.
func metadata(f *export.Form, inputs, outputs []string) ([]message, error) {
	var columns []columnEntry
	for i, c := range f.Columns {
		e := columnEntry{Input: inputs[min(i, len(inputs)-1)], Column: c.Name, Unit: c.Unit, Levels: c.Levels}
		if c.Encoding == data.Numeric {
			e.Min, e.Max = numeric.OrNil(c.Min), numeric.OrNil(c.Max)
		}
		columns = append(columns, e)
	}
	var features []string
	for _, of := range f.Features {
		features = append(features, of.Name)
	}
	var rules strings.Builder
	if err := words.Model(f.Model).WriteWords(&rules); err != nil {
		return nil, err
	}
	var all []message
	for _, e := range []struct {
		key   string
		value any
	}{{"columns", columns}, {"features", features}, {"outputs", outputEntries(f, outputs)}} {
		text, err := json.Marshal(e.value)
		if err != nil {
			return nil, fmt.Errorf("metadata %s: %w", e.key, err)
		}
		all = append(all, entry(e.key, string(escape.JSON(text))))
	}
	return append(all, entry("rules", rules.String())), nil
}

func entry(key, value string) message {
	var m message
	m.text(entryKey, key)
	m.text(entryValue, value)
	return m
}

// outputEntries describes the outputs of the given names.
func outputEntries(f *export.Form, names []string) []outputEntry {
	var all []outputEntry
	for j, name := range names {
		o := f.Outputs[j]
		e := outputEntry{Output: name, Target: f.Target}
		switch f.Kind {
		case export.Classes:
			for _, o := range f.Outputs {
				e.Classes = append(e.Classes, o.Name)
			}
		default:
			e.Target, e.Unit, e.Quantile = o.Name, o.Unit, o.Level
		}
		all = append(all, e)
	}
	return all
}

// doc describes the model in a line.
func doc(f *export.Form) string {
	rules := 0
	for _, m := range f.Members {
		rules += len(m.Rules)
	}
	return escape.Text(fmt.Sprintf("TSK fuzzy model of %s with %d rules, written by tskgraph %s. The rules in words are in the metadata.", f.Target, rules, buildinfo.Version))
}
