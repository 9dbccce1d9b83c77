package recipe

import (
	"embed"
	"encoding/json"
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
			Init: "auto", Page: ReadablePage, Engine: "auto",
			Consequents: "gradient", Order: 1, Curves: NoCurves, Knots: 16, Transform: "none", Softness: 0.3,
			Margin: Unlimited, Neighbours: NoNeighbours},
		Train: Train{
			Iterations: 500, Batch: 64, Optimizer: "adabound",
			Loss: SumLoss, ClassWeights: "none", Schedule: "constant", L2: 0.05, Shrink: "zero", DropRule: 0.5,
			RuleDropout: 1, ValidateEvery: 10, Members: 1, Teacher: NoTeacher, Seed: 1, RaceSplits: 2,
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
	t.RaceSplits = 3
	r.startRace()
	return r
}

// relativeBounds returns the options of AdaBound for losses that are means: an upper bound that closes in on six
// times Adam's mean step size of each parameter, to within a quarter after 4000 updates, and so is nearly the same for
// trainings of any greater length. docs/accuracy.md compares it with Adam.
func relativeBounds() optim.Values {
	return optim.Values{"final_lr": 6, "final_relative": 1}
}

//go:embed races/*.json
var raceFiles embed.FS

// startRace gives a recipe the race of its preset, and the values of the first setting. docs/accuracy.md describes how the settings were
// found. Those for targets of classes shrink slopes to zero, since slopes that all rules share grow without limit where classes can be
// separated.
func (r *Recipe) startRace() {
	r.Train.Race = nil
	text, err := raceFiles.ReadFile("races/" + r.Preset + ".json")
	if err == nil {
		err = json.Unmarshal(text, &r.Train.Race)
	}
	for _, s := range r.Train.Race {
		for _, own := range []string{"rules", "iterations", "batch", "knots", LeastSamples} {
			if v, ok := s[own].(float64); ok {
				s[own] = int(v)
			}
		}
	}
	if err == nil {
		err = r.Train.Race[0].apply(r)
	}
	if err != nil {
		panic(err) // the files are embedded
	}
}

// Readable returns the recipe of rules that can be read one by one: a page of at most [ReadablePage] numbers. Where pages do not suit the
// target or the inputs, see [Recipe.For], rules start from a tree, mention the features that the tree splits, and agree where they
// overlap; three conditions and four terms per rule on average, see [CheckReadable]; three digits. Their race compares boxes and
// sigmoid borders, and strong and weak penalties, and chooses the least error among the settings with a fidelity of at most 1.15.
// Outside a race they have the values of the first setting. A page or a tree, there are at most eight rules.
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
	r.startRace()
	r.Model.Init, r.Model.Membership = PageInit, membership.Ramp{}
	return r
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
