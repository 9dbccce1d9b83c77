package ensemble_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/realdata"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// calibrated trains with the paper's preset on a random 70/30 split of a real data
// set, without the calibration part, and calibrates.
func calibrated(b *testing.B, file, target string, rules int, seed uint64, calibration float64) (*model.Model, *data.Parts) {
	b.Helper()
	parts, err := data.Source{
		Path:    filepath.Join(realdata.Dir(b), file+".csv"),
		Options: data.Options{Target: target},
		Split:   data.Split{Train: 0.7, Seed: seed, Calibration: calibration},
	}.Load(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	o := recipe.Paper()
	o.Model.Rules, o.Train.Seed = rules, seed
	result, err := runOf(o).Train(context.Background(), parts.Train, nil)
	if err != nil {
		b.Fatal(err)
	}
	if err := result.Model.Calibrate(b.Context(), parts.Calibration); err != nil {
		b.Fatal(err)
	}
	return result.Model, parts
}

// BenchmarkIntervals reports the share of the test part that 90% intervals cover,
// mean over ten random splits, calibrated with a quarter of the training part, and
// their width in standard deviations of the target:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench Intervals -benchtime 1x ./internal/train/ensemble
func BenchmarkIntervals(b *testing.B) {
	for _, set := range realSets {
		b.Run(set.file, func(b *testing.B) {
			for b.Loop() {
				covered, width := 0.0, 0.0
				for seed := range uint64(10) {
					m, parts := calibrated(b, set.file, set.target, set.rules, seed+1, 0.25)
					c, _, err := m.Coverage(b.Context(), parts.Test, 0.9)
					if err != nil {
						b.Fatal(err)
					}
					half, err := m.HalfWidth(0.9)
					if err != nil {
						b.Fatal(err)
					}
					constant := make([]float64, parts.Test.Len())
					for i := range constant {
						constant[i] = m.Target.Mean
					}
					covered += c / 10
					width += 2 * half / model.MeasureValues(constant, parts.Test.Y, nil).RMSE / 10
				}
				b.ReportMetric(100*covered, "%covered")
				b.ReportMetric(width, "width/sd")
			}
		})
	}
}
