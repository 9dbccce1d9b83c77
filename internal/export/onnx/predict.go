package onnx

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
)

// Names of the outputs of classes.
const labelOutput, probabilitiesOutput = "label", "probabilities"

// predict adds the outputs of responses [N, J], and returns their names. Rows that are not known,
// [N, 1], have no prediction.
func predict(g *graph, f *export.Form, responses, known string) (names []string) {
	predictions := g.where(known, responses, g.scalar(math.NaN()))
	if f.Kind == export.Classes {
		label := g.output(labelOutput, label(g, f, responses, known), stringType, nil, "the most probable class")
		return []string{label, g.output(probabilitiesOutput, predictions, g.real, []int{len(f.Outputs)}, "in the order of the metadata")}
	}
	for j, o := range f.Outputs {
		name, doc := o.Name, escape.Text(o.Unit)
		if f.Kind == export.Quantiles {
			name, doc = o.Column, fmt.Sprintf("quantile of level %g", o.Level)
		}
		names = append(names, g.output(name, g.columns(predictions, j), g.real, []int{1}, doc))
	}
	return names
}

// label returns the first most probable class [N], or an empty text for a row that is not known.
func label(g *graph, f *export.Form, probabilities, known string) string {
	var classes []string
	for _, o := range f.Outputs {
		classes = append(classes, o.Name)
	}
	most := g.node("ArgMax", []string{probabilities}, intAttribute("axis", 1))
	at := g.where(known, most, g.integers("none", len(classes)))
	return g.op("Gather", g.texts("classes", append(classes, "")), g.op("Squeeze", at, g.integers("axes", 1)))
}
