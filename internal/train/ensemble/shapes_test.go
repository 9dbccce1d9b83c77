package ensemble_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/internal/test/realdata"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

// TestShapesTrainOnRealData trains every shape on no2 with the paper's preset and, to save
// time, eight rules.
func TestShapesTrainOnRealData(t *testing.T) {
	if racedetector.Enabled {
		t.Skip("a training per shape; the error does not depend on the race detector")
	}
	source := data.Source{
		Path:    filepath.Join(realdata.Dir(t), "no2.csv"),
		Options: data.Options{Target: "log_no2"},
		Split:   data.Split{Kind: "random", Train: 0.7, Seed: 1},
	}
	parts, err := source.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range membership.Names() {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			o := recipe.Paper()
			o.Model.Membership, o.Model.Rules = shapeNamed(t, shape), 8
			result, err := runOf(o).Train(context.Background(), parts.Train, nil)
			if err != nil {
				t.Fatal(err)
			}
			e, err := result.Model.Evaluate(t.Context(), parts.Test)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("test RMSE %.4f, training RMSE %.4f, %d samples skipped, %d points uncovered",
				e.RMSE, result.Model.Training.Metrics["rmse_train"], result.Training.Skipped, e.Uncovered)
			if !(e.RMSE < 0.6) || result.Training.Stopped != "completed" || result.Training.Iterations != o.Train.Iterations {
				t.Errorf("test RMSE %v, %s after %d iterations", e.RMSE, result.Training.Stopped, result.Training.Iterations)
			}
			if result.Training.Skipped > 0 || e.Uncovered > 0 {
				t.Errorf("%d samples skipped, %d points uncovered", result.Training.Skipped, e.Uncovered)
			}
		})
	}
}

// BenchmarkShapes reports the mean test RMSE of every shape on no2, over five
// seeds: the figures of docs/shapes.md.
func BenchmarkShapes(b *testing.B) {
	for _, shape := range membership.Names() {
		b.Run(shape, func(b *testing.B) {
			for b.Loop() {
				tsk, _ := meanRMSE(b, "no2", "log_no2", shape, 32, 5)
				b.ReportMetric(tsk, "rmse")
			}
		})
	}
}
