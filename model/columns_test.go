package model

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// named explains by zeros under names.
type named []string

func (n named) TableColumns() []string { return n }

func (n named) TableCells(_ context.Context, x [][]float64) ([][]float64, error) {
	return slices.Repeat([][]float64{make([]float64, len(n))}, len(x)), nil
}

// TestAddedColumnsAreDistinct checks that no two added columns have one name, and that a name stays that of the first one.
func TestAddedColumnsAreDistinct(t *testing.T) {
	for _, c := range []struct{ names, want string }{
		{"shap_background shap_x", "shap_background shap_x"},
		{"shap_background shap_background", "shap_background shap_background_2"}, // of a feature background
		{"shap_background shap_background shap_background_2", "shap_background shap_background_3 shap_background_2"},
		{"y_predicted y_lower firing_1 rule_1 firing_1_2", "y_predicted_2 y_lower_2 firing_1 rule_1 firing_1_2"},
	} {
		m := small()
		m.Calibration = &Calibration{Samples: 1, Residuals: []float64{1}}
		o := TableOptions{Interval: 0.5, Explain: named(strings.Fields(c.names)), Firing: true}
		var out strings.Builder
		if _, err := m.PredictTable(t.Context(), data.Input{Name: "t.csv", Reader: strings.NewReader("a\n9\n")}, o, &out); err != nil {
			t.Fatal(err)
		}
		header, _, _ := strings.Cut(out.String(), "\n")
		got := strings.Split(header, ",")
		if !strings.Contains(header, strings.ReplaceAll(c.want, " ", ",")) || len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(got) {
			t.Errorf("%s: %s, want %s", c.names, header, c.want)
		}
	}
}
