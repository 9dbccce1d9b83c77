package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

func tuning() *report.Tuning {
	settings := recipe.Setting{"rules": 8, "membership": membership.Gaussian{}, "antecedents": 0.0, "droprule": 0.5, "l2": 0.05, "iterations": 500, "learning_rate": 0.01}
	start := &tune.Trial{Number: 1, Settings: settings, Fits: []tune.Fit{{Loss: 2}, {Loss: 4}}, Loss: 3, Finished: true}
	dropped := &tune.Trial{Number: 2, Settings: settings, Screened: []tune.Fit{{Loss: 5}}}
	failed := &tune.Trial{Number: 3, Settings: settings, Fits: []tune.Fit{{Loss: 1}, {Failed: "it diverged, sadly"}}, Finished: true}
	best := &tune.Trial{Number: 4, Settings: settings, Fits: []tune.Fit{{Loss: 2}, {Loss: 2}}, Loss: 2, Over: -1, SE: 0.5, Finished: true}
	fidelity, disagreement := 1.25, 0.5
	best.Readability = &model.Readability{Samples: 10, Rules: 16, Fidelity: &fidelity, Disagreement: &disagreement, Idle: 0.125}
	return report.NewTuning(&tune.Result{Metric: "log loss", Trials: []*tune.Trial{start, dropped, failed, best}, Best: best, Incumbent: start, Found: true, Chosen: best, Starts: 1, Folds: 2, Repeats: 1})
}

// The best trial is first, failed ones are last, and dropped ones are left out.
func TestTuningTable(t *testing.T) {
	var b strings.Builder
	if err := WriteTuning(&b, tuning()); err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, line := range strings.Split(b.String(), "\n") {
		if cells := strings.Split(line, "│"); len(cells) > 5 && strings.Contains(line, "gaussian") {
			for _, cell := range append(cells[1:2:2], cells[len(cells)-5:len(cells)-1]...) {
				order = append(order, strings.TrimSpace(cell))
			}
		}
	}
	if want := []string{"4", "2", "-1 ± 0.5", "1.25", "best, chosen", "1", "3", "", "", "start, incumbent", "3", "failed", "", "", ""}; !slices.Equal(order, want) {
		t.Errorf("%q, want %q in\n%s", order, want, b.String())
	}
	for _, want := range []string{
		"│ log loss │ over the incumbent │",
		"Better than trial 1, the settings that the search started from: ",
		"Read alone, the strongest rule errs 25% more than the model on the held-out folds of the chosen trial.",
		"2 of 16 rules never decide: strongest for no row of its training folds.",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
