package tskgraph

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// Robust returns the options of the default preset, which docs/accuracy.md measures:
// Adam with a cosine schedule on the mean loss, spreads trained as logarithms, slopes
// pulled to their mean, uniform firing, skewed features straightened for the
// antecedents, predictions limited, and a short race of settings.
func Robust() Options {
	o := Paper()
	o.Model.Transform, o.Model.SpreadFloor, o.Model.Margin = "yeo-johnson", 0.1, 0.05
	t := &o.Train
	t.Loss, t.Shrink, t.LogSpreads = "mean", "mean", true
	t.Optimizer, t.Schedule = "adam", "cosine"
	t.Race, t.RaceSplits = robustRace(), 3
	t.Race[0].apply(&o)
	return o
}

// choices are the options that are one of a few words, by key; an empty text means
// the first.
func (o *Options) choices() map[string]choice {
	return map[string]choice{
		"model.transform": {&o.Model.Transform, []string{"none", "yeo-johnson"}},
		"train.loss":      {&o.Train.Loss, []string{"sum", "mean"}},
		"train.schedule":  {&o.Train.Schedule, []string{"constant", "cosine"}},
		"train.shrink":    {&o.Train.Shrink, []string{"zero", "mean"}},
	}
}

type choice struct {
	value *string
	words []string
}

// checkRecipe checks what [Paper] leaves at its zero, and what does not go together.
func (o Options) checkRecipe() (faults []error) {
	fail := func(key, format string, a ...any) {
		faults = append(faults, &OptionError{key, fmt.Sprintf(format, a...)})
	}
	choices := o.choices()
	for _, key := range slices.Sorted(maps.Keys(choices)) {
		if c := choices[key]; *c.value != "" && !slices.Contains(c.words, *c.value) {
			fail(key, "%q: choose %s", *c.value, strings.Join(c.words, " or "))
		}
	}
	for _, v := range []struct {
		key   string
		value float64
	}{
		{"model.antecedents", o.Model.Antecedents}, {"model.spread_floor", o.Model.SpreadFloor},
		{"train.uniform", o.Train.Uniform}, {"train.consequent_rate", o.Train.ConsequentRate},
	} {
		if !(v.value >= 0) || math.IsInf(v.value, 0) {
			fail(v.key, "%v: must be zero or more", v.value)
		}
	}
	if !(o.Model.Margin >= 0) {
		fail("model.margin", "%v: must be zero or more", o.Model.Margin)
	}
	if b := o.Model.Bounds; b != nil && !(b[0] < b[1]) {
		fail("model.bounds", "%v to %v: the first must be less than the second", b[0], b[1])
	}
	if o.Model.Order != 0 && o.Model.Order != 1 {
		fail("model.order", "%d: choose 1, linear consequents, or 0, constants", o.Model.Order)
	}
	if f := o.Model.Membership; o.Model.Antecedents > 0 && !rules.CanBeFlat(f) {
		fail("model.antecedents", "%s (model.membership) cannot be flat, so a rule has to mention every feature: set it to 0", f.Name())
	}
	leastSquares := o.Model.Consequents == leastSquaresConsequents
	for _, c := range []struct {
		bad          bool
		key, message string
	}{
		{o.Model.PCA > 0 && o.Model.Transform == "yeo-johnson", "model.transform", "principal components (data.pca) are not transformed: set it to none"},
		{o.Model.Init == "genfis" && o.Model.Transform == "yeo-johnson", "model.transform", "the start as MATLAB's anfis (model.init) sees the features as they are: set it to none"},
		{o.Model.Init == grid && o.Model.Antecedents > 0, "model.antecedents", "the rules of a grid share their membership functions: set it to 0"},
		{leastSquares && o.Model.Order == 0, "model.order", "least squares (model.consequents) are for linear consequents: set it to 1"},
		{leastSquares && o.Model.Transform == "yeo-johnson", "model.transform", "least squares (model.consequents) see the features as the antecedents do: set it to none"},
		{leastSquares && o.Train.Loss == "mean", "train.loss", "least squares (model.consequents) have the paper's loss: set it to sum"},
		{leastSquares && o.Train.Shrink == "mean", "train.shrink", "least squares (model.consequents) have the paper's loss: set it to zero"},
		{o.Train.Optimizer == "anfis" && o.Train.Schedule == "cosine", "train.schedule", "optimizer anfis (train.optimizer) sets its own pace: set it to constant"},
		{o.Train.Optimizer == "anfis" && o.Train.ConsequentRate != 0, "train.consequent_rate", "optimizer anfis (train.optimizer) has one step size: set it to 0"},
	} {
		if c.bad {
			fail(c.key, "%s", c.message)
		}
	}
	return faults
}

// solver returns a solver, its state at zero, for the updates of a training from
// made on. options are the resolved ones.
func (o TrainOptions) solver(options optim.SolverOptions, made, iterations int) (optim.Solver, error) {
	s, err := optim.NewSolver(o.Optimizer, o.Solver)
	if err != nil {
		return nil, err
	}
	consequents := 1.0
	if o.ConsequentRate != 0 {
		consequents = o.ConsequentRate / options.LearningRate
	}
	if o.Schedule != "cosine" && consequents == 1 {
		return s, nil
	}
	return optim.Paced(s, func(k int, p gorgonia.ValueGrad) float64 {
		share := 1.0
		if o.Schedule == "cosine" {
			share = optim.Cosine(made+k, iterations)
		}
		if name := p.(interface{ Name() string }).Name(); name == "bias" || name == "slope" {
			share *= consequents
		}
		return share
	}), nil
}

// weights returns the weights of samples [N] in the loss, from their own (nil: all
// one), for batches of B.
func (o TrainOptions) weights(own []float64, N, B int) []float64 {
	if o.Loss != "mean" {
		return own
	}
	weights := make([]float64, N)
	for n := range weights {
		weights[n] = 1 / float64(B)
		if own != nil {
			weights[n] *= own[n]
		}
	}
	return weights
}
