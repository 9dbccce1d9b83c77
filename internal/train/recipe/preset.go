package recipe

import (
	"fmt"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// Paper returns the recipe of the paper: R=32, 500 iterations, batches of 64, AdaBound with
// learning rate 0.01, lambda 0.05, P 0.5. It does not prune; the paper's pruning is
// Prune.Rounds = 2.
func Paper() Recipe {
	return Recipe{
		Preset: "paper",
		Model: Model{Rules: 32, Membership: membership.Gaussian{}, TNorm: inference.Product{}.Name(), Defuzzification: inference.TSK{}.Name(),
			Init: "auto", Engine: "auto", Consequents: "gradient", Order: 1, Curves: NoCurves, Knots: 16, Transform: "none", Softness: 0.3,
			Margin: Unlimited, Neighbours: NoNeighbours},
		Train: Train{
			Iterations: 500, Batch: 64, Optimizer: "adabound",
			Loss: SumLoss, ClassWeights: "none", Schedule: "constant", L2: 0.05, Shrink: "zero", DropRule: 0.5,
			RuleDropout: 1, ValidateEvery: 10, Members: 1, Seed: 1, RaceSplits: 2,
		},
		Prune: Prune{Gamma: 0.5, Theta: 0.5},
	}
}

// Robust returns the recipe of the default preset, which docs/accuracy.md measures: AdaBound
// with relative bounds and a cosine schedule on the mean loss, spreads trained as logarithms, slopes shrunk
// to their mean, penalties of disagreement and of non-uniform firing, skewed features
// transformed for the antecedents, limited predictions, and a short race of settings. Outside a race it has
// the values of the first setting.
func Robust() Recipe {
	r := Paper()
	r.Preset = "robust"
	r.Model.Transform, r.Model.SpreadFloor, r.Model.Margin = "yeo-johnson", 0.1, 0.05
	t := &r.Train
	t.Loss, t.Shrink, t.LogSpreads = MeanLoss, "mean", true
	t.Optimizer, t.Schedule, t.Solver = "adabound", "cosine", relativeBounds()
	t.Race, t.RaceSplits = append(robustRace(), classRace()...), 4
	if err := t.Race[0].apply(&r); err != nil {
		panic(err) // the settings are constants
	}
	return r
}

// relativeBounds returns the options of AdaBound for losses that are means: an upper bound that closes in on six
// times Adam's mean step size of each parameter, to within a quarter after 4000 updates, and so is nearly the same for
// trainings of any greater length. docs/accuracy.md compares it with Adam.
func relativeBounds() optim.Values {
	return optim.Values{"final_lr": 6, "final_relative": 1}
}

// robustRace returns the settings of [Robust]. docs/accuracy.md describes how they were
// found.
func robustRace() []Setting {
	return []Setting{
		{"init": "kmeans", "iterations": 4000, "droprule": 1.0, "l2": 0.004, "learning_rate": 0.06, "consequent_rate": 0.02, "uniform": 0.05,
			"agreement": 0.03},
		{"init": "kmeans", "iterations": 4000, "antecedents": 3.0, "droprule": 0.7, "l2": 0.01, "learning_rate": 0.06, "consequent_rate": 0.02,
			"uniform": 0.05, "agreement": 0.01},
		{"init": "tree", "iterations": 4000, "droprule": 0.7, "l2": 0.02, "learning_rate": 0.03, "consequent_rate": 0.02, "uniform": 0.001,
			"agreement": 0.1},
		{"init": "tree", "iterations": 4000, "droprule": 0.4, "l2": 0.01, "learning_rate": 0.03, "consequent_rate": 0.02, "uniform": 0.001,
			"agreement": 0.1},
		{"init": "one-feature", "iterations": 8000, "droprule": 0.4, "l2": 0.0025, "learning_rate": 0.03, "consequent_rate": 0.03,
			"uniform": 0.01, "agreement": 0.03},
		{"curves": "shared", "knots": 8, "init": "kmeans", "iterations": 4000, "antecedents": 3.0, "droprule": 0.7, "l2": 0.01,
			"learning_rate": 0.06, "consequent_rate": 0.02, "uniform": 0.05, "agreement": 0.01, "curve_l2": 0.03},
		{"curves": "shared", "knots": 16, "init": "tree", "iterations": 4000, "droprule": 0.7, "l2": 0.02, "learning_rate": 0.03,
			"consequent_rate": 0.02, "uniform": 0.001, "agreement": 0.1, "curve_l2": 0.01},
		{"curves": "shared", "knots": 32, "init": "kmeans", "iterations": 8000, "droprule": 0.9, "l2": 4e-4, "learning_rate": 0.06,
			"consequent_rate": 0.02, "uniform": 0.05, "agreement": 0.03, "curve_l2": 0.001, LeastSamples: 500},
		{"curves": "own", "knots": 16, "init": "kmeans", "iterations": 4000, "droprule": 0.5, "l2": 0.02, "learning_rate": 0.06,
			"consequent_rate": 0.02, "uniform": 0.05, "agreement": 0.1, "curve_l2": 0.01, "curve_deviation_l2": 0.003},
		{"curves": "own", "knots": 16, "init": "kmeans", "iterations": 4000, "droprule": 0.8, "l2": 0.004, "learning_rate": 0.06,
			"consequent_rate": 0.02, "uniform": 0.05, "agreement": 0.03, "curve_l2": 0.003, "curve_deviation_l2": 0.003},
		{"curves": "own", "knots": 16, "init": "kmeans", "iterations": 8000, "droprule": 0.9, "l2": 1e-4, "learning_rate": 0.06,
			"consequent_rate": 0.02, "uniform": 0.05, "agreement": 0.03, "curve_l2": 1e-4, "curve_deviation_l2": 1e-4, LeastSamples: 500},
		{"curves": "own", "knots": 64, "init": "kmeans", "iterations": 10000, "droprule": 0.9, "l2": 4e-4, "learning_rate": 0.03,
			"consequent_rate": 0.01, "uniform": 0.01, "agreement": 0.1, "curve_l2": 0.001, "curve_deviation_l2": 0.001, LeastSamples: 5000},
		{"curves": "own", "knots": 32, "init": "kmeans", "iterations": 10000, "batch": 128, "droprule": 0.9, "l2": 1e-4, "learning_rate": 0.03,
			"consequent_rate": 0.01, "uniform": 0.01, "agreement": 0.03, "curve_l2": 3e-4, "curve_deviation_l2": 3e-4, LeastSamples: 5000},
	}
}

// classRace returns the settings of [Robust] for targets of classes: slopes shrunk to zero, since those that
// all rules share grow without limit where classes can be separated, and mostly wide rules on one
// feature. docs/accuracy.md describes how they were found.
func classRace() []Setting {
	return []Setting{
		{Classes: true, "init": "one-feature", "defuzzification": "htsk", "shrink": "zero", "iterations": 4000, "droprule": 0.4, "l2": 1e-5,
			"learning_rate": 0.06, "consequent_rate": 0.06, "uniform": 0.01, "agreement": 0.001},
		{Classes: true, "init": "one-feature", "defuzzification": "htsk", "shrink": "zero", "iterations": 4000, "droprule": 0.4, "l2": 1e-5,
			"learning_rate": 0.1, "consequent_rate": 0.1, "uniform": 0.01, "agreement": 0.001},
		{Classes: true, "init": "one-feature", "defuzzification": "htsk", "shrink": "zero", "iterations": 4000, "droprule": 0.25, "l2": 0.016,
			"learning_rate": 0.06, "consequent_rate": 0.06, "uniform": 0.01, "agreement": 0.001},
		{Classes: true, "init": "one-feature", "defuzzification": "htsk", "shrink": "zero", "iterations": 4000, "droprule": 0.4, "l2": 0.004,
			"learning_rate": 0.03, "consequent_rate": 0.03, "uniform": 0.01, "agreement": 0.001},
		{Classes: true, "init": "tree", "defuzzification": "htsk", "shrink": "zero", "iterations": 4000, "droprule": 0.7, "l2": 3e-4,
			"learning_rate": 0.06, "consequent_rate": 0.06, "uniform": 0.001, "agreement": 0.001},
		{Classes: true, "init": "tree", "shrink": "zero", "iterations": 4000, "droprule": 0.7, "l2": 0.004, "learning_rate": 0.03,
			"consequent_rate": 0.02, "uniform": 0.001, "agreement": 0.001},
		{Classes: true, "init": "by-class", "shrink": "zero", "iterations": 4000, "antecedents": 3.0, "droprule": 0.5, "l2": 3e-4,
			"learning_rate": 0.06, "consequent_rate": 0.06, "uniform": 0.05, "agreement": 0.001},
	}
}

// Readable returns the recipe of rules that can be read one by one: at most eight rules
// that start from a tree, mention the features that the tree splits, and agree where they
// overlap; three conditions and four terms per rule on average, see [CheckReadable]; three digits. Its race compares boxes and
// sigmoid borders, strong and weak penalties, and formulas with and without shared curves, and chooses
// the least error among the settings with a fidelity of at most 1.15. Outside a race it has the values of the first
// setting.
func Readable() Recipe {
	r := Robust()
	r.Preset = "readable"
	r.Model.Transform = "none" // borders are round in the features' units
	r.Model.Rules, r.Model.Antecedents, r.Model.Terms = ReadableRules, ReadableConditions, ReadableTerms
	r.Model.Init, r.Model.Round, r.Model.SpreadFloor = Tree, 3, 0.05
	r.Prune.Idle = true
	t := &r.Train
	t.Solver.Set(optim.LearningRate, 0.03)
	t.ConsequentRate, t.Fidelity = 0.02, model.MaxFidelity
	t.Params.Set("uniform")
	t.Race, t.RaceSplits = readableRace(), 4
	if err := t.Race[0].apply(&r); err != nil {
		panic(err) // the settings are constants
	}
	return r
}

// readableRace returns the settings of [Readable]. docs/accuracy.md describes how they were
// found. Those of classes shrink slopes to zero: see robustRace.
func readableRace() []Setting {
	return []Setting{
		{"membership": "sigmoid", "softness": 0.3, "iterations": 2000, "droprule": 1.0, "l2": 0.004, "agreement": 0.1},
		{"membership": "sigmoid", "softness": 0.3, "iterations": 2000, "droprule": 0.7, "l2": 0.02, "agreement": 0.1},
		{"membership": "sigmoid", "softness": 0.1, "iterations": 2000, "droprule": 1.0, "l2": 0.001, "agreement": 0.2},
		{"membership": "gauss2", "softness": 0.1, "iterations": 4000, "droprule": 1.0, "l2": 1e-4, "agreement": 0.2},
		{"curves": "shared", "membership": "sigmoid", "softness": 0.3, "iterations": 2000, "droprule": 0.7, "l2": 0.02, "agreement": 0.1},
		{"curves": "shared", "knots": 32, "membership": "sigmoid", "softness": 0.1, "iterations": 2000, "droprule": 1.0, "l2": 0.001,
			"agreement": 0.2, "curve_l2": 0.001, LeastSamples: 500},
		{"curves": "shared", "knots": 32, "membership": "sigmoid", "softness": 0.1, "iterations": 4000, "droprule": 1.0, "l2": 1e-4,
			"agreement": 0.4, "curve_l2": 0.001, LeastSamples: 500},
		{"curves": "shared", "knots": 32, "membership": "gauss2", "softness": 0.1, "iterations": 4000, "droprule": 1.0, "l2": 1e-4,
			"agreement": 0.2, "curve_l2": 0.001, LeastSamples: 500},

		{Classes: true, "shrink": "zero", "membership": "sigmoid", "softness": 0.3, "iterations": 2000, "droprule": 1.0, "l2": 0.004,
			"agreement": 0.1},
		{Classes: true, "shrink": "zero", "membership": "sigmoid", "softness": 0.3, "iterations": 2000, "droprule": 0.7, "l2": 0.02,
			"agreement": 0.1},
		{Classes: true, "shrink": "zero", "membership": "sigmoid", "softness": 0.1, "iterations": 2000, "droprule": 1.0, "l2": 0.001,
			"agreement": 0.2},
	}
}

// Limits of rules that can be read one by one: what [Readable] trains, whatever else is set. Conditions and terms are means per rule.
const (
	ReadableRules      = 8
	ReadableConditions = 3
	ReadableTerms      = 4
)

// CheckReadable checks that a recipe and the settings of its race are within the limits of [Readable]. Errors are of type *[Error], joined.
func CheckReadable(r Recipe) error {
	found := unreadable(&r, 0)
	if found != nil {
		return found.join() // and so in the settings
	}
	for i, s := range r.Settings() {
		if candidate, err := r.With(s); err == nil {
			found = append(found, unreadable(&candidate, i+1)...)
		}
	}
	return found.join()
}

// unreadable returns the faults of a recipe or, from 1, a setting of its race.
func unreadable(r *Recipe, setting int) (found faults) {
	m := r.Model
	for _, c := range []struct {
		bad     bool
		key     string
		message string
	}{
		{m.Rules > ReadableRules, "model.rules", fmt.Sprintf("%d: preset readable has at most %d rules", m.Rules, ReadableRules)},
		{m.Antecedents == 0 || m.Antecedents > ReadableConditions, "model.antecedents",
			fmt.Sprintf("%v: rules of preset readable have at most %d conditions", m.Antecedents, ReadableConditions)},
		{m.Terms == 0 && m.Order > 0 || m.Terms > ReadableTerms, "model.terms",
			fmt.Sprintf("%v: rules of preset readable have at most %d terms", m.Terms, ReadableTerms)},
		{m.Init == Grid, "model.init", "grid: rules of preset readable have few conditions, those of a grid one on each feature: choose tree"},
	} {
		switch {
		case !c.bad:
		case setting == 0:
			found.add(&Error{Key: c.key, With: []string{"preset"}, Message: c.message + "; choose preset robust for others"})
		default:
			part := c.key[len("model."):]
			found.add(&Error{Key: "train.race", With: []string{"preset"}, Setting: setting, Part: part,
				Message: fmt.Sprintf("setting %d: %s: %s", setting, part, c.message)})
		}
	}
	return found
}
