package report_test

import (
	"bytes"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/report"
)

func path(validated bool) []tskgraph.PathStep {
	fidelity := 2.5
	steps := []tskgraph.PathStep{
		{Metric: "RMSE", Rules: 3, LossTrain: 0.5, Fidelity: &fidelity},
		{Metric: "RMSE", Rules: 2, LossTrain: 0.625, Decision: "rule 1 removed, \"weak\""},
		{Metric: "RMSE", Rules: 1, LossTrain: 0.75, Decision: "rules merged"},
	}
	for i := range steps {
		if rmse, se := steps[i].LossTrain+0.125, 0.0625; validated {
			steps[i].LossValidation, steps[i].StandardError = &rmse, &se
		}
	}
	return steps
}

func TestWritePathCSV(t *testing.T) {
	for validated, want := range map[bool]string{
		true: `rules,rmse_train,rmse_validation,standard_error,fidelity,decision
3,0.5,0.625,0.0625,2.5,
2,0.625,0.75,0.0625,,"rule 1 removed, ""weak"""
1,0.75,0.875,0.0625,,rules merged
`,
		false: `rules,rmse_train,rmse_validation,standard_error,fidelity,decision
3,0.5,,,2.5,
2,0.625,,,,"rule 1 removed, ""weak"""
1,0.75,,,,rules merged
`,
	} {
		var b bytes.Buffer
		if err := report.WritePathCSV(&b, path(validated)); err != nil || b.String() != want {
			t.Errorf("%v\n%s\nwant\n%s", err, &b, want)
		}
	}
}
