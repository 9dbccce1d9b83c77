package model

import (
	"math"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/series"
)

// TestKGE compares the Kling-Gupta efficiency with values by hand: of exact predictions, twice the targets, their mirror image, and
// a constant.
func TestKGE(t *testing.T) {
	y := []float64{1, 2, 3, 6}
	for _, c := range []struct {
		predicted []float64
		want      float64
	}{
		{y, 1},
		{[]float64{2, 4, 6, 12}, 1 - math.Sqrt(2)},                // r 1, both ratios 2
		{[]float64{5, 4, 3, 0}, -1},                               // r -1, both ratios 1
		{[]float64{3, 3, 3, 3}, 1 - math.Sqrt(2)},                 // r 0, ratios 0 and 1
		{[]float64{2, 3, 4, 7}, 1 - math.Abs(1.0/3)},              // r 1, ratios 1 and 4/3
		{[]float64{0.5, 1, 1.5, 3}, 1 - math.Sqrt(0.25+0.25)},     // r 1, both ratios 1/2
		{[]float64{-1, -2, -3, -6}, 1 - math.Sqrt(4+0+(-2)*(-2))}, // r -1, ratios 1 and -1
	} {
		if got := kge(c.predicted, y, nil); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.predicted, got, c.want)
		}
		if got := kge(c.predicted, y, []float64{2, 2, 2, 2}); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v with equal weights: %v, want %v", c.predicted, got, c.want)
		}
	}
	if got := kge([]float64{1, 2}, []float64{3, 3}, nil); !math.IsNaN(got) {
		t.Errorf("of constant targets: %v", got)
	}
}

// TestSavedTime: a model file with a description of samples that none can have, or with steps of steps, is refused.
func TestSavedTime(t *testing.T) {
	m := small()
	m.Schema.Time = &series.Spec{Time: "when", Horizon: 1, Lags: []series.Lags{{Column: m.Schema.Target, Steps: []int{1}}}, Step: "hour"}
	if err := m.Schema.Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*series.Spec){
		"data.lags":    func(s *series.Spec) { s.Lags = []series.Lags{{Column: m.Schema.Target, Steps: []int{0}}} },
		"data.horizon": func(s *series.Spec) { s.Horizon = 0 },
		"step":         func(s *series.Spec) { s.Step = "fortnight" },
		"scale":        func(s *series.Spec) { s.Scale = -1 },
	} {
		bad, schema := *m.Schema.Time, m.Schema
		change(&bad)
		schema.Time = &bad
		if err := schema.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	one := Calibration{Samples: 1, Residuals: []float64{1}}
	step, nested := one, one
	step.Steps = []Calibration{one}
	nested.Steps = []Calibration{step}
	m.Calibration = &nested
	if err := checkCalibration(m); err == nil || !strings.Contains(err.Error(), "steps[0]: a step has no steps") {
		t.Error(err)
	}
}
