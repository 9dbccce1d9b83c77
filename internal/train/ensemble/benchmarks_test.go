package ensemble_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// figures are figures of models on test parts by their units.
type figures map[string]float64

// meanOf returns the means of figures that all have.
func meanOf(all []figures) figures {
	mean := figures{}
	for _, one := range all {
		for unit, v := range one {
			mean[unit] += v / float64(len(all))
		}
	}
	return mean
}

// report reports figures; those of logarithms as what they are the logarithms of.
func (f figures) report(b *testing.B, logarithms ...string) {
	for unit, v := range f {
		for _, of := range logarithms {
			if of == unit {
				v = math.Exp(v)
			}
		}
		if !math.IsNaN(v) {
			b.ReportMetric(v, unit)
		}
	}
}

// once runs a benchmark of one loop.
func once(b *testing.B, name string, f func(b *testing.B)) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
		}
		f(b)
	})
}

// BenchmarkClassification trains the default preset on the fixed splits of classification tables and reports
// accuracy and log loss on the test parts, those of scikit-learn's boosting and logistic regression on the same
// splits, and the ratios of the error rates to boosting's: for each split, for the means of the splits of a table
// that ran, and the geometric mean over the tables. The directory is one that docs/classification/tables.py and
// reference.py write:
//
//	TSKGRAPH_CLASSIFICATION=dir go test -run '^$' -bench Classification -benchtime 1x -timeout 0 ./internal/train/ensemble
//	TSKGRAPH_CLASSIFICATION=dir go test -run '^$' -bench 'Classification/(iris|vowel|all)/(split[01]|mean)$' \
//	    -benchtime 1x -timeout 0 ./internal/train/ensemble
func BenchmarkClassification(b *testing.B) {
	dir := os.Getenv("TSKGRAPH_CLASSIFICATION")
	if dir == "" {
		b.Skip("TSKGRAPH_CLASSIFICATION is not set: name the directory of the classification tables")
	}
	b.Setenv("TSKGRAPH_DATA", dir)
	var ratios []figures // as logarithms
	for _, table := range testenv.Tables(b) {
		b.Run(table.File, func(b *testing.B) {
			splits := classifySplits(b, table)
			if len(splits) == 0 {
				return
			}
			logs := figures{}
			for unit, v := range errorRatios(meanOf(splits)) {
				logs[unit] = math.Log(v)
			}
			ratios = append(ratios, logs)
		})
	}
	b.Run("all", func(b *testing.B) {
		once(b, "mean", func(b *testing.B) { meanOf(ratios).report(b, "error-ratio", "logistic-error-ratio") })
	})
}

// errorRatios returns the ratios of error rates to that of boosting, if it errs.
func errorRatios(f figures) figures {
	if f["boosting-accuracy"] == 1 {
		return nil
	}
	boosting := 1 - f["boosting-accuracy"]
	return figures{"error-ratio": (1 - f["accuracy"]) / boosting, "logistic-error-ratio": (1 - f["logistic-accuracy"]) / boosting}
}

// classifySplits trains on the splits of a table that the benchmark's pattern selects.
func classifySplits(b *testing.B, table testenv.Table) (splits []figures) {
	d := testenv.Must(data.Read(filepath.Join(testenv.Data(b), table.File+".csv"),
		data.Options{Target: table.Target, Ignore: table.Ignore, Missing: table.Missing, Task: "classification"}))
	parts, tests := testenv.Splits(b, table.File)
	for k := range parts {
		b.Run(fmt.Sprint("split", k), func(b *testing.B) {
			for b.Loop() {
				m := train(b, d.Subset(parts[k]), nil, recipe.Robust()).Model
				test := d.Subset(tests[k])
				measured := metric.MeasureClasses(testenv.Must(m.Predict(test.X)).Outputs, test.Y, nil)
				of := figures{"accuracy": measured.Accuracy, "log-loss": measured.LogLoss}
				for _, method := range []string{"boosting", "logistic"} {
					of[method+"-accuracy"] = reference(b, table.File, method+"_accuracy", k)
					of[method+"-log-loss"] = reference(b, table.File, method+"_log_loss", k)
				}
				of.report(b)
				errorRatios(of).report(b)
				splits = append(splits, of)
			}
		})
	}
	once(b, "mean", func(b *testing.B) {
		mean := meanOf(splits)
		mean.report(b)
		errorRatios(mean).report(b)
	})
	return splits
}

// reference returns a figure of another method on a split.
func reference(b *testing.B, table, figure string, split int) float64 {
	all := testenv.Reference(b, table, figure)
	if split >= len(all) {
		b.Fatalf("%s: reference.json has no %s of split %d", table, figure, split)
	}
	return all[split]
}

// accuracyVariants are the columns of the table in docs/accuracy.md.
var accuracyVariants = []struct {
	name   string
	change func(*recipe.Recipe)
}{
	{"default", func(*recipe.Recipe) {}},
	{"readable", func(o *recipe.Recipe) { *o = recipe.Readable() }},
	{"readable-curves", func(o *recipe.Recipe) { *o = recipe.Readable().WithoutPage(); o.Model.Curves = recipe.SharedCurves }},
	{"no-curves", func(o *recipe.Recipe) { o.Hold("model.curves") }},
	{"neighbours", func(o *recipe.Recipe) { o.Model.Neighbours = recipe.AutoNeighbours }},
	{"8-rules", func(o *recipe.Recipe) { o.Model.Rules = 8 }},
	{"short-rules", func(o *recipe.Recipe) { o.Model.Antecedents = 4 }},
	{"constant", func(o *recipe.Recipe) { o.Model.Order = 0 }},
	{"committee", func(o *recipe.Recipe) { o.Train.Members = 5 }},
	{"committee-neighbours", func(o *recipe.Recipe) { o.Train.Members, o.Model.Neighbours = 5, recipe.AutoNeighbours }},
}

// BenchmarkAccuracy trains the robust preset, variants of it, and preset readable on the fixed
// splits of each real data set and reports, for each set and for all, the means of
// the figures of accuracy. The data sets are the ten of docs/accuracy.md or, if the directory has
// a list.json (see [testenv.Tables]), those that it lists:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench Accuracy -benchtime 1x -timeout 0 ./internal/train/ensemble
func BenchmarkAccuracy(b *testing.B) {
	tables := testenv.Tables(b)
	if tables == nil {
		for _, set := range realSets {
			tables = append(tables, testenv.Table{File: set.file, Target: set.target})
		}
	}
	for _, v := range accuracyVariants {
		b.Run(v.name, func(b *testing.B) {
			var sets []figures
			for _, table := range tables {
				b.Run(table.File, func(b *testing.B) {
					for b.Loop() {
						of := againstBoosting(b, table, v.change)
						of.report(b, "ratio", "ratio-without-twins")
						delete(of, "rmse") // in the target's unit
						delete(of, "rmse-without-twins")
						sets = append(sets, of)
					}
				})
			}
			once(b, "all", func(b *testing.B) { meanOf(sets).report(b, "ratio", "ratio-without-twins") })
		})
	}
}

// againstBoosting returns the means of the figures over the splits of a data set: the logarithm of the ratio of the
// RMSE to that of boosting on the same split, the RMSE, the same two for the test rows without a
// twin in the training part (see [data.Twins]; the first is NaN if that of boosting is not known),
// and whether the rules can be read one by one, see [model.Readability].
func againstBoosting(b *testing.B, table testenv.Table, change func(*recipe.Recipe)) figures {
	options := data.Options{Target: table.Target, Ignore: table.Ignore, Missing: table.Missing, Categorical: map[string]data.Coding{}}
	for column, encoding := range table.Categorical {
		options.Categorical[column] = data.Coding{Encoding: data.Encoding(encoding)}
	}
	d := testenv.Must(data.Read(filepath.Join(testenv.Data(b), table.File+".csv"), options))
	boosting, boostingWithoutTwins := testenv.Reference(b, table.File, "boosting"),
		testenv.Reference(b, table.File, "boosting_without_twins")
	parts, tests := testenv.Splits(b, table.File)
	var splits []figures
	for k := range parts {
		o := recipe.Robust()
		change(&o)
		training, held := d.Subset(parts[k]), d.Subset(tests[k])
		m := train(b, training, nil, o).Model
		e := testenv.Must(m.Evaluate(context.Background(), held))
		twins, err := words.MeasureTwins(context.Background(), m, words.Part{Dataset: held}, words.Part{Dataset: training}, e)
		if err != nil || twins != nil && twins.Without == nil {
			b.Fatalf("split %d: %+v, %v", k, twins, err)
		}
		without, logRatioWithout := e, math.Log(e.RMSE/boosting[k])
		if twins != nil {
			without, logRatioWithout = *twins.Without, math.NaN()
			if boostingWithoutTwins != nil {
				logRatioWithout = math.Log(without.RMSE / boostingWithoutTwins[k])
			}
		}
		r, err := model.MeasureReadability(context.Background(), m, held, training)
		if err != nil || r.Fidelity == nil || r.Disagreement == nil {
			b.Fatalf("split %d: %+v, %v", k, r, err)
		}
		splits = append(splits, figures{
			"ratio": math.Log(e.RMSE / boosting[k]), "rmse": e.RMSE, "ratio-without-twins": logRatioWithout, "rmse-without-twins": without.RMSE,
			"fidelity": *r.Fidelity, "disagreement": *r.Disagreement, "idle": r.Idle, "out-of-range": r.OutOfRange,
			"conditions/rule": perRule(m, func(rb *rules.RuleBase) float64 { return rb.Length(m.Categories()) }),
			"terms/rule":      perRule(m, (*rules.RuleBase).Terms),
		})
	}
	return meanOf(splits)
}

// perRule returns a mean over the rules of a model; of a committee, the mean over its members.
func perRule(m *model.Model, mean func(*rules.RuleBase) float64) float64 {
	if !m.Committee() {
		return mean(m.RuleBase)
	}
	sum := 0.0
	for _, member := range m.Members {
		sum += mean(member.RuleBase) / float64(len(m.Members))
	}
	return sum
}
