package ensemble_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// realSet is a real data set with the number of rules that it is trained with.
type realSet struct {
	file, target string
	rules        int
}

var (
	no2      = realSet{"no2", "log_no2", 32}
	concrete = realSet{"concrete", "strength", 32}
	wineRed  = realSet{"wine-red", "quality", 32}
	housing  = realSet{"housing", "medv", 32}
	realSets = []realSet{{"pm10", "log_pm10", 32}, no2, housing, concrete, {"airfoil", "sound_pressure", 32}, wineRed,
		{"abalone-7num", "rings", 32}, {"wine-white", "quality", 32}, {"powerplant", "power_output", 16}, {"protein", "rmsd", 32}}

	paperShapes = []string{"gaussian", "trapezoid"}
)

// trial is the test RMSE of a training with the paper's preset on a random 70/30 split, that of least squares, and the rules left after
// each round of pruning.
type trial struct {
	rmse, linear float64
	rules        []float64
}

// trials trains with seeds 1 to seeds, pruned in so many rounds.
func (s realSet) trials(t testing.TB, name, engine string, rounds, seeds int) (all []trial) {
	t.Helper()
	for seed := 1; seed <= seeds; seed++ {
		parts := realParts(t, s.file, s.target, data.Split{Kind: "random", Seed: uint64(seed)})
		o := recipe.Paper()
		o.Model.Membership, o.Model.Rules, o.Model.Engine, o.Train.Seed, o.Prune.Rounds = shape(name), s.rules, engine, uint64(seed), rounds
		r := train(t, parts.Train, nil, o)
		one := trial{rmse: rmse(t, r.Model, parts.Test)}
		one.linear = testenv.Must(baseline.Measure(t.Context(), r.Model, parts.Train, parts.Test)).Linear.RMSE
		for _, round := range r.Prune {
			one.rules = append(one.rules, float64(round.After))
		}
		all = append(all, one)
	}
	return all
}

// mean returns the mean of a figure of trials.
func mean(all []trial, figure func(trial) float64) (sum float64) {
	for _, one := range all {
		sum += figure(one) / float64(len(all))
	}
	return sum
}

func testRMSE(one trial) float64 { return one.rmse }

// eachShape runs a benchmark that reports figures of each data set with either shape of the paper.
func eachShape(b *testing.B, sets []realSet, figures func(b *testing.B, set realSet, name string) map[string]float64) {
	for _, set := range sets {
		for _, name := range paperShapes {
			b.Run(set.file+"/"+name, func(b *testing.B) {
				for b.Loop() {
					for unit, v := range figures(b, set, name) {
						b.ReportMetric(v, unit)
					}
				}
			})
		}
	}
}

// BenchmarkPaperPreset reports the mean test RMSE over ten seeds on each real
// data set:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench PaperPreset -benchtime 1x ./internal/train/ensemble
func BenchmarkPaperPreset(b *testing.B) {
	eachShape(b, realSets, func(b *testing.B, set realSet, name string) map[string]float64 {
		all := set.trials(b, name, "auto", 0, 10)
		return map[string]float64{"rmse": mean(all, testRMSE), "rmse-ols": mean(all, func(one trial) float64 { return one.linear })}
	})
}

// BenchmarkPaperPruning reports the mean rule counts after each round and the mean
// test RMSE, over ten seeds on each real data set:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench PaperPruning -benchtime 1x ./internal/train/ensemble
func BenchmarkPaperPruning(b *testing.B) {
	eachShape(b, realSets, func(b *testing.B, set realSet, name string) map[string]float64 {
		all := set.trials(b, name, "auto", 2, 10)
		return map[string]float64{"rmse": mean(all, testRMSE), "rules-round1": mean(all, func(one trial) float64 { return one.rules[0] }),
			"rules-round2": mean(all, func(one trial) float64 { return one.rules[1] })}
	})
}

// BenchmarkEngines reports the figures of TestEnginesAreAsGood over a hundred seeds:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench Engines -benchtime 1x ./internal/train/ensemble
func BenchmarkEngines(b *testing.B) {
	eachShape(b, []realSet{no2, concrete}, func(b *testing.B, set realSet, name string) map[string]float64 {
		fused, autodiff, standardError := set.compareEngines(b, name, 100)
		return map[string]float64{"rmse-fused": fused, "rmse-autodiff": autodiff, "standard-error": standardError}
	})
}

// TestPaperPreset compares the mean test RMSE on no2 with that of an independent
// implementation (30 splits: 0.500 and 0.505).
func TestPaperPreset(t *testing.T) {
	testenv.SkipRace(t)
	for name, want := range map[string]float64{"gaussian": 0.500, "trapezoid": 0.505} {
		if got := mean(no2.trials(t, name, "auto", 0, 5), testRMSE); !near(got, want, 0.07) {
			t.Errorf("%s: mean test RMSE %.4f over 5 seeds, want about %.3f", name, got, want)
		}
	}
}

// ruleCounts are the mean final rule counts of an independent implementation over
// 30 splits, of two rounds by the paper's settings.
var ruleCounts = map[realSet]map[string]float64{
	no2:      {"gaussian": 20.5, "trapezoid": 20.8},
	concrete: {"gaussian": 8.7, "trapezoid": 17.8},
	wineRed:  {"gaussian": 17.5, "trapezoid": 7.9},
}

// TestPaperPruning compares the final rule counts on three data sets with those of an
// independent implementation, and the error with that of training without pruning.
func TestPaperPruning(t *testing.T) {
	testenv.SkipRace(t)
	for _, set := range testenv.Draw([]realSet{no2, concrete, wineRed}, 3, 2, 0) {
		for name, want := range ruleCounts[set] {
			seeds := testenv.CaseNumber(2, 3, 5)
			pruned, whole := set.trials(t, name, "auto", 2, seeds), set.trials(t, name, "auto", 0, seeds)
			if got := mean(pruned, func(one trial) float64 { return one.rules[1] }); math.Abs(got-want) > 3.5 {
				t.Errorf("%s, %s: mean of %.1f rules over %d seeds, want about %.1f", set.file, name, got, seeds, want)
			}
			if rmse, all := mean(pruned, testRMSE), mean(whole, testRMSE); rmse > 1.08*all {
				t.Errorf("%s, %s: mean test RMSE %.4f, without pruning %.4f", set.file, name, rmse, all)
			}
		}
	}
}

// compareEngines trains with either engine, seeds 1 to seeds, and returns the mean
// test RMSEs, and the standard error of the difference of two such means.
func (s realSet) compareEngines(t testing.TB, name string, seeds int) (fused, autodiff, standardError float64) {
	t.Helper()
	a, b := s.trials(t, name, "fused", 0, seeds), s.trials(t, name, "autodiff", 0, seeds)
	squares := 0.0
	for _, all := range [][]trial{a, b} {
		var rmses []float64
		for _, one := range all {
			rmses = append(rmses, one.rmse)
		}
		squares += stat.Variance(rmses, nil) / float64(seeds)
	}
	return mean(a, testRMSE), mean(b, testRMSE), math.Sqrt(squares)
}

// TestEnginesAreAsGood: the mean test RMSEs of models trained by the two engines, on no2, where training is steady, and on concrete,
// where it is chaotic, differ by at most two standard errors. Single models do differ, as training is chaotic.
func TestEnginesAreAsGood(t *testing.T) {
	seeds := testenv.CaseNumber(0, 5, 10)
	if seeds == 0 {
		t.Skip("with CI=true only: TestConstraintsHold trains by both engines, package graph compares their updates")
	}
	for _, set := range testenv.Draw([]realSet{no2, concrete}, 2, 2, 0) {
		for _, name := range paperShapes[:testenv.CaseNumber(1, 1, 2)] {
			fused, autodiff, standardError := set.compareEngines(t, name, seeds)
			if !(math.Abs(fused-autodiff) <= 2*standardError) {
				t.Errorf("%s, %s: mean test RMSE: fused %.6g, autodiff %.6g, standard error of the difference %.2g", set.file, name, fused,
					autodiff, standardError)
			}
		}
	}
}

// TestShapesTrainOnRealData trains every shape on no2 with the paper's preset and, to save
// time, eight rules.
func TestShapesTrainOnRealData(t *testing.T) {
	testenv.SkipRace(t)
	parts := realParts(t, no2.file, no2.target, data.Split{Kind: "random", Seed: 1})
	for _, name := range testenv.Draw(membership.Names(), 3, 2, 0) {
		o := recipe.Paper()
		o.Model.Membership, o.Model.Rules = shape(name), 8
		r := train(t, parts.Train, nil, o)
		e := testenv.Must(r.Model.Evaluate(t.Context(), parts.Test))
		if !(e.RMSE < 0.6) || r.Training.Stopped != "completed" || r.Training.Iterations != o.Train.Iterations || r.Training.Skipped > 0 ||
			e.Uncovered > 0 {
			t.Errorf("%s: test RMSE %v, %+v, %d points uncovered", name, e.RMSE, r.Training, e.Uncovered)
		}
	}
}

// TestANFISOnRealData: gradient descent lowers the error on no2; with least squares
// training runs through on wine-red and housing too, where MATLAB's anfis fails.
func TestANFISOnRealData(t *testing.T) {
	testenv.SkipRace(t)
	type anfisOn struct {
		realSet
		consequents string
		iterations  int
	}
	for _, c := range testenv.Share([]anfisOn{
		{wineRed, "least-squares", 15}, {no2, "gradient", 500}, {housing, "least-squares", 15},
	}, 2, 1) {
		parts := realParts(t, c.file, c.target, data.Split{Kind: "random", Seed: 1})
		first, last := 0.0, 0.0
		r := train(t, parts.Train, nil, ensemble.Run{Recipe: anfis(c.consequents, 32, c.iterations), OnIteration: func(m optim.Metrics) error {
			if m.Iteration == 1 {
				first = m.Batch
			}
			last = m.Batch
			return nil
		}})
		if e := testenv.Must(r.Model.Evaluate(t.Context(), parts.Test)); math.IsNaN(e.RMSE) || e.Uncovered > 0 {
			t.Errorf("%s: %+v", c.file, e)
		}
		// The training RMSE falls by a tenth at least.
		if kept := r.Model.Training.Metrics["rmse_train"]; !(kept < 0.9*first) || !(kept <= last*(1+1e-9)) ||
			r.Training.Stopped != optim.StoppedCompleted {
			t.Errorf("%s: training RMSE from %v to %v, %v kept; %s", c.file, first, last, kept, r.Training.Stopped)
		}
	}
}

// BenchmarkShapes reports the mean test RMSE of every shape on no2, over five
// seeds: the figures of docs/shapes.md.
func BenchmarkShapes(b *testing.B) {
	for _, name := range membership.Names() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(mean(no2.trials(b, name, "auto", 0, 5), testRMSE), "rmse")
			}
		})
	}
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
				for seed := uint64(1); seed <= 10; seed++ {
					parts := realParts(b, set.file, set.target, data.Split{Seed: seed, Calibration: 0.25})
					o := recipe.Paper()
					o.Model.Rules, o.Train.Seed = set.rules, seed
					m := train(b, parts.Train, nil, o).Model
					if err := m.Calibrate(b.Context(), parts.Calibration, nil); err != nil {
						b.Fatal(err)
					}
					c, _, err := m.Coverage(b.Context(), parts.Test, 0.9, model.BothSides)
					if err != nil {
						b.Fatal(err)
					}
					constant := make([]float64, parts.Test.Len())
					for i := range constant {
						constant[i] = m.Target.Mean
					}
					covered += c / 10
					width += 2 * testenv.Must(m.HalfWidth(0.9)) / model.MeasureValues(constant, parts.Test.Y, nil).RMSE / 10
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
		d := wavy(N, 9, [2]uint64{3, 4}, 0.1)
		for _, name := range paperShapes {
			o := recipe.Paper()
			o.Model.Membership = shape(name)
			var result *ensemble.Result
			b.Run(fmt.Sprintf("N/train/%s/N=%d", name, N), func(b *testing.B) {
				for b.Loop() {
					result = train(b, d, nil, o)
				}
			})
			b.Run(fmt.Sprintf("N/evaluate/%s/N=%d", name, N), func(b *testing.B) {
				if result == nil {
					b.Skip("needs the model that N/train makes")
				}
				for b.Loop() {
					testenv.Must(result.Model.Evaluate(context.Background(), d))
				}
			})
		}
	}
}
