package report

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/model"
)

// summary returns the outcome of a run with a test part.
func summary() *Summary {
	s := &Summary{
		RunDir: "runs/1", Model: "runs/1/model.json", Data: "d.csv", Target: "y", Membership: "gaussian", Engine: "autodiff",
		Rules: 32, RuleLength: 3.5, Features: 4, Iterations: 500, Best: 480, Stopped: "completed", Seed: 1, Skipped: 9, Seconds: 1.234,
	}
	s.SetTrain(model.Metrics{Samples: 70, RMSE: 0.123456789, MAE: 0.1, R2: 0.98765, Uncovered: 2})
	s.SetTest(
		model.Metrics{Samples: 30, RMSE: 0.25, MAE: 0.2, R2: 0.875, Uncovered: 3},
		model.Metrics{Samples: 30, RMSE: 4, MAE: 3, R2: -0.5},
		model.Metrics{Samples: 30, RMSE: 1.5, MAE: 1, R2: 0.75})
	return s
}

func object(t *testing.T, s *Summary) map[string]any {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var o map[string]any
	if err := json.Unmarshal(b, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// Scripts read these keys.
func TestSummaryJSON(t *testing.T) {
	o := object(t, summary())
	for key, want := range map[string]any{
		"run_dir": "runs/1", "model": "runs/1/model.json", "data": "d.csv", "target": "y", "membership": "gaussian", "engine": "autodiff",
		"rules": 32.0, "features": 4.0, "iterations": 500.0, "best_iteration": 480.0, "stopped": "completed", "seed": 1.0,
		"samples_train": 70.0, "samples_validation": 0.0, "samples_test": 30.0,
		"rmse_train": 0.123456789, "rmse_test": 0.25, "mae_test": 0.2, "r2_test": 0.875, "rmse_mean": 4.0, "rmse_ols": 1.5,
		"skipped_samples": 9.0, "uncovered_points": 5.0, "seconds": 1.234, // uncovered in training and test together
	} {
		if got, ok := o[key]; !ok || got != want {
			t.Errorf("%s: %v (there: %v), want %v", key, got, ok, want)
		}
	}
}

// Without a test part its keys are there and null, not 0, which would be a
// perfect model.
func TestSummaryWithoutTest(t *testing.T) {
	s := &Summary{}
	s.SetTrain(model.Metrics{Samples: 70, RMSE: 0.5, Uncovered: 2})
	o := object(t, s)
	for _, key := range []string{"rmse_test", "mae_test", "r2_test", "rmse_mean", "rmse_ols"} {
		if got, ok := o[key]; !ok || got != nil {
			t.Errorf("%s: %v (there: %v), want null", key, got, ok)
		}
	}
	for _, key := range []string{"run_dir", "model", "membership", "engine", "rules", "iterations", "skipped_samples", "seconds"} {
		if _, ok := o[key]; !ok {
			t.Errorf("%s is not there when it is zero", key)
		}
	}
	if o["uncovered_points"] != 2.0 || o["rmse_train"] != 0.5 {
		t.Errorf("%v", o)
	}
	if got := table(t, s); strings.Contains(got, "test") || !strings.Contains(got, "TSK model, train") {
		t.Errorf("the table is\n%s", got)
	}
}

func table(t *testing.T, s *Summary) string {
	t.Helper()
	var b strings.Builder
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// cells returns the cells of the table's row that has the cell first.
func cells(t *testing.T, table, first string) []string {
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
		"skipped samples: 9 (an update went without a sample, because no rule fired for it)\n",
		"uncovered points: 5 (no rule fires for the row; the model, or a member of a committee, predicts the training mean)\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, want := range [][]string{
		{"", "RMSE", "MAE", "R2", "samples"},
		{"TSK model, train", "0.12346", "0.1", "0.9877", "70"},
		{"TSK model, test", "0.25", "0.2", "0.8750", "30"},
		{"least squares, test", "1.5", "1", "0.7500", "30"},
		{"mean, test", "4", "3", "-0.5000", "30"},
		{"rules", "features", "per rule", "iterations", "skipped samples", "uncovered points", "seconds"},
		{"32", "4", "3.5", "500", "9", "5", "1.23"},
	} {
		if row := cells(t, got, want[0]); strings.Join(row, "|") != strings.Join(want, "|") {
			t.Errorf("row %q, want %q", row, want)
		}
	}
}

// The tables hold numbers only: names from the data, however odd, cannot break
// them, and numbers of any size fit.
func TestSummaryTableOddNames(t *testing.T) {
	s := summary()
	plain := table(t, s)
	s.RunDir, s.Target, s.Dropped = strings.Repeat("long ", 200), "\x1b[31m│\n", []string{"a\tb"}
	if table(t, s) != plain {
		t.Errorf("a name shows in the table\n%s", table(t, s))
	}
	s.SetTest(model.Metrics{Samples: 1, RMSE: 1.23456789e300, R2: -1.5e308}, model.Metrics{R2: -1e-5}, model.Metrics{})
	if got := strings.Join(cells(t, table(t, s), "TSK model, test"), "|"); got != "TSK model, test|1.2346e+300|0|-1.5e+308|1" {
		t.Error(got)
	}
	if got := cells(t, table(t, s), "mean, test")[3]; got != "0.0000" {
		t.Errorf("R2 %s", got)
	}
	widths := map[int]bool{}
	for line := range strings.Lines(table(t, s)) {
		if !strings.ContainsAny(line, "│┌├└") {
			continue // a sentence on what was counted
		}
		widths[len([]rune(line))] = true
	}
	if len(widths) != 2 { // one for each table
		t.Errorf("ragged:\n%s", table(t, s))
	}
}

func TestWriteMetrics(t *testing.T) {
	var b strings.Builder
	if err := WriteMetrics(&b, model.Metrics{Samples: 7, RMSE: 1.234567, MAE: 1, R2: 0.5, Uncovered: 2, OutOfRange: 3, Limited: 4}); err != nil {
		t.Fatal(err)
	}
	want := []string{"7", "1.2346", "1", "0.5000", "2", "3", "4"}
	if got := cells(t, b.String(), "7"); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q, want %q\n%s", got, want, b.String())
	}
	cells(t, b.String(), "samples")
}

// full is a device without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteErrors(t *testing.T) {
	for name, write := range map[string]func() error{
		"rules":   func() error { return Describe(two()).Write(full{}) },
		"summary": func() error { return summary().Write(full{}) },
		"metrics": func() error { return WriteMetrics(full{}, model.Metrics{}) },
	} {
		if write() == nil {
			t.Errorf("%s: a failed write went unnoticed", name)
		}
	}
}
