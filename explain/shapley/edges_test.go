package shapley

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/model"
)

// TestEdges: models that cannot predict, backgrounds of wrong weights and empty attributors are errors.
func TestEdges(t *testing.T) {
	m, d := numbers(t, 2, 2)
	row := d.X[:1]
	good := Background{Rows: row, Weights: []float64{1}}
	if _, err := good.Attributor(m, 1); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		m *model.Model
		b Background
	}{
		"no model": {nil, good}, "zero model": {&model.Model{}, good}, "empty": {m, Background{}}, "no weights": {m, Background{Rows: row}},
		"weight zero": {m, Background{Rows: row, Weights: []float64{0}}}, "NaN": {m, Background{Rows: row, Weights: []float64{math.NaN()}}},
	} {
		if _, err := c.b.Attributor(c.m, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := New(m, nil, 1); err == nil {
		t.Error("no data set: no error")
	}
	for name, a := range map[string]*Attributor{"nil": nil, "zero": {}} {
		if _, err := a.Attribute(t.Context(), row); err == nil {
			t.Errorf("%s attributor: no error", name)
		}
	}
	if _, err := (Outputs{{}}).TableCells(t.Context(), row); err == nil {
		t.Error("zero output: no error")
	}
}
