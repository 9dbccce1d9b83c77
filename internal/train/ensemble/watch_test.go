package ensemble_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/optim"
)

// TestWatch: a watched data set is measured after every iteration, including refinements,
// as the final model is measured, and does not affect training.
func TestWatch(t *testing.T) {
	var run ensemble.Run
	parts := friedman(t, data.Split{})
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations, o.Prune.Rounds = 8, 60, 2
	plain := must(with(run, o).Train(context.Background(), parts.Train, nil))
	run.Watch, run.WatchEvery = []fit.Watched{{Name: "test", Data: parts.Test}, {Name: "train", Data: parts.Train}}, 7
	var points []float64
	var at []int
	run.OnIteration = func(m optim.Metrics) error {
		if len(m.Watched) > 0 {
			points, at = append(points, m.Watched["test"]), append(at, m.Iteration)
		}
		return nil
	}
	watched := must(with(run, o).Train(context.Background(), parts.Train, nil))
	if want := []int{7, 14, 21, 28, 35, 36, 43, 48, 55, 60}; !slices.Equal(at, want) { // 36, 12 and 12 iterations
		t.Fatalf("measured at iterations %d, want %d", at, want)
	}
	e := must(watched.Model.Evaluate(t.Context(), parts.Test))
	if last := points[9]; math.Abs(last-e.RMSE) > 1e-9*e.RMSE {
		t.Errorf("the last point is %v, the model's RMSE %v", last, e.RMSE)
	}
	if points[0] <= e.RMSE {
		t.Errorf("it begins at %v and ends at %v", points[0], e.RMSE)
	}
	if !bytes.Equal(saved(t, plain), saved(t, watched)) {
		t.Error("watching changed the model")
	}
}

// TestWatchedUnit: watched, reported and saved errors are in the target's unit, even with
// the mean loss, where the rules' output has another unit.
func TestWatchedUnit(t *testing.T) {
	var run ensemble.Run
	parts := friedman(t, data.Split{Train: 0.6, Validation: 0.2})
	for _, d := range []*data.Dataset{parts.Train, parts.Validation} {
		for i := range d.Y {
			d.Y[i] *= 1000
		}
	}
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations, o.Prune.Rounds, o.Train.Loss = 8, 60, 2, "mean"
	run.Watch = []fit.Watched{{Name: "v", Data: parts.Validation}}
	var all []optim.Metrics
	run.OnIteration = func(m optim.Metrics) error { all = append(all, m); return nil }
	r := must(with(run, o).Train(context.Background(), parts.Train, parts.Validation))
	e := must(r.Model.Evaluate(t.Context(), parts.Validation))
	for name, rmse := range map[string]float64{
		"Training": r.Training.BestValidation, "Refinement": r.Prune[1].Refinement.BestValidation, "Watched": all[r.Training.Best-1].Watched["v"],
	} {
		if math.Abs(rmse-e.RMSE) > 1e-9*e.RMSE {
			t.Errorf("%s: %v, the model's RMSE is %v", name, rmse, e.RMSE)
		}
	}
	if last := all[59]; last.Validation == nil || *last.Validation != last.Watched["v"] || last.Batch < e.RMSE/10 {
		t.Errorf("the last iteration reports %+v", last)
	}
}

// TestStart: a training that starts from the clusters of another one has the same result as
// if it had computed them.
func TestStart(t *testing.T) {
	var run ensemble.Run
	parts := friedman(t, data.Split{})
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations = 8, 30
	first := must(with(run, o).Train(context.Background(), parts.Train, nil))
	o.Prune.Rounds = 2
	alone := must(with(run, o).Train(context.Background(), parts.Train, nil))
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
	var option *recipe.Error
	if _, err := with(run, o).Train(context.Background(), parts.Train, nil); !errors.As(err, &option) || option.Key != "model.init" {
		t.Errorf("a start of 8 clusters for 7 rules: error %v", err)
	}
}

func saved(t *testing.T, r *ensemble.Result) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.json")
	if err := r.Model.Save(path); err != nil {
		t.Fatal(err)
	}
	content := must(os.ReadFile(path))
	return content
}

// TestMetricsInUnits: with targets 1024 times as large, the metrics of the iterations are 1024 times as large where their
// loss has the unit of the target, and the same where it has none, is in standard deviations, or has several targets.
func TestMetricsInUnits(t *testing.T) {
	for _, c := range []struct {
		loss    string
		targets int
		want    float64
	}{
		{"mean", 1, 1024}, {"absolute", 1, 1024}, {"quantile", 1, 1024}, {"poisson", 1, 1024}, {"huber", 1, 1}, {"gamma", 1, 1},
		{"mean", 2, 1}, {"absolute", 2, 1},
	} {
		metrics := func(unit float64) (last optim.Metrics) {
			d := table(t, 120)
			for n, y := range d.Y {
				d.Y[n] = unit * math.Exp(y)
			}
			if c.targets > 1 {
				d.Schema.Others, d.Others = []data.Other{{Name: "second"}}, [][]float64{d.Y}
			}
			o := quick()
			o.Train.Loss, o.Train.Iterations, o.Train.ValidateEvery = c.loss, 5, 1
			if c.loss == "quantile" {
				o.Train.Params = loss.Values{"quantiles": {0.1, 0.5}}
			}
			r := ensemble.Run{Recipe: o, OnIteration: func(m optim.Metrics) error {
				last = m
				return nil
			}}
			if _, err := r.Train(t.Context(), d, d); err != nil {
				t.Fatal(err)
			}
			return last
		}
		small, large := metrics(1), metrics(1024)
		for _, of := range [][2]float64{{small.Batch, large.Batch}, {*small.Validation, *large.Validation}} {
			if ratio := of[1] / of[0]; !(math.Abs(ratio/c.want-1) < 1e-6) {
				t.Errorf("%s, %d targets: %v, times 1024 %v: ratio %v, want %v", c.loss, c.targets, of[0], of[1], ratio, c.want)
			}
		}
	}
}

// A model keeps the limits of predictions, and its saved options restore them. In files, 0 means no margin, as in older
// ones.
func TestLimits(t *testing.T) {
	parts := must(data.Source{Builtin: "sinc"}.Load(context.Background()))
	inf := recipe.Unlimited
	for _, c := range []struct {
		margin recipe.Margin
		bounds *recipe.Bounds
		fact   string
	}{{inf, nil, "0"}, {0, nil, "range"}, {0.25, nil, "0.25"}, {inf, &recipe.Bounds{-0.1, math.Inf(1)}, "0"}} {
		o := recipe.Paper()
		o.Model.Rules, o.Train.Iterations, o.Model.Margin, o.Model.Bounds = 3, 2, c.margin, c.bounds
		r := must(runOf(o).Train(context.Background(), parts.Train, nil))
		again, err := recipe.Of(r.Model)
		if got := r.Model.Training.Options["model.margin"]; err != nil || got != c.fact || again.Model.Margin != c.margin ||
			!reflect.DeepEqual(again.Model.Bounds, c.bounds) {
			t.Errorf("margin %v, bounds %v: %s, %v, %v; %v", c.margin, c.bounds, got, again.Model.Margin, again.Model.Bounds, err)
		}
		low, high := r.Model.Target.Limits()
		target := r.Model.Target
		margin := float64(c.margin)
		want := [2]float64{target.Min - margin*(target.Max-target.Min), target.Max + margin*(target.Max-target.Min)}
		if c.bounds != nil {
			want = *c.bounds
		}
		if low != want[0] || high != want[1] {
			t.Errorf("margin %v, bounds %v: from %v to %v, want %v", c.margin, c.bounds, low, high, want)
		}
	}
}
