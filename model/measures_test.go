package model

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/metric"
)

// TestMeasures: a measure applies to the errors of its task only, under the key that their JSON has, and is printed with what bounds or hides it.
func TestMeasures(t *testing.T) {
	deviance, auc := 0.7, 0.96
	classes := func(c metric.Classes) Metrics { return Metrics{Samples: 30, Classes: &c} }
	for _, c := range []struct {
		of   Metrics
		want string
	}{
		{Metrics{Samples: 30, RMSE: 1.234567, MAE: 1, R2: -1e-6}, "RMSE 1.2346, MAE 1, R² 0.0000 over 30 samples"},
		{Metrics{Samples: 30, Weighted: true, Deviance: &deviance, R2: -1.5e308}, "deviance 0.7, RMSE 0, MAE 0, R² -1.5e+308 over 30 weighted samples"},
		{Metrics{Samples: 30, Pinball: []float64{0.25, 0.75}}, "pinball loss 0.5, RMSE 0, MAE 0, R² 0.0000 over 30 samples"},
		{classes(metric.Classes{LogLoss: 0.1, Accuracy: 0.97, BalancedAccuracy: 0.9, AUC: &auc, AUCError: 0.002, Brier: 0.05}),
			"log loss 0.1, accuracy 0.9700, balanced accuracy 0.9000, AUC 0.9600 ± 0.002, Brier score 0.0500 over 30 samples"},
		{classes(metric.Classes{Absent: 2, Confusion: make([][]float64, 3)}),
			"log loss 0, accuracy 0.0000, balanced accuracy 0.0000, AUC –, Brier score 0.0000 over 30 samples; 2 of 3 classes have no sample there"},
	} {
		if got := c.of.String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		text, err := json.Marshal(c.of)
		for _, m := range c.of.Measures() {
			if err != nil || m.Key != "pinball_loss" && !strings.Contains(string(text), `"`+m.Key+`":`) {
				t.Errorf("no %s in %s, %v", m.Key, text, err)
			}
		}
	}
	for _, c := range criteria {
		if m, ok := MeasureOf(c.Name); !ok || m.Higher {
			t.Errorf("%s: no measure, or one that is better if higher", c.Name)
		}
	}
}
