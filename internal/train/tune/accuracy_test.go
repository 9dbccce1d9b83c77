package tune

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// BenchmarkTune searches from the robust preset on the training parts of the ten
// fixed splits of each real data set, trains with what was chosen, and reports the
// ratio of the test RMSE to that of boosting on the same split, the same for the best
// of the trials in place of the simplest and for the preset as it is, and the number of
// rules:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench Tune -benchtime 1x -timeout 0 ./tune
//	TSKGRAPH_DATA=dir go test -run '^$' -bench 'Tune/no2/split[0-2]' -benchtime 1x ./tune
func BenchmarkTune(b *testing.B) {
	var all tuned
	for _, set := range []struct{ file, target string }{
		{"pm10", "log_pm10"}, {"no2", "log_no2"}, {"housing", "medv"}, {"concrete", "strength"}, {"airfoil", "sound_pressure"},
		{"wine-red", "quality"}, {"abalone-7num", "rings"}, {"wine-white", "quality"}, {"powerplant", "power_output"}, {"protein", "rmsd"},
	} {
		b.Run(set.file, func(b *testing.B) {
			d := must(data.Read(filepath.Join(testenv.Data(b), set.file+".csv"), data.Options{Target: set.target}))
			boosting := testenv.Reference(b, set.file, "boosting")
			train, test := testenv.Splits(b, set.file)
			var mean tuned
			for k := range train {
				b.Run(fmt.Sprintf("split%d", k), func(b *testing.B) {
					for b.Loop() {
						one := tuneAndTest(b, d.Subset(train[k]), d.Subset(test[k]), boosting[k])
						one.report(b)
						mean.add(one)
					}
				})
			}
			b.Run("mean", func(b *testing.B) {
				for b.Loop() {
				}
				mean.report(b)
			})
			all.add(mean.mean())
		})
	}
	b.Run("mean", func(b *testing.B) {
		for b.Loop() {
		}
		all.report(b)
	})
}

// tuned sums what n searches came to.
type tuned struct {
	n                    int
	preset, chosen, best float64 // logarithm of the test RMSE over that of boosting
	rules, bestRules     float64
}

func (t *tuned) add(u tuned) {
	t.n, t.preset, t.chosen, t.best = t.n+u.n, t.preset+u.preset, t.chosen+u.chosen, t.best+u.best
	t.rules, t.bestRules = t.rules+u.rules, t.bestRules+u.bestRules
}

// mean returns the sum's mean, as one search.
func (t tuned) mean() tuned {
	n := float64(max(1, t.n))
	return tuned{min(1, t.n), t.preset / n, t.chosen / n, t.best / n, t.rules / n, t.bestRules / n}
}

func (t tuned) report(b *testing.B) {
	m := t.mean()
	b.ReportMetric(math.Exp(m.chosen), "ratio")
	b.ReportMetric(math.Exp(m.best), "ratio-of-best")
	b.ReportMetric(math.Exp(m.preset), "ratio-of-preset")
	b.ReportMetric(m.rules, "rules")
	b.ReportMetric(m.bestRules, "rules-of-best")
}

// tuneAndTest searches and tests what was chosen, and the best.
func tuneAndTest(b *testing.B, train, test *data.Dataset, boosting float64) tuned {
	base := recipe.Robust()
	r := must(Search(context.Background(), train, base, Options{}))
	logRatio := func(o recipe.Recipe) float64 {
		fit := must(ensemble.Run{Recipe: o}.Train(context.Background(), train, nil))
		e := must(fit.Model.Evaluate(b.Context(), test))
		return math.Log(e.RMSE / boosting)
	}
	best := must(apply(base, r.Best.Settings))
	return tuned{
		n: 1, preset: logRatio(base), chosen: logRatio(r.Options), rules: r.Chosen.Settings.Number("rules"),
		best: logRatio(best), bestRules: r.Best.Settings.Number("rules"),
	}
}
