package recipe_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
)

// TestLossFunction checks the loss for every value of train.loss and kind of target.
func TestLossFunction(t *testing.T) {
	for _, c := range []struct {
		train   recipe.Train
		classes int
		want    string
	}{
		{recipe.Train{Loss: "sum"}, 0, "squared"}, {recipe.Train{Loss: "mean"}, 0, "squared"},
		{recipe.Train{Loss: "mean"}, 2, "logistic"}, {recipe.Train{Loss: "sum"}, 3, "softmax"},
		{recipe.Train{Loss: "softmax"}, 2, "softmax"}, {recipe.Train{Loss: "poisson"}, 0, "poisson"},
	} {
		if got := c.train.LossFunction(c.classes).Name(); got != c.want {
			t.Errorf("%s, %d classes: %s, want %s", c.train.Loss, c.classes, got, c.want)
		}
	}
	if l := (recipe.Train{Loss: "huber",
		Params: loss.Values{"huber_delta": {0.5}}}).LossFunction(0); l != loss.Loss(loss.Huber{Delta: 0.5}) {
		t.Errorf("huber: %+v", l)
	}
	quantile := recipe.Train{Loss: "quantile", Params: loss.Values{"quantiles": {0.1, 0.9}}}.LossFunction(0)
	if l, ok := quantile.(loss.Quantile); !ok || !slices.Equal(l.Levels, []float64{0.1, 0.9}) {
		t.Errorf("quantile: %+v", quantile)
	}
	weighted := loss.Joint(recipe.Train{Loss: "mean", TargetWeights: recipe.Numbers{1, 3}}.LossFunction(0), nil)
	if v := weighted.Value([]float64{0, 0}, []float64{2, 4}); v != 0.5*2+1.5*8 {
		t.Errorf("weights 1 and 3, of mean one 0.5 and 1.5: %v", v)
	}
}

// table returns three samples of a target, with classes or further targets.
func table(t *testing.T, classes []string, y ...float64) *data.Dataset {
	t.Helper()
	d := testenv.Must(data.New([]string{"x"}, "y", [][]float64{{1}, {2}, {3}, {4}}[:len(y)], y))
	d.Schema.Classes = classes
	return d
}

// TestCheckTarget checks that a loss that does not fit the target is refused, with the key
// and the target.
func TestCheckTarget(t *testing.T) {
	numbers, classes, two := table(t, nil, -1, 0, 2), table(t, []string{"a", "b", "c"}, 0, 1, 2), table(t, nil, 1, 2, 3)
	two.Schema.Others, two.Others = []data.Other{{Name: "z"}}, [][]float64{{0, 1, 2}}
	for _, c := range []struct {
		on     *data.Dataset
		change func(r *recipe.Recipe)
		want   string // of the error; empty: none
	}{
		{numbers, func(r *recipe.Recipe) {}, ""},
		{classes, func(r *recipe.Recipe) { r.Train.ClassWeights, r.Train.LabelSmoothing = "balanced", 0.1 }, ""},
		{two, func(r *recipe.Recipe) { r.Train.TargetWeights = recipe.Numbers{1, 2} }, ""},
		{table(t, nil, 0, 1, 2), func(r *recipe.Recipe) { r.Train.Loss = "poisson" }, ""},
		{numbers, func(r *recipe.Recipe) { r.Train.Loss = "poisson" }, `train.loss: poisson: needs targets at least 0, but "y" is -1 in row 1`},
		{table(t, nil, 1, 0, 2), func(r *recipe.Recipe) { r.Train.Loss = "gamma" }, `gamma: needs targets above 0, but "y" is 0 in row 2`},
		{table(t, nil, 0, 0, 0), func(r *recipe.Recipe) { r.Train.Loss = "poisson" }, `"y" is 0 in all rows`},
		{two, func(r *recipe.Recipe) { r.Train.Loss = "gamma" }, `"z" is 0 in row 1`},
		{numbers, func(r *recipe.Recipe) { r.Train.Loss = "softmax" }, `train.loss: softmax: the target "y" has numbers`},
		{classes, func(r *recipe.Recipe) { r.Train.Loss = "logistic" }, `"y" has 3 classes, not 2: choose softmax`},
		{classes, func(r *recipe.Recipe) { r.Train.Loss = "huber" }, `"y" has classes, not numbers`},
		{classes, func(r *recipe.Recipe) { r.Model.Range = &recipe.Range{0, 1} }, "model.range"},
		{two, func(r *recipe.Recipe) { r.Train.Loss, r.Train.Params = "quantile", loss.Values{"quantiles": {0.5}} }, "data.target lists 2"},
		{two, func(r *recipe.Recipe) { r.Train.TargetWeights = recipe.Numbers{1, 2, 3} }, "train.target_weights: [1, 2, 3]: 3 weights"},
		{numbers, func(r *recipe.Recipe) { r.Train.ClassWeights = "balanced" }, "train.class_weights"},
		{numbers, func(r *recipe.Recipe) { r.Train.LabelSmoothing = 0.1 }, "train.label_smoothing"},
		{two, func(r *recipe.Recipe) { r.Model.Consequents = recipe.LeastSquares }, "model.consequents"},
		{classes, func(r *recipe.Recipe) { r.Train.Optimizer = "anfis" }, "train.optimizer"},
		{numbers, func(r *recipe.Recipe) { r.Train.Loss, r.Model.Neighbours = "huber", recipe.AutoNeighbours }, ""},
		{classes, func(r *recipe.Recipe) { r.Model.Neighbours = recipe.AutoNeighbours }, "model.neighbours: auto: needs one target"},
		{two, func(r *recipe.Recipe) { r.Model.Neighbours = recipe.AutoNeighbours }, "model.neighbours: auto"},
		{table(t, nil, 0, 1, 2), func(r *recipe.Recipe) { r.Train.Loss, r.Model.Neighbours = "poisson", recipe.AutoNeighbours },
			"model.neighbours: auto"},
	} {
		r := recipe.Robust()
		c.change(&r)
		err := recipe.CheckTarget(r, c.on)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// TestValuesOfLosses checks that values that do not belong to the loss are refused.
func TestValuesOfLosses(t *testing.T) {
	for want, change := range map[string]func(r *recipe.Recipe){
		"train.quantiles: empty":            func(r *recipe.Recipe) { r.Train.Loss = "quantile" },
		"train.quantiles: [0.5]: loss mean": func(r *recipe.Recipe) { r.Train.Params = loss.Values{"quantiles": {0.5}} },
		"[0.5, 0.5]: must be ascending": func(r *recipe.Recipe) {
			r.Train.Loss, r.Train.Params = "quantile", loss.Values{"quantiles": {0.5, 0.5}}
		},
		"train.quantiles: [0, 0.5]: each must be": func(r *recipe.Recipe) {
			r.Train.Loss, r.Train.Params = "quantile", loss.Values{"quantiles": {0, 0.5}}
		},
		"train.huber_delta: 0: must be above 0": func(r *recipe.Recipe) {
			r.Train.Loss, r.Train.Params = "huber",
				loss.Values{"huber_delta": {0}}
		},
		"train.target_weights: [-1]: each must be": func(r *recipe.Recipe) { r.Train.TargetWeights = recipe.Numbers{-1} },
		"train.label_smoothing: 1: must be":        func(r *recipe.Recipe) { r.Train.LabelSmoothing = 1 },
		"train.loss: huber: optimizer anfis": func(r *recipe.Recipe) {
			r.Train.Loss, r.Train.Optimizer, r.Train.Batch = "huber",
				"anfis", 0
		},
	} {
		r := recipe.Robust()
		change(&r)
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestBalancedAndSmooth checks class weights and smoothed targets computed by hand: of four
// rows, three of the first of two classes weigh 4/(2 3) each and the other 4/(2 1).
func TestBalancedAndSmooth(t *testing.T) {
	d := table(t, []string{"a", "b"}, 0, 0, 1, 0)
	train := recipe.Train{ClassWeights: "balanced", LabelSmoothing: 0.1}
	for n, w := range train.LossWeights(d) {
		if want := []float64{2.0 / 3, 2.0 / 3, 2, 2.0 / 3}[n]; math.Abs(w-want) > 1e-15 {
			t.Errorf("row %d: weight %v, want %v", n, w, want)
		}
	}
	if w := (recipe.Train{ClassWeights: "none"}).LossWeights(d); w != nil {
		t.Errorf("weights %v without class weights", w)
	}
	targets := []float64{0, 1}
	train.Smooth(targets, 2)
	if math.Abs(targets[0]-0.05) > 1e-15 || math.Abs(targets[1]-0.95) > 1e-15 {
		t.Errorf("smoothed: %v", targets)
	}
}
