package ensemble_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/optim"
)

// weightedParts are a training and a test part with weights 1 to 3, and the same parts with
// rows repeated as often instead.
func weightedParts(t *testing.T) (parts, repeated *data.Parts) {
	t.Helper()
	parts, repeated = friedman(t, data.Split{Validation: 0.2}), &data.Parts{}
	for _, p := range []struct {
		d  *data.Dataset
		to **data.Dataset
	}{{parts.Train, &repeated.Train}, {parts.Validation, &repeated.Validation}, {parts.Test, &repeated.Test}} {
		var rows []int
		for i := range p.d.Y {
			rows = append(rows, slices.Repeat([]int{i}, 1+i%3)...)
		}
		*p.to = p.d.Subset(rows)
		for i := range p.d.Y {
			p.d.Weights = append(p.d.Weights, float64(1+i%3))
		}
	}
	return parts, repeated
}

// TestBaselinesAreWeighted: baselines equal those on repeated rows.
func TestBaselinesAreWeighted(t *testing.T) {
	parts, repeated := weightedParts(t)
	got, err := baseline.Measure(t.Context(), untrained(t, parts.Train), parts.Train, parts.Test)
	if err != nil {
		t.Fatal(err)
	}
	want, err := baseline.Measure(t.Context(), untrained(t, repeated.Train), repeated.Train, repeated.Test)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.Linear.RMSE/want.Linear.RMSE-1) > 1e-9 || math.Abs(got.Constant.RMSE/want.Constant.RMSE-1) > 1e-9 ||
		math.Abs(got.Linear.R2-want.Linear.R2) > 1e-9 {
		t.Errorf("%+v, of repeated rows %+v", got, want)
	}
}

// TestValidationIsWeighted: the iteration kept and the errors reported equal those with
// repeated rows in the validation part.
func TestValidationIsWeighted(t *testing.T) {
	var run ensemble.Run
	parts, repeated := weightedParts(t)
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations, o.Train.ValidateEvery = 8, 60, 1
	var watched []float64
	run.OnIteration = func(m optim.Metrics) error { watched = append(watched, m.Watched["test"]); return nil }
	run.Watch = []fit.Watched{{Name: "test", Data: parts.Test}}
	got := train(t, parts.Train, parts.Validation, with(run, o))
	run.Watch[0].Data = repeated.Test
	want := train(t, parts.Train, repeated.Validation, with(run, o))
	if got.Training.Best != want.Training.Best || math.Abs(got.Training.BestValidation/want.Training.BestValidation-1) > 1e-9 {
		t.Errorf("%+v, with repeated rows %+v", got.Training, want.Training)
	}
	for i, v := range watched[60:] {
		if math.Abs(watched[i]/v-1) > 1e-9 {
			t.Fatalf("watched at iteration %d: %v, with repeated rows %v", i+1, watched[i], v)
		}
	}
	m := got.Model
	a, _ := m.Evaluate(t.Context(), parts.Test)
	if b, _ := m.Evaluate(t.Context(), repeated.Test); math.Abs(a.RMSE/b.RMSE-1) > 1e-9 || a.Samples != parts.Test.Len() {
		t.Errorf("%+v, of repeated rows %+v", a, b)
	}
}

// TestRaceIsWeighted: the score of a setting in a race is weighted, so that rows of large
// weight dominate it.
func TestRaceIsWeighted(t *testing.T) {
	d := friedman(t, data.Split{}).Train
	o := recipe.Robust()
	o.Model.Rules, o.Train.RaceSplits = 4, 1
	o.Train.Race = []recipe.Setting{{"iterations": 20}, {"iterations": 21}}
	plain := train(t, d, nil, o)
	d.Weights = make([]float64, d.Len())
	mean := 0.0
	for _, y := range d.Y {
		mean += y / float64(d.Len())
	}
	for i, y := range d.Y {
		d.Weights[i] = 1e-3 // far from the mean errors are large
		if math.Abs(y-mean) < 2 {
			d.Weights[i] = 1
		}
	}
	heavy := train(t, d, nil, o)
	for k, s := range heavy.Race {
		if !(s.Loss < 0.9*plain.Race[k].Loss) {
			t.Errorf("setting %d: weighted %v, without weights %v", k+1, s.Loss, plain.Race[k].Loss)
		}
	}
}

// TestPrunesByWeight: rules that fire only for samples of low weight are removed.
func TestPrunesByWeight(t *testing.T) {
	d := friedman(t, data.Split{}).Train
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations = 8, 30
	m := train(t, d, nil, o).Model
	x, err := m.Scale(d.X)
	if err != nil {
		t.Fatal(err)
	}
	heavy := 0 // the rule that fires most but one
	for r, rule := range m.Rules {
		stronger := 0
		for _, other := range m.Rules {
			if other.Share > rule.Share {
				stronger++
			}
		}
		if stronger == 1 {
			heavy = r
		}
	}
	d.Weights = make([]float64, d.Len())
	for n, f := range m.RuleBase.FiringLevels(x, nil) {
		d.Weights[n] = 1e-6
		if f[heavy] == slices.Max(f) {
			d.Weights[n] = 1
		}
	}
	o, err = recipe.Of(m)
	if err != nil {
		t.Fatal(err)
	}
	o.Prune = recipe.Prune{Rounds: 1, Gamma: 1e6, Theta: 1} // the strongest is left
	o.Train.Iterations = 1
	r, err := runOf(o).Prune(context.Background(), m, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, removed := range r.Prune[0].Removed {
		if removed.Rule == heavy+1 {
			t.Errorf("rule %d was removed: %v", heavy+1, r.Prune[0].Account)
		}
	}
}
