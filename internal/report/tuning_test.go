package report

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

func tuning() *Tuning {
	settings := recipe.Setting{"rules": 8, "membership": membership.Gaussian{}, "antecedents": 0.0, "droprule": 0.5, "l2": 0.05,
		"iterations": 500, "learning_rate": 0.01}
	start := &tune.Trial{Number: 1, Settings: settings, Fits: []tune.Fit{{Loss: 2}, {Loss: 4}}, Loss: 3, Finished: true}
	dropped := &tune.Trial{Number: 2, Settings: settings, Screened: []tune.Fit{{Loss: 5}, {Loss: 6}}}
	failed := &tune.Trial{Number: 3, Settings: settings, Fits: []tune.Fit{{Loss: 1}, {Failed: "it diverged, sadly"}}, Finished: true}
	best := &tune.Trial{Number: 4, Settings: settings, Fits: []tune.Fit{{Loss: 2}, {Loss: 2}}, Loss: 2, Over: -1, SE: 0.5, Finished: true}
	fidelity, disagreement := 1.25, 0.5
	best.Readability = &model.Readability{Samples: 10, Rules: 16, Fidelity: &fidelity, Disagreement: &disagreement, Idle: 0.125}
	return NewTuning(&tune.Result{Metric: "RMSE", Trials: []*tune.Trial{start, dropped, failed, best}, Best: best, Incumbent: start,
		Found: true, Chosen: best, Starts: 1, Folds: 2, Repeats: 1})
}

func TestTuningCSV(t *testing.T) {
	var b strings.Builder
	if err := tuning().WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows := testenv.Must(csv.NewReader(strings.NewReader(b.String())).ReadAll())
	want := [][]string{
		{"screening_folds", "screening_rmse", "folds", "rmse", "over_incumbent", "se", "fidelity", "disagreement", "idle", "out_of_range",
			"rmse_1", "rmse_2", "role", "failed"},
		{"0", "", "2", "3", "0", "0", "", "", "", "", "2", "4", "start, incumbent", ""},
		{"2", "5.5", "0", "", "", "", "", "", "", "", "", "", "", ""},
		{"0", "", "2", "", "", "", "", "", "", "", "1", "", "", "it diverged, sadly"},
		{"0", "", "2", "2", "-1", "0.5", "1.25", "0.5", "0.125", "0", "2", "2", "best, chosen", ""},
	}
	settings := slices.Index(rows[0], "screening_folds") // columns of these, and of the number, come first
	for i, row := range rows {
		if got := row[settings:]; !slices.Equal(got, want[i]) {
			t.Errorf("row %d: %q, want %q", i, got, want[i])
		}
	}
	b.Reset()
	classes := tuning()
	classes.Metric = "log loss"
	if err := classes.WriteCSV(&b); err != nil || !strings.Contains(b.String(), ",screening_loss,folds,loss,over_incumbent,") ||
		strings.Contains(b.String(), "rmse") {
		t.Errorf("%v, %s", err, b.String())
	}
}

// TestRoleWithinFidelity: where a trial beyond the limit of fidelity has a lower loss, the other is not called the best.
func TestRoleWithinFidelity(t *testing.T) {
	s := tuning()
	s.Best, s.Chosen = s.Incumbent, s.Incumbent // trial 4, with the lower loss, is beyond the limit
	if got := s.Role(s.Best); got != "start, incumbent, best within train.fidelity, chosen" {
		t.Error(got)
	}
}

// TestVerdict: what was found, and what the written configuration has.
func TestVerdict(t *testing.T) {
	found := tuning()
	nothing, lucky, failed := *found, *found, *found
	nothing.Found, nothing.Best, nothing.Chosen = false, found.Incumbent, found.Incumbent
	lucky.Found, lucky.Chosen = false, found.Incumbent
	failed.Incumbent = nil
	for want, s := range map[string]*Tuning{
		"Better than trial 1, the settings that the search started from: the RMSE of trial 4 is 33% lower, with a standard error of 17%. " +
			"The configuration has the settings of trial 4.": found,
		"Nothing better was found than the settings that the search started from: no other trial is better on the folds. The configuration " +
			"keeps them.": &nothing,
		"Nothing better was found than the settings that the search started from: the RMSE of trial 4 is 33% lower, with a standard error " +
			"of 17%. The configuration keeps them.": &lucky,
		"No setting that the search started from could be trained; the configuration has the settings of trial 4.": &failed,
	} {
		if got := s.Verdict(); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
