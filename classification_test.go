package tskgraph_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/realdata"
	"github.com/tskgraph/tskgraph/metric"
)

// BenchmarkClassification trains the default preset on the fixed splits of classification tables and reports
// accuracy and log loss on the test parts, those of scikit-learn's boosting and logistic regression, and the ratios
// of the error rates to boosting's; for each table and for all, the geometric mean. The directory is one that
// docs/classification/tables.py and reference.py write:
//
//	TSKGRAPH_CLASSIFICATION=dir go test -run '^$' -bench Classification -benchtime 1x -timeout 0 .
func BenchmarkClassification(b *testing.B) {
	dir := os.Getenv("TSKGRAPH_CLASSIFICATION")
	if dir == "" {
		b.Skip("TSKGRAPH_CLASSIFICATION is not set: name the directory of the classification tables")
	}
	b.Setenv("TSKGRAPH_DATA", dir)
	var sets []classified
	for _, table := range realdata.Listed(b) {
		b.Run(table.File, func(b *testing.B) {
			for b.Loop() {
				of := classify(b, table)
				of.report(b)
				sets = append(sets, of)
			}
		})
	}
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
		}
		ours, logistic := 0.0, 0.0
		for _, s := range sets {
			ours += math.Log(s.errorRatio(s.model)) / float64(len(sets))
			logistic += math.Log(s.errorRatio(s.logistic)) / float64(len(sets))
		}
		b.ReportMetric(math.Exp(ours), "error-ratio")
		b.ReportMetric(math.Exp(logistic), "logistic-error-ratio")
	})
}

// classified has the means over the splits of a table.
type classified struct{ model, boosting, logistic scores }

// scores are measures of a classifier.
type scores struct{ accuracy, logLoss float64 }

// errorRatio returns the ratio of an error rate to that of boosting.
func (c classified) errorRatio(of scores) float64 {
	return (1 - of.accuracy) / (1 - c.boosting.accuracy)
}

func (c classified) report(b *testing.B) {
	for _, method := range []struct {
		name string
		scores
	}{{"", c.model}, {"boosting-", c.boosting}, {"logistic-", c.logistic}} {
		b.ReportMetric(method.accuracy, method.name+"accuracy")
		b.ReportMetric(method.logLoss, method.name+"log-loss")
	}
	b.ReportMetric(c.errorRatio(c.model), "error-ratio")
	b.ReportMetric(c.errorRatio(c.logistic), "logistic-error-ratio")
}

// classify trains on the splits of a table and returns the means over them.
func classify(b *testing.B, table realdata.Table) (mean classified) {
	d, err := data.Read(filepath.Join(realdata.Dir(b), table.File+".csv"), data.Options{Target: table.Target, Ignore: table.Ignore, Missing: table.Missing, Task: "classification"})
	if err != nil {
		b.Fatal(err)
	}
	train, test := realdata.Splits(b, table.File)
	for k := range train {
		result, err := tskgraph.Train(context.Background(), d.Subset(train[k]), nil, tskgraph.Robust())
		if err != nil {
			b.Fatalf("split %d: %v", k, err)
		}
		held := d.Subset(test[k])
		p, err := result.Model.Predict(held.X)
		if err != nil {
			b.Fatalf("split %d: %v", k, err)
		}
		measured := metric.MeasureClasses(p.Outputs, held.Y, nil)
		mean.model.accuracy += measured.Accuracy / float64(len(train))
		mean.model.logLoss += measured.LogLoss / float64(len(train))
	}
	mean.boosting, mean.logistic = referenceScores(b, table.File, "boosting"), referenceScores(b, table.File, "logistic")
	return mean
}

// referenceScores returns the means of another classifier over the splits.
func referenceScores(b *testing.B, table, method string) (mean scores) {
	accuracies, losses := realdata.Reference(b, table, method+"_accuracy"), realdata.Reference(b, table, method+"_log_loss")
	if len(accuracies) == 0 || len(accuracies) != len(losses) {
		b.Fatalf("%s: no references of %s in reference.json", table, method)
	}
	for k, a := range accuracies {
		mean.accuracy += a / float64(len(accuracies))
		mean.logLoss += losses[k] / float64(len(accuracies))
	}
	return mean
}
