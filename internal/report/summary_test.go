package report

import (
	"encoding/json"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/model"
)

// summary returns the summary of a run with a test part.
func summary() *Summary {
	s := &Summary{
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

func object(t *testing.T, s *Summary) map[string]any {
	t.Helper()
	b := testenv.Must(json.Marshal(s))
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
	s.SetTrain(&model.Model{}, model.Metrics{Samples: 70, RMSE: 0.5, Uncovered: 2})
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

// TestSummaryOfClassesJSON: accuracy and log loss by part and of the baselines; no RMSE.
func TestSummaryOfClassesJSON(t *testing.T) {
	of := func(accuracy, logLoss float64) model.Metrics {
		return model.Metrics{Samples: 30, Loss: logLoss, Classes: &metric.Classes{Accuracy: accuracy, LogLoss: logLoss, BalancedAccuracy: 0.5,
			Brier: 0.1}}
	}
	m := &model.Model{Preprocessing: model.Preprocessing{
		Schema:   data.Schema{Target: "kind", Classes: []string{"a", "b"}},
		Response: model.Response{Link: "logit", Classes: make([]model.Class, 2)},
	}}
	s, linear := &Summary{}, of(0.95, 0.2)
	s.SetTrain(m, of(0.99, 0.05))
	if o := object(t, s); o["accuracy_test"] != nil || o["log_loss_test"] != nil || o["accuracy_train"] != 0.99 {
		t.Errorf("without a test part: %v", o)
	}
	s.SetTest(m, of(0.97, 0.1), baseline.Errors{Constant: of(0.4, 1.1), Linear: &linear})
	o := object(t, s)
	for key, want := range map[string]any{
		"metric": "log loss", "accuracy_train": 0.99, "log_loss_train": 0.05, "accuracy_test": 0.97, "log_loss_test": 0.1,
		"balanced_accuracy_test": 0.5,
		"auc_test":               nil, "brier_test": 0.1, "accuracy_majority": 0.4, "log_loss_shares": 1.1, "accuracy_logistic": 0.95,
		"log_loss_logistic": 0.2,
	} {
		if got, ok := o[key]; !ok || got != want {
			t.Errorf("%s: %v (there: %v), want %v", key, got, ok, want)
		}
	}
	if v, ok := o["rmse_test"]; ok {
		t.Errorf("a model of classes has an RMSE: %v", v)
	}
	var read Summary
	if text, err := json.Marshal(s); err != nil || json.Unmarshal(text, &read) != nil || *read.Figures["accuracy_majority"] != 0.4 ||
		read.Figures["rmse_test"] != nil || read.Metric != "log loss" {
		t.Errorf("read again: %+v, %v", read.Figures, err)
	}
}

// TestSummaryOfTargetsJSON: each of several targets has its figures.
func TestSummaryOfTargetsJSON(t *testing.T) {
	s := &Summary{}
	s.SetTrain(&model.Model{}, model.Metrics{Samples: 5, RMSE: 0.5,
		Targets: []model.Metrics{{Target: "heat", Samples: 5, RMSE: 7}, {Target: "cold", Samples: 5, RMSE: 8}}})
	targets, _ := object(t, s)["targets"].([]any)
	if len(targets) != 2 {
		t.Fatalf("%v", targets)
	}
	if cold := targets[1].(map[string]any); cold["target"] != "cold" || cold["rmse_train"] != 8.0 || cold["rmse_test"] != nil {
		t.Errorf("%v", cold)
	}
}

// TestNamed: cells of a column count as filled if the model does not use that they are missing.
func TestNamed(t *testing.T) {
	m := &model.Model{Preprocessing: model.Preprocessing{Features: make([]model.Feature, 4), Schema: data.Schema{Columns: []data.Column{
		{Name: "used", Encoding: data.Numeric, Missing: true}, {Name: "unused", Encoding: data.Numeric, Missing: true}}}}}
	m.Features[3].Constant = true
	got := Named(m, data.Missing{Cells: 9, Own: 8, Imputed: 1, Columns: map[string]int{"used": 5, "unused": 3, "y": 1}})
	testenv.Equal(t, [2]int{got.Own, got.Imputed}, [2]int{5, 4}, "cells that are values, and that are filled")
}
