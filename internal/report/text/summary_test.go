package text

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// summary returns the summary of a run with a test part.
func summary() *report.Summary {
	s := &report.Summary{
		RunDir: "runs/1", Model: "runs/1/model.json", Data: "d.csv", Target: "y", Membership: "gaussian", Engine: "autodiff",
		Rules: 32, RuleLength: 3.5, Features: 4, Iterations: 500, Best: 480, Stopped: "completed", Seed: 1, Skipped: 9, Seconds: 1.234,
	}
	m := &model.Model{}
	s.SetTrain(m, model.Metrics{Samples: 70, RMSE: 0.123456789, MAE: 0.1, R2: 0.98765, Uncovered: 2})
	s.SetTest(m, model.Metrics{Samples: 30, RMSE: 0.25, Loss: 0.25, MAE: 0.2, R2: 0.875, Uncovered: 3}, baseline.Errors{
		Constant: model.Metrics{Samples: 30, RMSE: 4, Loss: 4, MAE: 3, R2: -0.5},
		Linear:   &model.Metrics{Samples: 30, RMSE: 1.5, Loss: 1.5, MAE: 1, R2: 0.75},
	})
	return s
}

func table(t *testing.T, s *report.Summary) string { return printed(t, WriteSummary, s) }

// rowOf returns the cells of the table's row that begins with the cell first.
func rowOf(t *testing.T, table, first string) []string {
	t.Helper()
	for line := range strings.Lines(table) {
		row := strings.Split(strings.TrimSpace(line), "│")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		if len(row) > 2 && row[1] == first {
			return row[1 : len(row)-1]
		}
	}
	t.Fatalf("no row %q in\n%s", first, table)
	return nil
}

func TestSummaryTable(t *testing.T) {
	got := table(t, summary())
	for _, want := range []string{
		"skipped samples: 9 (left out of an update because no rule fired)\n",
		"uncovered points: 5 (no rule fires for the row; the model, or a member of a committee, predicts the training mean)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, want := range [][]string{
		{"", "RMSE", "MAE", "R²", "samples"},
		{"TSK model, train", "0.12346", "0.1", "0.9877", "70"},
		{"TSK model, test", "0.25", "0.2", "0.8750", "30"},
		{"least squares, test", "1.5", "1", "0.7500", "30"},
		{"mean, test", "4", "3", "-0.5000", "30"},
		{"rules", "inputs", "conditions", "iterations", "skipped samples", "uncovered points", "seconds"},
		{"32", "4", "3.5", "500", "9", "5", "1.23"},
	} {
		if row := rowOf(t, got, want[0]); strings.Join(row, "|") != strings.Join(want, "|") {
			t.Errorf("row %q, want %q", row, want)
		}
	}
}

// Without a test part the table has no row for it.
func TestSummaryTableWithoutTest(t *testing.T) {
	s := &report.Summary{}
	s.SetTrain(&model.Model{}, model.Metrics{Samples: 70, RMSE: 0.5, Uncovered: 2})
	if got := table(t, s); strings.Contains(got, "test") || !strings.Contains(got, "TSK model, train") {
		t.Errorf("the table is\n%s", got)
	}
}

// The tables have only numbers: names from the data cannot break them, and numbers of any size fit.
func TestSummaryTableOddNames(t *testing.T) {
	s := summary()
	plain := table(t, s)
	s.RunDir, s.Target, s.Dropped = strings.Repeat("long ", 200), "\x1b[31m│\n", []string{"a\tb"}
	if table(t, s) != plain {
		t.Errorf("a name shows in the table\n%s", table(t, s))
	}
	s.SetTest(&model.Model{}, model.Metrics{Samples: 1, RMSE: 1.23456789e300, R2: -1.5e308},
		baseline.Errors{Constant: model.Metrics{Samples: 1, R2: -1e-5}})
	if got := strings.Join(rowOf(t, table(t, s), "TSK model, test"), "|"); got != "TSK model, test|1.2346e+300|0|-1.5e+308|1" {
		t.Error(got)
	}
	if got := rowOf(t, table(t, s), "mean, test")[3]; got != "0.0000" {
		t.Errorf("R2 %s", got)
	}
	widths := map[int]bool{}
	for line := range strings.Lines(table(t, s)) {
		if !strings.ContainsAny(line, "│┌├└") {
			continue // a line of writeCounts
		}
		widths[len([]rune(line))] = true
	}
	if len(widths) != 2 { // one for each table
		t.Errorf("ragged:\n%s", table(t, s))
	}
}

// TestSummaryOfClasses: accuracy, log loss and the baselines of classes; no RMSE.
func TestSummaryOfClasses(t *testing.T) {
	auc := 0.96
	of := func(accuracy, logLoss float64) model.Metrics {
		return model.Metrics{Samples: 30, Loss: logLoss, Classes: &metric.Classes{
			Samples: 30, Absent: 1, Accuracy: accuracy, BalancedAccuracy: 0.9, LogLoss: logLoss, AUC: &auc, Brier: 0.05,
			Confusion: make([][]float64, 3),
		}}
	}
	m := &model.Model{Preprocessing: model.Preprocessing{
		Schema:   data.Schema{Target: "kind", Classes: []string{"a", "b", "c"}},
		Response: model.Response{Link: "softmax", Classes: make([]model.Class, 3)},
	}}
	s, linear := &report.Summary{Uncovered: 1}, of(0.95, 0.2)
	s.SetTrain(m, of(0.99, 0.05))
	s.SetTest(m, of(0.97, 0.1), baseline.Errors{Constant: of(0.4, 1.1), Linear: &linear})
	got := table(t, s)
	for _, want := range [][]string{
		{"", "log loss", "accuracy", "balanced", "AUC", "Brier", "samples"},
		{"TSK model, test", "0.1", "0.9700", "0.9000", "0.9600", "0.0500", "30"},
		{"logistic regression, test", "0.2", "0.9500", "0.9000", "0.9600", "0.0500", "30"},
		{"class shares, test", "1.1", "0.4000", "0.9000", "0.9600", "0.0500", "30"},
	} {
		if row := rowOf(t, got, want[0]); strings.Join(row, "|") != strings.Join(want, "|") {
			t.Errorf("row %q, want %q", row, want)
		}
	}
	if strings.Contains(got, "RMSE") || strings.Contains(got, "training mean") ||
		!strings.Contains(got, "classes without a sample in the test part: 1 of 3") {
		t.Error(got)
	}
}

// TestSeveralTargets: each target has a row.
func TestSeveralTargets(t *testing.T) {
	e := model.Metrics{Samples: 5, RMSE: 0.5, Targets: []model.Metrics{{Target: "heat", Samples: 5, RMSE: 7},
		{Target: "cold\n", Samples: 5, RMSE: 8}}}
	s := &report.Summary{}
	s.SetTrain(&model.Model{}, e)
	got := table(t, s)
	if row := rowOf(t, got, "TSK model, train, heat"); row[1] != "7" {
		t.Errorf("%q", row)
	}
	if row := rowOf(t, got, "TSK model, train, all (in standard deviations)"); row[1] != "0.5" {
		t.Errorf("%q", row)
	}
	b := printed(t, WriteMetrics, e)
	if row := rowOf(t, b, `cold\n`); row[1] != "8" {
		t.Errorf("%q", row)
	}
}

func TestWriteMetrics(t *testing.T) {
	b := printed(t, WriteMetrics, model.Metrics{Samples: 7, RMSE: 1.234567, MAE: 1, R2: 0.5, Uncovered: 2, OutOfRange: 3, Limited: 4})
	want := []string{"7", "1.2346", "1", "0.5000", "2", "3", "4"}
	if got := rowOf(t, b, "7"); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q, want %q\n%s", got, want, b)
	}
	rowOf(t, b, "samples")
}

// full is a writer to a full device.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteErrors(t *testing.T) {
	for name, write := range map[string]func() error{
		"summary": func() error { return WriteSummary(full{}, summary()) },
		"metrics": func() error { return WriteMetrics(full{}, model.Metrics{}) },
	} {
		if write() == nil {
			t.Errorf("%s: a failed write went unnoticed", name)
		}
	}
}

// TestRaceColumns: the table of a race has the keys in which its settings differ, and the fidelity of settings that have one.
func TestRaceColumns(t *testing.T) {
	s := &report.Summary{Race: []tskgraph.RaceScore{
		{Setting: recipe.Setting{"membership": "gaussian", "iterations": 40, "batch": 8}, Metric: "RMSE", Loss: 2.5, Fidelity: 1.0625,
			Splits: 3, Chosen: true},
		{Setting: recipe.Setting{"membership": "sigmoid", "iterations": 40, "l2": 0.1}, Metric: "RMSE", Loss: 2, Fidelity: math.NaN(), Splits: 1},
	}}
	var b strings.Builder
	writeRace(&b, s)
	var got []string
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "│") {
			got = append(got, strings.Join(strings.Fields(line), " "))
		}
	}
	want := []string{
		"│ race │ membership │ l2 │ splits │ fidelity │ held-out RMSE │",
		"│ setting 1, chosen │ gaussian │ - │ 3 │ 1.06 │ 2.5 │",
		"│ setting 2 │ sigmoid │ 0.1 │ 1, left │ - │ 2 │",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func tuning() *report.Tuning {
	settings := recipe.Setting{"rules": 8, "membership": membership.Gaussian{}, "antecedents": 0.0, "droprule": 0.5, "l2": 0.05,
		"iterations": 500, "learning_rate": 0.01}
	start := &tune.Trial{Number: 1, Settings: settings, Fits: []tune.Fit{{Loss: 2}, {Loss: 4}}, Loss: 3, Finished: true}
	dropped := &tune.Trial{Number: 2, Settings: settings, Screened: []tune.Fit{{Loss: 5}}}
	failed := &tune.Trial{Number: 3, Settings: settings, Fits: []tune.Fit{{Loss: 1}, {Failed: "it diverged, sadly"}}, Finished: true}
	best := &tune.Trial{Number: 4, Settings: settings, Fits: []tune.Fit{{Loss: 2}, {Loss: 2}}, Loss: 2, Over: -1, SE: 0.5, Finished: true}
	fidelity, disagreement := 1.25, 0.5
	best.Readability = &model.Readability{Samples: 10, Rules: 16, Fidelity: &fidelity, Disagreement: &disagreement, Idle: 0.125}
	return report.NewTuning(&tune.Result{Metric: "log loss", Trials: []*tune.Trial{start, dropped, failed, best}, Best: best,
		Incumbent: start, Found: true, Chosen: best, Starts: 1, Folds: 2, Repeats: 1})
}

// The best trial is first, failed ones are last, and dropped ones are left out.
func TestTuningTable(t *testing.T) {
	b := printed(t, WriteTuning, tuning())
	var order []string
	for _, line := range strings.Split(b, "\n") {
		if cells := strings.Split(line, "│"); len(cells) > 5 && strings.Contains(line, "gaussian") {
			for _, cell := range append(cells[1:2:2], cells[len(cells)-5:len(cells)-1]...) {
				order = append(order, strings.TrimSpace(cell))
			}
		}
	}
	if want := []string{"4", "2", "-1 ± 0.5", "1.25", "best, chosen", "1", "3", "", "", "start, incumbent", "3", "failed", "", "",
		""}; !slices.Equal(order, want) {
		t.Errorf("%q, want %q in\n%s", order, want, b)
	}
	for _, want := range []string{
		"│ log loss │ over the incumbent │",
		"Better than trial 1, the settings that the search started from: ",
		"Read alone, the strongest rule errs 25% more than the model on the held-out folds of the chosen trial.",
		"2 of 16 rules never decide: strongest for no row of its training folds.",
	} {
		if !strings.Contains(b, want) {
			t.Errorf("no %q in\n%s", want, b)
		}
	}
}

// pruned returns a pruning path with a validation part.
func pruned() []tskgraph.PathStep {
	steps := []tskgraph.PathStep{
		{Metric: "RMSE", Rules: 3, LossTrain: 0.5}, {Metric: "RMSE", Rules: 2, LossTrain: 0.625, Decision: "rule 1 removed, \"weak\""},
		{Metric: "RMSE", Rules: 1, LossTrain: 0.75, Decision: "rules merged"},
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
