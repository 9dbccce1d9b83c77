package tskgraph_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/optim"
)

// TestWatch: a watched data set is measured after every iteration, including refinements,
// as the final model is measured, and does not affect training.
func TestWatch(t *testing.T) {
	var run tskgraph.Run
	parts := friedman(t, data.Split{})
	o := tskgraph.Paper()
	o.Model.Rules, o.Train.Iterations, o.Prune.Rounds = 8, 60, 2
	plain, err := with(run, o).Train(context.Background(), parts.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	run.Watch = parts.Test
	watched, err := with(run, o).Train(context.Background(), parts.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(plain.Watched) != 0 || len(watched.Watched) != 60 {
		t.Fatalf("%d and %d points", len(plain.Watched), len(watched.Watched))
	}
	e, err := watched.Model.Evaluate(t.Context(), parts.Test)
	if err != nil {
		t.Fatal(err)
	}
	if last := watched.Watched[59]; math.Abs(last-e.RMSE) > 1e-9*e.RMSE {
		t.Errorf("the last point is %v, the model's RMSE %v", last, e.RMSE)
	}
	if watched.Watched[0] <= e.RMSE {
		t.Errorf("it begins at %v and ends at %v", watched.Watched[0], e.RMSE)
	}
	if !bytes.Equal(saved(t, plain), saved(t, watched)) {
		t.Error("watching changed the model")
	}
}

// TestWatchedUnit: watched, reported and saved errors are in the target's unit, even with
// the mean loss, where the rules' output has another unit.
func TestWatchedUnit(t *testing.T) {
	var run tskgraph.Run
	parts := friedman(t, data.Split{Train: 0.6, Validation: 0.2})
	for _, d := range []*data.Dataset{parts.Train, parts.Validation} {
		for i := range d.Y {
			d.Y[i] *= 1000
		}
	}
	o := tskgraph.Paper()
	o.Model.Rules, o.Train.Iterations, o.Prune.Rounds, o.Train.Loss = 8, 60, 2, "mean"
	run.Watch = parts.Validation
	var last optim.Metrics
	run.OnIteration = func(m optim.Metrics) error { last = m; return nil }
	r, err := with(run, o).Train(context.Background(), parts.Train, parts.Validation)
	if err != nil {
		t.Fatal(err)
	}
	e, err := r.Model.Evaluate(t.Context(), parts.Validation)
	if err != nil {
		t.Fatal(err)
	}
	for name, rmse := range map[string]float64{
		"Training": r.Training.BestValidation, "Refinement": r.Prune[1].Refinement.BestValidation, "Watched": r.Watched[r.Training.Best-1],
	} {
		if math.Abs(rmse-e.RMSE) > 1e-9*e.RMSE {
			t.Errorf("%s: %v, the model's RMSE is %v", name, rmse, e.RMSE)
		}
	}
	if last.Validation == nil || math.Abs(*last.Validation-r.Watched[59]) > 1e-9*e.RMSE || last.RMSE < e.RMSE/10 {
		t.Errorf("the last iteration reports %+v, watched was %v", last, r.Watched[59])
	}
}

// TestStart: a training that starts from the clusters of another one has the same result as
// if it had computed them.
func TestStart(t *testing.T) {
	var run tskgraph.Run
	parts := friedman(t, data.Split{})
	o := tskgraph.Paper()
	o.Model.Rules, o.Train.Iterations = 8, 30
	first, err := with(run, o).Train(context.Background(), parts.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Prune.Rounds = 2
	alone, err := with(run, o).Train(context.Background(), parts.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	run.Start = first.Start
	shared, err := with(run, o).Train(context.Background(), parts.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(saved(t, alone), saved(t, shared)) {
		t.Error("the clusters of another training gave a different model")
	}
	run.Start.Centers[0][0] += 0.5
	if shared, err = with(run, o).Train(context.Background(), parts.Train, nil); err != nil || bytes.Equal(saved(t, alone), saved(t, shared)) {
		t.Errorf("a start that was moved gave the same model, %v", err)
	}
	if _, err := with(run, o).Prune(context.Background(), first.Model, parts.Train, nil); err == nil {
		t.Error("Prune accepted a Start")
	}
	o.Model.Rules = 7
	var option *tskgraph.RecipeError
	if _, err := with(run, o).Train(context.Background(), parts.Train, nil); !errors.As(err, &option) || option.Key != "model.init" {
		t.Errorf("a start of 8 clusters for 7 rules: error %v", err)
	}
}

func saved(t *testing.T, r *tskgraph.Result) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.json")
	if err := r.Model.Save(path); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
