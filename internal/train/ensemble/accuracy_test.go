package ensemble_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

var realSets = []struct {
	file, target string
	rules        int
}{
	{"pm10", "log_pm10", 32}, {"no2", "log_no2", 32}, {"housing", "medv", 32}, {"concrete", "strength", 32},
	{"airfoil", "sound_pressure", 32}, {"wine-red", "quality", 32}, {"abalone-7num", "rings", 32},
	{"wine-white", "quality", 32}, {"powerplant", "power_output", 16}, {"protein", "rmsd", 32},
}

// meanRMSE trains with the paper's preset on random 70/30 splits, seeds 1 to
// seeds, and returns the mean test RMSE, and that of least squares.
func meanRMSE(t testing.TB, file, target, shape string, rules, seeds int) (tsk, ols float64) {
	t.Helper()
	for seed := 1; seed <= seeds; seed++ {
		e, b := testErrors(t, file, target, shape, "auto", rules, seed)
		tsk += e / float64(seeds)
		ols += b / float64(seeds)
	}
	return tsk, ols
}

// testErrors trains with the paper's preset on a random 70/30 split and returns the
// test RMSE, and that of least squares.
func testErrors(t testing.TB, file, target, shape, engine string, rules, seed int) (tsk, ols float64) {
	t.Helper()
	source := data.Source{
		Path:    filepath.Join(testenv.Data(t), file+".csv"),
		Options: data.Options{Target: target},
		Split:   data.Split{Kind: "random", Train: 0.7, Seed: uint64(seed)},
	}
	parts := must(source.Load(context.Background()))
	o := recipe.Paper()
	o.Model.Membership, o.Model.Rules, o.Model.Engine, o.Train.Seed = shapeNamed(t, shape), rules, engine, uint64(seed)
	result, err := runOf(o).Train(context.Background(), parts.Train, nil)
	if err != nil {
		t.Fatalf("%s, %s, %s, seed %d: %v", file, shape, engine, seed, err)
	}
	e := must(result.Model.Evaluate(t.Context(), parts.Test))
	b := must(baseline.Measure(t.Context(), result.Model, parts.Train, parts.Test))
	return e.RMSE, b.Linear.RMSE
}

// BenchmarkPaperPreset reports the mean test RMSE over ten seeds on each real
// data set:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench PaperPreset -benchtime 1x ./internal/train/ensemble
func BenchmarkPaperPreset(b *testing.B) {
	for _, set := range realSets {
		for _, shape := range []string{"gaussian", "trapezoid"} {
			b.Run(set.file+"/"+shape, func(b *testing.B) {
				for b.Loop() {
					tsk, ols := meanRMSE(b, set.file, set.target, shape, set.rules, 10)
					b.ReportMetric(tsk, "rmse")
					b.ReportMetric(ols, "rmse-ols")
				}
			})
		}
	}
}

// engineSets are small data sets for comparing the engines, by their index in realSets: no2, where training is steady,
// and concrete, where it is chaotic.
var engineSets = []int{1, 3}

// compareEngines trains with either engine, seeds 1 to seeds, and returns the mean
// test RMSEs, and the standard error of the difference of two such means.
func compareEngines(t testing.TB, set int, shape string, seeds int) (fused, autodiff, standardError float64) {
	t.Helper()
	s := realSets[set]
	var a, b []float64
	for seed := 1; seed <= seeds; seed++ {
		f, _ := testErrors(t, s.file, s.target, shape, "fused", s.rules, seed)
		d, _ := testErrors(t, s.file, s.target, shape, "autodiff", s.rules, seed)
		a, b = append(a, f), append(b, d)
	}
	n := float64(seeds)
	return stat.Mean(a, nil), stat.Mean(b, nil), math.Hypot(stat.StdErr(stat.StdDev(a, nil), n), stat.StdErr(stat.StdDev(b, nil), n))
}

// TestEnginesAreAsGood: over ten seeds, the mean test RMSEs of models trained by the two
// engines differ by at most two standard errors. Single models do differ, as training is
// chaotic.
func TestEnginesAreAsGood(t *testing.T) {
	if testenv.Race {
		t.Skip("takes minutes under the race detector")
	}
	for _, set := range testenv.Share(engineSets, 2, 0) {
		for _, shape := range []string{"gaussian", "trapezoid"}[:testenv.Cases(1, 2)] {
			t.Run(realSets[set].file+"/"+shape, func(t *testing.T) {
				t.Parallel()
				fused, autodiff, standardError := compareEngines(t, set, shape, 10)
				t.Logf("mean test RMSE: fused %.6g, autodiff %.6g, standard error of the difference %.2g", fused, autodiff, standardError)
				if !(math.Abs(fused-autodiff) <= 2*standardError) {
					t.Errorf("mean test RMSE: fused %.6g, autodiff %.6g, standard error of the difference %.2g", fused, autodiff, standardError)
				}
			})
		}
	}
}

// BenchmarkEngines reports the same over a hundred seeds:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench Engines -benchtime 1x ./internal/train/ensemble
func BenchmarkEngines(b *testing.B) {
	for _, set := range engineSets {
		for _, shape := range []string{"gaussian", "trapezoid"} {
			b.Run(realSets[set].file+"/"+shape, func(b *testing.B) {
				for b.Loop() {
					fused, autodiff, standardError := compareEngines(b, set, shape, 100)
					b.ReportMetric(fused, "rmse-fused")
					b.ReportMetric(autodiff, "rmse-autodiff")
					b.ReportMetric(standardError, "standard-error")
				}
			})
		}
	}
}

// TestShapesTrainOnRealData trains every shape on no2 with the paper's preset and, to save
// time, eight rules.
func TestShapesTrainOnRealData(t *testing.T) {
	if testenv.Race {
		t.Skip("a training per shape; the error does not depend on the race detector")
	}
	source := data.Source{
		Path:    filepath.Join(testenv.Data(t), "no2.csv"),
		Options: data.Options{Target: "log_no2"},
		Split:   data.Split{Kind: "random", Train: 0.7, Seed: 1},
	}
	parts := must(source.Load(context.Background()))
	for _, shape := range membership.Names() {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			o := recipe.Paper()
			o.Model.Membership, o.Model.Rules = shapeNamed(t, shape), 8
			result := must(runOf(o).Train(context.Background(), parts.Train, nil))
			e := must(result.Model.Evaluate(t.Context(), parts.Test))
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

// calibrated trains with the paper's preset on a random 70/30 split of a real data
// set, without the calibration part, and calibrates.
func calibrated(b *testing.B, file, target string, rules int, seed uint64, calibration float64) (*model.Model, *data.Parts) {
	b.Helper()
	parts, err := data.Source{
		Path:    filepath.Join(testenv.Data(b), file+".csv"),
		Options: data.Options{Target: target},
		Split:   data.Split{Train: 0.7, Seed: seed, Calibration: calibration},
	}.Load(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	o := recipe.Paper()
	o.Model.Rules, o.Train.Seed = rules, seed
	result := must(runOf(o).Train(context.Background(), parts.Train, nil))
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
					half := must(m.HalfWidth(0.9))
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

// BenchmarkGrowth shows how the costs of a training run (clustering, 500 updates, the RMSE) and of evaluating the
// model grow with N, at M=9.
func BenchmarkGrowth(b *testing.B) {
	for _, N := range []int{1000, 2000, 4000, 8000, 16000, 32000, 64000} {
		d := wavy(b, N)
		for _, shape := range []string{"gaussian", "trapezoid"} {
			o := recipe.Paper()
			o.Model.Membership = shapeNamed(b, shape)
			var result *ensemble.Result
			b.Run(fmt.Sprintf("N/train/%s/N=%d", shape, N), func(b *testing.B) {
				for b.Loop() {
					var err error
					if result, err = runOf(o).Train(context.Background(), d, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(fmt.Sprintf("N/evaluate/%s/N=%d", shape, N), func(b *testing.B) {
				if result == nil {
					b.Skip("needs the model that N/train makes")
				}
				for b.Loop() {
					if _, err := result.Model.Evaluate(b.Context(), d); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// wavy returns N samples of nine features.
func wavy(t testing.TB, N int) *data.Dataset {
	t.Helper()
	const M = 9
	rng := rand.New(rand.NewPCG(3, 4))
	var names []string
	for m := range M {
		names = append(names, fmt.Sprintf("x%d", m+1))
	}
	x, y := make([][]float64, N), make([]float64, N)
	for n := range x {
		x[n] = make([]float64, M)
		for m := range x[n] {
			x[n][m] = rng.NormFloat64()
		}
		y[n] = math.Sin(2*x[n][0]) + x[n][1]*x[n][2] + 0.1*rng.NormFloat64()
	}
	d := must(data.New(names, "y", x, y))
	return d
}
