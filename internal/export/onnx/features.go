package onnx

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
)

// matrixInput is the name of the input of a graph that takes a matrix of features.
const matrixInput = "features"

// readMatrix adds one input [N, F] and returns it.
func readMatrix(g *graph, f *export.Form) (features string, names []string) {
	features = g.input(matrixInput, g.real, len(f.Features), "the features in the order of the metadata; NaN is a missing one")
	return features, []string{features}
}

// readColumns adds an input [N, 1] for each column, and returns the features [N, F] and the names
// of the inputs.
func readColumns(g *graph, f *export.Form) (features string, names []string) {
	for _, c := range f.Columns {
		of := g.real
		if c.Encoding != data.Numeric {
			of = stringType
		}
		names = append(names, g.input(c.Name, of, 1, columnDoc(c)))
	}
	var encoded []string
	for i, c := range f.Columns {
		encoded = append(encoded, encode(g, c, names[i]))
	}
	return g.concat(encoded...), names
}

// columnDoc describes a column in a line.
func columnDoc(c export.Column) string {
	if c.Encoding != data.Numeric {
		return fmt.Sprintf("one of %q; an empty text is missing", c.Levels)
	}
	text := fmt.Sprintf("%g to %g in training; NaN is missing", c.Min, c.Max)
	if c.Unit != "" {
		text = escape.Text(c.Unit) + ", " + text
	}
	return text
}

// encode returns the features [N, Width] of a column.
func encode(g *graph, c export.Column, cells string) string {
	switch c.Encoding {
	case data.Numeric:
		return cells
	case data.Ordinal:
		return position(g, c, cells, float32(math.NaN()))
	}
	levels := make([]float64, len(c.Levels))
	for k := range levels {
		levels[k] = float64(k + 1)
	}
	at := position(g, c, cells, 0)
	is := g.cast(g.op("Equal", at, g.row("levels", levels)), g.real)
	return g.where(g.op("IsNaN", at), g.scalar(math.NaN()), is)
}

// position returns the position [N, 1] of the level of a cell from 1, or that of an unknown level;
// NaN for an empty text.
func position(g *graph, c export.Column, cells string, unknown float32) string {
	keys, values, other := newAttribute("keys_strings", typeStrings), newAttribute("values_floats", typeFloats), newAttribute("default_float", typeFloat)
	keys.text(attributeStrings, "")
	values.float(attributeFloats, float32(math.NaN()))
	for k, level := range c.Levels {
		keys.text(attributeStrings, level)
		values.float(attributeFloats, float32(k+1))
	}
	other.float(attributeFloat, unknown)
	return g.cast(g.add(mlDomain, "LabelEncoder", []string{cells}, g.unique("LabelEncoder"), []message{keys, values, other}), g.real)
}
