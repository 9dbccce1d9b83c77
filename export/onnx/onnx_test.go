package onnx

import (
	"testing"

	"github.com/tskgraph/tskgraph/export"
	"github.com/tskgraph/tskgraph/internal/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

// floatTolerance is that of numbers of 32 bits.
const floatTolerance = 1e-4

// Models of every kind predict in a runtime what they predict here.
func TestPredicts(t *testing.T) {
	with := newConsumers(t)
	exporttest.Each(t, func(t *testing.T, c exporttest.Case, m *model.Model, table *exporttest.Table) {
		for _, o := range []export.Options{{}, {Matrix: true}, {Float: true}, {Float: true, Matrix: true}} {
			path, _ := with.write(t, table.Form, o)
			got, labels := with.predict(t, path, table.Form, table.Cells, o)
			tolerance := exporttest.Tolerance
			if o.Float {
				tolerance = floatTolerance
			}
			table.Compare(t, got, tolerance)
			for n, label := range labels {
				if want := mostProbable(table.Form, got[n]); label != want {
					t.Errorf("row %d: label %q of %v, want %q", n+1, label, got[n], want)
				}
			}
		}
	})
}

// mostProbable returns the first class with the largest probability.
func mostProbable(f *export.Form, p []float64) string {
	best := 0
	for c := range p {
		if p[c] > p[best] {
			best = c
		}
	}
	return f.Outputs[best].Name
}
