package ensemble_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/test/realdata"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
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
	for _, table := range realdata.Listed(b) {
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
func classifySplits(b *testing.B, table realdata.Table) (splits []classified) {
	d, err := data.Read(filepath.Join(realdata.Dir(b), table.File+".csv"),
		data.Options{Target: table.Target, Ignore: table.Ignore, Missing: table.Missing, Task: "classification"})
	if err != nil {
		b.Fatal(err)
	}
	train, test := realdata.Splits(b, table.File)
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
	result, err := runOf(recipe.Robust()).Train(context.Background(), train, nil)
	if err != nil {
		b.Fatal(err)
	}
	p, err := result.Model.Predict(test.X)
	if err != nil {
		b.Fatal(err)
	}
	measured := metric.MeasureClasses(p.Outputs, test.Y, nil)
	return scores{measured.Accuracy, measured.LogLoss}
}

// referenceScores returns those of another classifier on a split.
func referenceScores(b *testing.B, table, method string, split int) scores {
	accuracies, losses := realdata.Reference(b, table, method+"_accuracy"), realdata.Reference(b, table, method+"_log_loss")
	if split >= len(accuracies) || split >= len(losses) {
		b.Fatalf("%s: reference.json has no scores of %s on split %d", table, method, split)
	}
	return scores{accuracies[split], losses[split]}
}
