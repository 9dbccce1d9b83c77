package ensemble_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/optim"
)

// TestWatch: a watched data set is measured after every iteration, including refinements,
// as the final model is measured, and does not affect training.
func TestWatch(t *testing.T) {
	d, test := table(300), table(400).Subset(upTo(400)[300:])
	run := ensemble.Run{Recipe: quick()}
	run.Recipe.Train.Iterations, run.Recipe.Prune.Rounds = 60, 2
	plain := encoded(t, train(t, d, nil, run).Model)
	run.Watch, run.WatchEvery = []fit.Watched{{Name: "test", Data: test}, {Name: "train", Data: d}}, 7
	var points []float64
	var at []int
	run.OnIteration = func(m optim.Metrics) error {
		if len(m.Watched) > 0 {
			points, at = append(points, m.Watched["test"]), append(at, m.Iteration)
		}
		return nil
	}
	watched := train(t, d, nil, run).Model
	if want := []int{7, 14, 21, 28, 35, 36, 43, 48, 55, 60}; !slices.Equal(at, want) { // 36, 12 and 12 iterations
		t.Fatalf("measured at iterations %d, want %d", at, want)
	}
	if e := rmse(t, watched, test); !near(points[9], e, 1e-9) || points[0] <= e {
		t.Errorf("it begins at %v and ends at %v, the model's RMSE is %v", points[0], points[9], e)
	}
	if encoded(t, watched) != plain {
		t.Error("watching changed the model")
	}
}

// TestWatchedUnit: watched, reported and saved errors are in the target's unit, even with
// the mean loss, where the rules' output has another unit.
func TestWatchedUnit(t *testing.T) {
	d, v := table(300), table(400).Subset(upTo(400)[300:])
	for _, d := range []*data.Dataset{d, v} {
		for i := range d.Y {
			d.Y[i] *= 1000
		}
	}
	run := ensemble.Run{Recipe: quick(), Watch: []fit.Watched{{Name: "v", Data: v}}}
	run.Recipe.Train.Iterations, run.Recipe.Prune.Rounds, run.Recipe.Train.Loss = 60, 2, "mean"
	var all []optim.Metrics
	run.OnIteration = func(m optim.Metrics) error { all = append(all, m); return nil }
	r := train(t, d, v, run)
	e := rmse(t, r.Model, v)
	for name, got := range map[string]float64{
		"Training": r.Training.BestValidation, "Refinement": r.Prune[1].Refinement.BestValidation, "Watched": all[r.Training.Best-1].Watched["v"],
	} {
		if !near(got, e, 1e-9) {
			t.Errorf("%s: %v, the model's RMSE is %v", name, got, e)
		}
	}
	if last := all[59]; last.Validation == nil || *last.Validation != last.Watched["v"] || last.Batch < e/10 {
		t.Errorf("the last iteration reports %+v", last)
	}
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
			d := table(120)
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
			train(t, d, d, ensemble.Run{Recipe: o, OnIteration: func(m optim.Metrics) error { last = m; return nil }})
			return last
		}
		small, large := metrics(1), metrics(1024)
		if batch, validation := large.Batch/small.Batch, *large.Validation / *small.Validation; !near(batch, c.want, 1e-6) ||
			!near(validation, c.want, 1e-6) {
			t.Errorf("%s, %d targets: times 1024 the metrics are %v and %v times as large, want %v", c.loss, c.targets, batch, validation, c.want)
		}
	}
}

// A model keeps the limits of predictions, and its saved options restore them. In files, 0 means no margin, as in older
// ones.
func TestLimits(t *testing.T) {
	d, inf := table(60), recipe.Unlimited
	for _, c := range []struct {
		margin recipe.Margin
		bounds *recipe.Range
		fact   string
	}{{inf, nil, "0"}, {0, nil, "range"}, {0.25, nil, "0.25"}, {inf, &recipe.Range{-0.5, math.Inf(1)}, "0"}} {
		o := quick()
		o.Train.Iterations, o.Model.Margin, o.Model.Range = 2, c.margin, c.bounds
		m := train(t, d, nil, o).Model
		again := testenv.Must(recipe.Of(m)).Model
		if got := m.Training.Options["model.margin"]; got != c.fact || again.Margin != c.margin || !reflect.DeepEqual(again.Range, c.bounds) {
			t.Errorf("margin %v, bounds %v: %s, %v, %v", c.margin, c.bounds, got, again.Margin, again.Range)
		}
		low, high := m.Target.Limits()
		margin := float64(c.margin) * (m.Target.Max - m.Target.Min)
		want := [2]float64{m.Target.Min - margin, m.Target.Max + margin}
		if c.bounds != nil {
			want = *c.bounds
		}
		if low != want[0] || high != want[1] {
			t.Errorf("margin %v, bounds %v: from %v to %v, want %v", c.margin, c.bounds, low, high, want)
		}
	}
}
