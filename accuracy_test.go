package tskgraph_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/race"
	"github.com/tskgraph/tskgraph/internal/realdata"
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
	parts, err := source.Load()
	if err != nil {
		t.Fatal(err)
	}
	o := tskgraph.Paper()
	o.Model.Membership, o.Model.Rules, o.Model.Engine, o.Train.Seed = shapeNamed(t, shape), rules, engine, uint64(seed)
	result, err := tskgraph.Train(context.Background(), parts.Train, nil, o)
	if err != nil {
		t.Fatalf("%s, %s, %s, seed %d: %v", file, shape, engine, seed, err)
	}
	e, err := result.Model.Evaluate(parts.Test)
	if err != nil {
		t.Fatal(err)
	}
	b, err := tskgraph.FitBaselines(parts.Train, parts.Test)
	if err != nil {
		t.Fatal(err)
	}
	return e.RMSE, b.OLS.RMSE
}

// BenchmarkPaperPreset reports the mean test RMSE over ten seeds on each real
// data set:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench PaperPreset -benchtime 1x .
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

// TestEnginesAreAsGood: over ten seeds, the mean test RMSE of models trained by
// either engine differs by no more than its standard error. Single models do differ:
// training is chaotic.
func TestEnginesAreAsGood(t *testing.T) {
	if race.Enabled {
		t.Skip("takes minutes under the race detector")
	}
	for _, set := range realSets {
		if set.file != "no2" && set.file != "concrete" {
			continue
		}
		for _, shape := range []string{"gaussian", "trapezoid"} {
			t.Run(set.file+"/"+shape, func(t *testing.T) {
				t.Parallel()
				const seeds = 10
				var fused, autodiff, difference []float64
				for seed := 1; seed <= seeds; seed++ {
					a, _ := testErrors(t, set.file, set.target, shape, "fused", set.rules, seed)
					b, _ := testErrors(t, set.file, set.target, shape, "autodiff", set.rules, seed)
					fused, autodiff, difference = append(fused, a), append(autodiff, b), append(difference, a-b)
				}
				// Of the difference between two means, each over ten seeds.
				bound := math.Hypot(stat.StdErr(stat.StdDev(fused, nil), seeds), stat.StdErr(stat.StdDev(autodiff, nil), seeds))
				mean, sd := stat.MeanStdDev(difference, nil)
				t.Logf("mean test RMSE: fused %.6g, autodiff %.6g, difference %.2g (paired standard error %.2g, of two means %.2g)",
					stat.Mean(fused, nil), stat.Mean(autodiff, nil), mean, stat.StdErr(sd, seeds), bound)
				if !(math.Abs(mean) <= bound) {
					t.Errorf("the means differ by %.2g, standard error %.2g", mean, bound)
				}
			})
		}
	}
}
