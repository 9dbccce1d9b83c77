package model

import (
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// TestTargets checks what the losses of each link compare the outputs with.
func TestTargets(t *testing.T) {
	d := &data.Dataset{Y: []float64{0, 2, 1}, Others: [][]float64{{10, 20, 30}}}
	classes := []Class{{"a", 0.5}, {"b", 0.25}, {"c", 0.25}}
	for _, c := range []struct {
		link    string
		p       Preprocessing
		outputs int
		want    []float64
	}{
		{"identity", Preprocessing{Target: Target{Mean: 1, SD: 2}}, 1, []float64{-0.5, 0.5, 0}},
		{"identity", Preprocessing{Schema: data.Schema{Others: make([]data.Other, 1)}, Response: Response{Link: "identity", Targets: []Target{{Mean: 1}, {Mean: 20, SD: 5}}}}, 2, []float64{-1, -2, 1, 0, 0, 2}},
		{"ordered", Preprocessing{Target: Target{Mean: 1}, Response: Response{Link: "ordered", Quantiles: []float64{0.1, 0.9}, TrainingQuantiles: []float64{0, 2}}}, 2, []float64{-1, -1, 1, 1, 0, 0}},
		{"log", Preprocessing{Target: Target{Mean: 4}, Response: Response{Link: "log"}}, 1, []float64{0, 0.5, 0.25}},
		{"softmax", Preprocessing{Response: Response{Link: "softmax", Classes: classes}}, 3, []float64{1, 0, 0, 0, 0, 1, 0, 1, 0}},
		{"logit", Preprocessing{Response: Response{Link: "logit", Classes: classes[:2]}}, 1, []float64{0, 0, 1}},
	} {
		if got := c.p.Targets(d); !slices.Equal(got, c.want) || c.p.OutputCount() != c.outputs || c.p.Link() != c.link {
			t.Errorf("%s: %v of %d outputs, want %v of %d", c.p.Link(), got, c.p.OutputCount(), c.want, c.outputs)
		}
	}
}
