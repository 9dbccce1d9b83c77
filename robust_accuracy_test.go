package tskgraph_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/realdata"
	"github.com/tskgraph/tskgraph/model"
)

// accuracyVariants are the columns of the table in docs/accuracy.md.
var accuracyVariants = []struct {
	name   string
	change func(*tskgraph.Recipe)
}{
	{"default", func(*tskgraph.Recipe) {}},
	{"8-rules", func(o *tskgraph.Recipe) { o.Model.Rules = 8 }},
	{"short-rules", func(o *tskgraph.Recipe) { o.Model.Antecedents = 4 }},
	{"constant", func(o *tskgraph.Recipe) { o.Model.Order = 0 }},
	{"committee", func(o *tskgraph.Recipe) { o.Train.Members = 5 }},
}

// BenchmarkAccuracy trains the robust preset, and variants of it, on the ten fixed
// splits of each real data set and reports the geometric mean of the ratio of its
// test RMSE to that of boosting on the same split, the mean test RMSE, and the mean
// length of the rules:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench Accuracy -benchtime 1x -timeout 0 .
func BenchmarkAccuracy(b *testing.B) {
	for _, v := range accuracyVariants {
		b.Run(v.name, func(b *testing.B) {
			logs := 0.0
			for _, set := range realSets {
				b.Run(set.file, func(b *testing.B) {
					for b.Loop() {
						logRatio, rmse, length := againstBoosting(b, set.file, set.target, v.change)
						b.ReportMetric(math.Exp(logRatio), "ratio")
						b.ReportMetric(rmse, "rmse")
						b.ReportMetric(length, "features/rule")
						logs += logRatio
					}
				})
			}
			b.Run("all", func(b *testing.B) {
				for b.Loop() {
				}
				b.ReportMetric(math.Exp(logs/float64(len(realSets))), "ratio")
			})
		})
	}
}

// againstBoosting returns the means over the splits: of the logarithm of the ratio,
// of the RMSE and of the length of the rules.
func againstBoosting(b *testing.B, name, target string, change func(*tskgraph.Recipe)) (logRatio, rmse, length float64) {
	d, err := data.Read(filepath.Join(realdata.Dir(b), name+".csv"), data.Options{Target: target})
	if err != nil {
		b.Fatal(err)
	}
	boosting := realdata.Reference(b, name, "boosting")
	train, test := realdata.Splits(b, name)
	for k := range train {
		o := tskgraph.Robust()
		change(&o)
		result, err := tskgraph.Train(context.Background(), d.Subset(train[k]), nil, o)
		if err != nil {
			b.Fatalf("split %d: %v", k, err)
		}
		e, err := result.Model.Evaluate(d.Subset(test[k]))
		if err != nil {
			b.Fatal(err)
		}
		logRatio += math.Log(e.RMSE/boosting[k]) / float64(len(train))
		rmse += e.RMSE / float64(len(train))
		length += meanLength(result.Model) / float64(len(train))
	}
	return logRatio, rmse, length
}

// meanLength is the mean number of features that a rule of the model mentions.
func meanLength(m *model.Model) float64 {
	if !m.Committee() {
		return m.RuleBase.Length()
	}
	length := 0.0
	for _, member := range m.Members {
		length += member.RuleBase.Length() / float64(len(m.Members))
	}
	return length
}
