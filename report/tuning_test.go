package report

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/recipe"
	"github.com/tskgraph/tskgraph/tune"
)

func tuning() *Tuning {
	settings := recipe.Setting{"rules": 8, "membership": membership.Gaussian{}, "antecedents": 0.0, "droprule": 0.5, "l2": 0.05, "iterations": 500, "learning_rate": 0.01}
	start := &tune.Trial{Number: 1, Settings: settings, Fits: []tune.Fit{{RMSE: 2}, {RMSE: 4}}, RMSE: 3, Over: 1, SE: 0.5, Finished: true}
	dropped := &tune.Trial{Number: 2, Settings: settings, Fits: []tune.Fit{{RMSE: 5}}, RMSE: 5}
	failed := &tune.Trial{Number: 3, Settings: settings, Fits: []tune.Fit{{RMSE: 1}, {Failed: "it diverged, sadly"}}, Finished: true}
	best := &tune.Trial{Number: 4, Settings: settings, Fits: []tune.Fit{{RMSE: 2}, {RMSE: 2}}, RMSE: 2, Finished: true}
	fidelity, disagreement := 1.25, 0.5
	best.Readability = &model.Readability{Samples: 10, Rules: 16, Fidelity: &fidelity, Disagreement: &disagreement, Idle: 0.125}
	return NewTuning(&tune.Result{Trials: []*tune.Trial{start, dropped, failed, best}, Best: best, Chosen: best, Starts: 1, Folds: 2, Repeats: 1})
}

func TestTuningCSV(t *testing.T) {
	var b strings.Builder
	if err := tuning().WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"folds", "rmse", "over_best", "se", "fidelity", "disagreement", "idle", "out_of_range", "rmse_1", "rmse_2", "role", "failed"},
		{"2", "3", "1", "0.5", "", "", "", "", "2", "4", "start", ""},
		{"1", "5", "", "", "", "", "", "", "5", "", "", ""},
		{"2", "", "", "", "", "", "", "", "1", "", "", "it diverged, sadly"},
		{"2", "2", "0", "0", "1.25", "0.5", "0.125", "0", "2", "2", "best, chosen", ""},
	}
	settings := slices.Index(rows[0], "folds") // columns of these, and of the number, come first
	for i, row := range rows {
		if got := row[settings:]; !slices.Equal(got, want[i]) {
			t.Errorf("row %d: %q, want %q", i, got, want[i])
		}
	}
}
