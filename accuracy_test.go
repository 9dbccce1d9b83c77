package tskgraph_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
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
		o.Model.Membership, o.Model.Rules, o.Train.Seed = shapeNamed(t, shape), rules, uint64(seed)
		result, err := tskgraph.Train(context.Background(), parts.Train, nil, o)
		if err != nil {
			t.Fatalf("%s, %s, seed %d: %v", file, shape, seed, err)
		}
		e, err := result.Model.Evaluate(parts.Test)
		if err != nil {
			t.Fatal(err)
		}
		b, err := tskgraph.FitBaselines(parts.Train, parts.Test)
		if err != nil {
			t.Fatal(err)
		}
		tsk += e.RMSE / float64(seeds)
		ols += b.OLS.RMSE / float64(seeds)
	}
	return tsk, ols
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
