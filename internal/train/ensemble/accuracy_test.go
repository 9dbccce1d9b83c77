package ensemble_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/internal/test/realdata"
	"github.com/tskgraph/tskgraph/internal/test/slow"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
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
		Path:    filepath.Join(realdata.Dir(t), file+".csv"),
		Options: data.Options{Target: target},
		Split:   data.Split{Kind: "random", Train: 0.7, Seed: uint64(seed)},
	}
	parts, err := source.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	o := recipe.Paper()
	o.Model.Membership, o.Model.Rules, o.Model.Engine, o.Train.Seed = shapeNamed(t, shape), rules, engine, uint64(seed)
	result, err := runOf(o).Train(context.Background(), parts.Train, nil)
	if err != nil {
		t.Fatalf("%s, %s, %s, seed %d: %v", file, shape, engine, seed, err)
	}
	e, err := result.Model.Evaluate(t.Context(), parts.Test)
	if err != nil {
		t.Fatal(err)
	}
	b, err := baseline.Measure(t.Context(), result.Model, parts.Train, parts.Test)
	if err != nil {
		t.Fatal(err)
	}
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
	if racedetector.Enabled {
		t.Skip("takes minutes under the race detector")
	}
	for _, set := range slow.Share(engineSets, 2, 0) {
		for _, shape := range []string{"gaussian", "trapezoid"}[:slow.Cases(1, 2)] {
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
