package report

import (
	"encoding/json"
	"testing"

	"github.com/tskgraph/tskgraph/model"
)

// summary returns the summary of a run with a test part.
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
	if v := o["verdict"].(map[string]any); v["part"] != "the test part" || v["beats_mean"] != true {
		t.Errorf("the verdict is %v", v)
	}
}

// Without a test part its keys are null, not 0, which would be a perfect model.
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
}
