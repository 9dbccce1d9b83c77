package text

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// pruned returns a pruning path with a validation part.
func pruned() []tskgraph.PathStep {
	steps := []tskgraph.PathStep{
		{Metric: "RMSE", Rules: 3, LossTrain: 0.5}, {Metric: "RMSE", Rules: 2, LossTrain: 0.625, Decision: "rule 1 removed, \"weak\""}, {Metric: "RMSE", Rules: 1, LossTrain: 0.75, Decision: "rules merged"},
	}
	for i := range steps {
		rmse, se, fidelity := steps[i].LossTrain+0.125, 0.0625, 2.5-steps[i].LossTrain
		steps[i].LossValidation, steps[i].StandardError, steps[i].Fidelity = &rmse, &se, &fidelity
	}
	steps[2].Fidelity = nil
	return steps
}

func TestSummaryOfPath(t *testing.T) {
	s := report.Summary{Rules: 2, Path: pruned(), Chosen: "for a reason"}
	s.SetTrain(&model.Model{}, model.Metrics{RMSE: 0.625, Samples: 4})
	s.SetBefore("m.json", 3, &model.Metrics{Samples: 4, RMSE: 0.5}, nil, nil)
	var b bytes.Buffer
	if err := WriteSummary(&b, &s); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{
		"│   │     3 │         0.5 │            0.625 │         0.0625 │       2.00 │",
		"│ * │     2 │       0.625 │             0.75 │         0.0625 │       1.88 │ rule 1 removed",
		"│         0.0625 │ not finite │ rules merged",
		"* 2 rules: for a reason\nfidelity: RMSE of the strongest rule read alone, over that of the model",
		"│ before pruning, train │   0.5 │",
		"│ TSK model, train      │ 0.625 │",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "before pruning, validation") {
		t.Errorf("errors of a part that does not exist:\n%s", got)
	}
}
