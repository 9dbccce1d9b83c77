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
	var means []classified
	for _, table := range testenv.Tables(b) {
		b.Run(table.File, func(b *testing.B) {
			if splits := classifySplits(b, table); len(splits) > 0 {
				means = append(means, meanOf(splits))
			}
		})
	}
	b.Run("all", func(b *testing.B) { b.Run("mean", func(b *testing.B) { reportRatios(b, means) }) })
}

// classified has scores of one split, or their means over splits.
type classified struct{ model, boosting, logistic scores }

// scores are measures of a classifier.
type scores struct{ accuracy, logLoss float64 }

// errorRatio returns the ratio of an error rate to that of boosting.
func (c classified) errorRatio(of scores) float64 {
	return (1 - of.accuracy) / (1 - c.boosting.accuracy)
}

// meanOf returns the means over the splits of a table.
func meanOf(splits []classified) (mean classified) {
	for _, s := range splits {
		for _, m := range []struct{ sum, of *scores }{{&mean.model, &s.model}, {&mean.boosting, &s.boosting}, {&mean.logistic, &s.logistic}} {
			m.sum.accuracy += m.of.accuracy / float64(len(splits))
			m.sum.logLoss += m.of.logLoss / float64(len(splits))
		}
	}
	return mean
}

func (c classified) report(b *testing.B) {
	for _, method := range []struct {
		name string
		scores
	}{{"", c.model}, {"boosting-", c.boosting}, {"logistic-", c.logistic}} {
		b.ReportMetric(method.accuracy, method.name+"accuracy")
		b.ReportMetric(method.logLoss, method.name+"log-loss")
	}
	if c.boosting.accuracy < 1 {
		b.ReportMetric(c.errorRatio(c.model), "error-ratio")
		b.ReportMetric(c.errorRatio(c.logistic), "logistic-error-ratio")
	}
}

// reportRatios reports geometric means over the tables.
func reportRatios(b *testing.B, tables []classified) {
	ours, logistic, n := 0.0, 0.0, float64(len(tables))
	for _, t := range tables {
		ours += math.Log(t.errorRatio(t.model)) / n
		logistic += math.Log(t.errorRatio(t.logistic)) / n
	}
	b.ReportMetric(math.Exp(ours), "error-ratio")
	b.ReportMetric(math.Exp(logistic), "logistic-error-ratio")
}

// classifySplits trains on the splits of a table that the benchmark's pattern selects.
func classifySplits(b *testing.B, table testenv.Table) (splits []classified) {
	d, err := data.Read(filepath.Join(testenv.Data(b), table.File+".csv"),
		data.Options{Target: table.Target, Ignore: table.Ignore, Missing: table.Missing, Task: "classification"})
	if err != nil {
		b.Fatal(err)
	}
	train, test := testenv.Splits(b, table.File)
	for k := range train {
		b.Run(fmt.Sprint("split", k), func(b *testing.B) {
			for b.Loop() {
				of := classified{
					model:    scoresOf(b, d.Subset(train[k]), d.Subset(test[k])),
					boosting: referenceScores(b, table.File, "boosting", k),
					logistic: referenceScores(b, table.File, "logistic", k),
				}
				of.report(b)
				splits = append(splits, of)
			}
		})
	}
	b.Run("mean", func(b *testing.B) { meanOf(splits).report(b) })
	return splits
}

// scoresOf trains the default preset and returns its scores on other rows.
func scoresOf(b *testing.B, train, test *data.Dataset) scores {
	result := must(runOf(recipe.Robust()).Train(context.Background(), train, nil))
	p := must(result.Model.Predict(test.X))
	measured := metric.MeasureClasses(p.Outputs, test.Y, nil)
	return scores{measured.Accuracy, measured.LogLoss}
}

// referenceScores returns those of another classifier on a split.
func referenceScores(b *testing.B, table, method string, split int) scores {
	accuracies, losses := testenv.Reference(b, table, method+"_accuracy"), testenv.Reference(b, table, method+"_log_loss")
	if split >= len(accuracies) || split >= len(losses) {
		b.Fatalf("%s: reference.json has no scores of %s on split %d", table, method, split)
	}
	return scores{accuracies[split], losses[split]}
}

// accuracyVariants are the columns of the table in docs/accuracy.md.
var accuracyVariants = []struct {
	name   string
	change func(*recipe.Recipe)
}{
	{"default", func(*recipe.Recipe) {}},
	{"readable", func(o *recipe.Recipe) { *o = recipe.Readable() }},
	{"readable-curves", func(o *recipe.Recipe) { *o = recipe.Readable(); o.Model.Curves = recipe.SharedCurves }},
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
// a list.json (see [realdata.Listed]), those that it lists:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench Accuracy -benchtime 1x -timeout 0 ./internal/train/ensemble
func BenchmarkAccuracy(b *testing.B) {
	for _, v := range accuracyVariants {
		b.Run(v.name, func(b *testing.B) {
			var sets []accuracy
			for _, table := range accuracyTables(b) {
				b.Run(table.File, func(b *testing.B) {
					for b.Loop() {
						of := againstBoosting(b, table, v.change)
						of.report(b)
						b.ReportMetric(of.rmse, "rmse")
						b.ReportMetric(of.rmseWithoutTwins, "rmse-without-twins")
						sets = append(sets, of)
					}
				})
			}
			b.Run("all", func(b *testing.B) {
				for b.Loop() {
				}
				meanAccuracy(sets).report(b)
			})
		})
	}
}

// accuracyTables returns the data sets of BenchmarkAccuracy.
func accuracyTables(b *testing.B) []testenv.Table {
	tables := testenv.Tables(b)
	if tables == nil {
		for _, set := range realSets {
			tables = append(tables, testenv.Table{File: set.file, Target: set.target})
		}
	}
	return tables
}

// accuracy has the figures of models on test parts: the logarithm of the ratio of the
// RMSE to that of boosting on the same split, the RMSE, the same two for the test rows without a
// twin in the training part (see [data.Twins]; the first is NaN if that of boosting is not known),
// and whether the rules can be read one by one, see [model.Readability].
type accuracy struct {
	logRatio, rmse                           float64
	logRatioWithoutTwins, rmseWithoutTwins   float64
	fidelity, disagreement, idle, outOfRange float64
	conditions, terms                        float64 // per rule
}

// report reports the figures, except the RMSEs, which have the target's unit.
func (a accuracy) report(b *testing.B) {
	b.ReportMetric(math.Exp(a.logRatio), "ratio")
	if !math.IsNaN(a.logRatioWithoutTwins) {
		b.ReportMetric(math.Exp(a.logRatioWithoutTwins), "ratio-without-twins")
	}
	b.ReportMetric(a.fidelity, "fidelity")
	b.ReportMetric(a.disagreement, "disagreement")
	b.ReportMetric(a.idle, "idle")
	b.ReportMetric(a.outOfRange, "out-of-range")
	b.ReportMetric(a.conditions, "conditions/rule")
	b.ReportMetric(a.terms, "terms/rule")
}

// meanAccuracy returns the means of the figures.
func meanAccuracy(all []accuracy) (mean accuracy) {
	for _, a := range all {
		for _, f := range []struct {
			sum *float64
			v   float64
		}{
			{&mean.logRatio, a.logRatio}, {&mean.rmse, a.rmse},
			{&mean.logRatioWithoutTwins, a.logRatioWithoutTwins}, {&mean.rmseWithoutTwins, a.rmseWithoutTwins}, {&mean.fidelity, a.fidelity},
			{&mean.disagreement, a.disagreement},
			{&mean.idle, a.idle}, {&mean.outOfRange, a.outOfRange}, {&mean.conditions, a.conditions}, {&mean.terms, a.terms},
		} {
			*f.sum += f.v / float64(len(all))
		}
	}
	return mean
}

// againstBoosting returns the means of the figures over the splits of a data set.
func againstBoosting(b *testing.B, table testenv.Table, change func(*recipe.Recipe)) accuracy {
	options := data.Options{Target: table.Target, Ignore: table.Ignore, Missing: table.Missing, Categorical: map[string]data.Coding{}}
	for column, encoding := range table.Categorical {
		options.Categorical[column] = data.Coding{Encoding: data.Encoding(encoding)}
	}
	d := must(data.Read(filepath.Join(testenv.Data(b), table.File+".csv"), options))
	boosting, boostingWithoutTwins := testenv.Reference(b, table.File, "boosting"),
		testenv.Reference(b, table.File, "boosting_without_twins")
	train, test := testenv.Splits(b, table.File)
	splits := make([]accuracy, len(train))
	for k := range train {
		o := recipe.Robust()
		change(&o)
		training, held := d.Subset(train[k]), d.Subset(test[k])
		result, err := runOf(o).Train(context.Background(), training, nil)
		if err != nil {
			b.Fatalf("split %d: %v", k, err)
		}
		e := must(result.Model.Evaluate(context.Background(), held))
		twins, err := words.MeasureTwins(context.Background(), result.Model, words.Part{Dataset: held}, words.Part{Dataset: training}, e)
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
		r, err := model.MeasureReadability(context.Background(), result.Model, held, training)
		if err != nil || r.Fidelity == nil || r.Disagreement == nil {
			b.Fatalf("split %d: %+v, %v", k, r, err)
		}
		conditions := func(rb *rules.RuleBase) float64 { return rb.Length(result.Model.Categories()) }
		splits[k] = accuracy{
			math.Log(e.RMSE / boosting[k]), e.RMSE, logRatioWithout, without.RMSE, *r.Fidelity, *r.Disagreement, r.Idle, r.OutOfRange,
			perRule(result.Model, conditions), perRule(result.Model, (*rules.RuleBase).Terms),
		}
	}
	return meanAccuracy(splits)
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
