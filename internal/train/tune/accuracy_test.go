package tune

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
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
//	TSKGRAPH_DATA=dir go test -run '^$' -bench Tune -benchtime 1x -timeout 0 ./internal/train/tune
//	TSKGRAPH_DATA=dir go test -run '^$' -bench 'Tune/no2/split[0-2]' -benchtime 1x ./internal/train/tune
func BenchmarkTune(b *testing.B) {
	var sets []map[string]float64
	for _, set := range []struct{ file, target string }{
		{"pm10", "log_pm10"}, {"no2", "log_no2"}, {"housing", "medv"}, {"concrete", "strength"}, {"airfoil", "sound_pressure"},
		{"wine-red", "quality"}, {"abalone-7num", "rings"}, {"wine-white", "quality"}, {"powerplant", "power_output"}, {"protein", "rmsd"},
	} {
		b.Run(set.file, func(b *testing.B) {
			d := testenv.Must(data.Read(filepath.Join(testenv.Data(b), set.file+".csv"), data.Options{Target: set.target}))
			boosting := testenv.Reference(b, set.file, "boosting")
			train, test := testenv.Splits(b, set.file)
			var splits []map[string]float64
			for k := range train {
				b.Run(fmt.Sprintf("split%d", k), func(b *testing.B) {
					for b.Loop() {
						splits = append(splits, tuneAndTest(b, d.Subset(train[k]), d.Subset(test[k]), boosting[k]))
					}
					report(b, splits[len(splits)-1:])
				})
			}
			b.Run("mean", func(b *testing.B) {
				for b.Loop() {
				}
				sets = append(sets, report(b, splits))
			})
		})
	}
	b.Run("mean", func(b *testing.B) {
		for b.Loop() {
		}
		report(b, sets)
	})
}

// report reports and returns the means of figures by their units; those of ratios, which are logarithms, as ratios.
func report(b *testing.B, all []map[string]float64) map[string]float64 {
	mean := map[string]float64{}
	for _, one := range all {
		for unit, v := range one {
			mean[unit] += v / float64(len(all))
		}
	}
	for unit, v := range mean {
		if strings.HasPrefix(unit, "ratio") {
			v = math.Exp(v)
		}
		b.ReportMetric(v, unit)
	}
	return mean
}

// tuneAndTest searches and tests what was chosen, the best, and the preset: the logarithms of the test RMSE over that of boosting.
func tuneAndTest(b *testing.B, train, test *data.Dataset, boosting float64) map[string]float64 {
	base := recipe.Robust()
	r := testenv.Must(Search(context.Background(), train, base, Options{}))
	logRatio := func(o recipe.Recipe) float64 {
		m := testenv.Must(ensemble.Run{Recipe: o}.Train(context.Background(), train, nil)).Model
		return math.Log(testenv.Must(m.Evaluate(b.Context(), test)).RMSE / boosting)
	}
	return map[string]float64{
		"ratio": logRatio(r.Options), "ratio-of-best": logRatio(testenv.Must(apply(base, r.Best.Settings))), "ratio-of-preset": logRatio(base),
		"rules": r.Chosen.Settings.Number("rules"), "rules-of-best": r.Best.Settings.Number("rules"),
	}
}
