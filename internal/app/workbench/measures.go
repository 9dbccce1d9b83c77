package workbench

import (
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// measure is a figure of a run.
type measure struct {
	name    string
	value   *float64 // nil: the run has none
	sign    float64  // 1: lower is better, -1: higher, 0: neither
	isError bool
}

// measuresOf returns the same measures in the same order for every run.
func measuresOf(s *report.Summary) (all []measure) {
	for _, part := range []struct{ key, name string }{{"_test", ", test"}, {"_train", ", training"}} {
		for _, m := range model.Measures {
			sign := 1.0
			if m.Higher {
				sign = -1
			}
			all = append(all, measure{m.Name + part.name, s.Figures[m.Key+part.key], sign, true})
		}
	}
	var fidelity *float64
	if s.Readability != nil {
		fidelity = s.Readability.Fidelity
	}
	rules, seconds := float64(s.Rules), s.Seconds
	return append(all,
		measure{"rules", &rules, 1, false},
		measure{"conditions per rule", &s.RuleLength, 1, false},
		measure{"error of the strongest rule alone, over that of the model", fidelity, 1, false},
		measure{"seconds", &seconds, 0, false})
}

// errorsOf returns the figure that models of the task are compared by, Summary.Metric, on the training part and on the test part;
// nil where the summary does not have it.
func errorsOf(s *report.Summary) (train, test *float64) {
	m, _ := model.MeasureOf(s.Metric)
	return s.Figures[m.Key+"_train"], s.Figures[m.Key+"_test"]
}
