// Package onnx writes models in the format of ONNX, for runtimes on servers, telephones and in
// browsers: operator set 17, and that of ai.onnx.ml for categories. The number of nodes does not
// grow with that of rules, and the number of rows is free.
//
// There is an input [N, 1] for each column that the model reads, of its name: numbers of 64 bits,
// NaN for a missing one, or texts for a category, an empty one if it is missing. Texts are compared
// as they are, without removing spaces around them. In Python:
//
//	import numpy, onnxruntime
//	session = onnxruntime.InferenceSession("model.onnx")
//	table = {"temperature": [21.5, numpy.nan], "day": ["mon", ""]}
//	kind = lambda i: object if i.type == "tensor(string)" else numpy.float64
//	inputs = {i.name: numpy.array(table[i.name], kind(i)).reshape(-1, 1) for i in session.get_inputs()}
//	outputs = dict(zip([o.name for o in session.get_outputs()], session.run(None, inputs)))
//
// With [export.Options].Matrix the one input is "features" [N, F]: the encoded features, as
// [export.Form.Encode] returns them, in the order of the metadata.
//
// Numbers have an output [N, 1] for each target, of its name; quantiles one for each level, named
// as in the predictions of tskgraph. Classes have the outputs "label", texts [N], and
// "probabilities" [N, C], in the order of the metadata. A name that is taken gets a number:
// "label_2". Without a prediction numbers are NaN, and the label is empty. Texts are compared as they are, with
// the blanks around them.
//
// The metadata are JSON texts: columns, features and outputs with their units, ranges, levels and
// names; and the rules in words.
//
// With [export.Options].Float all numbers have 32 bits, and levels are logarithms wherever the
// t-norm can join these. Grades below 1e-45 are zero, except of shapes whose logarithm is known, such
// as Gaussian ones.
package onnx

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/export"
)

func init() {
	export.Register(export.Target{Title: "onnx", Meaning: "an ONNX model of operator set 17, for onnxruntime and others", File: "model.onnx",
		Options: []string{export.OptionFloat, export.OptionMatrix}, Writing: Write})
}

// Versions of the format: all that readers of operator set 17 know.
const irVersion, opset, mlOpset = 8, 17, 3

// Fields of ModelProto, OperatorSetIdProto and StringStringEntryProto.
const (
	modelIR, modelProducer, modelVersion, modelDoc, modelGraph, modelOpset, modelMetadata = 1, 2, 3, 6, 7, 8, 14
	opsetDomain, opsetVersion                                                             = 1, 2
	entryKey, entryValue                                                                  = 1, 2
)

// Write writes the model. A number that 32 bits cannot hold is an [export.OptionError].
func Write(f *export.Form, o export.Options) (*export.Result, error) {
	real, read := doubleType, readColumns
	if o.Float {
		real, f = floatType, export.Single(f)
	}
	if o.Matrix {
		read = readMatrix
	}
	g := &graph{tensors: tensors{real: real, names: export.Names{}, scalars: map[uint64]string{}}}
	g.text(graphName, "tskgraph")
	features, inputs := read(g, f)
	outputs := network(g, f, features)
	if g.err != nil {
		return nil, &export.OptionError{Option: export.OptionFloat, Message: g.err.Error() + ": leave the option out"}
	}
	entries, err := metadata(f, inputs, outputs)
	if err != nil {
		return nil, err
	}
	var m message
	m.integer(modelIR, irVersion)
	m.text(modelProducer, "tskgraph")
	m.text(modelVersion, buildinfo.Version)
	m.text(modelDoc, doc(f))
	m.bytes(modelGraph, g.message)
	m.bytes(modelOpset, operatorSet("", opset))
	if g.ml {
		m.bytes(modelOpset, operatorSet(mlDomain, mlOpset))
	}
	for _, e := range entries {
		m.bytes(modelMetadata, e)
	}
	result := &export.Result{Files: []export.File{{Data: m}}}
	if o.Float {
		result.Notes = export.SingleNotes(f)
	}
	return result, nil
}

func operatorSet(domain string, version int64) message {
	var m message
	m.text(opsetDomain, domain)
	m.integer(opsetVersion, version)
	return m
}

// network adds all members and the outputs, and returns the names of these.
func network(g *graph, f *export.Form, features string) []string {
	var responses []string
	known := ""
	for i := range f.Members {
		m := &f.Members[i]
		in := scale(g, m, features)
		levels, covered := fire(g, m, in)
		responses = append(responses, respond(g, m, consequents(g, m, in, levels), covered))
		if known == "" {
			known = in.near
			continue
		}
		known = g.op("And", known, in.near)
	}
	return predict(g, f, mean(g, f, responses), known)
}

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
		if c.Numbers() {
			e.Min, e.Max = numeric.OrNil(c.Min), numeric.OrNil(c.Max)
		}
		columns = append(columns, e)
	}
	var features []string
	for _, of := range f.Features {
		features = append(features, of.Name)
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
	return append(all, entry("rules", strings.Join(f.Words(), "\n")+"\n")), nil
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
	return escape.Text(fmt.Sprintf("TSK fuzzy model of %s with %d rules, written by tskgraph %s. The rules in words are in the metadata.",
		f.Target, rules, buildinfo.Version))
}
