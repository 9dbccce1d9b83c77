package recipe

import "github.com/tskgraph/tskgraph/membership"

// Paper returns the recipe of the paper: R=32, 500 iterations, batches of 64, AdaBound at
// a learning rate of 0.01, lambda 0.05, P 0.5. Its pruning is Prune.Rounds = 2, which is
// not set.
func Paper() Recipe {
	return Recipe{
		Preset: "paper",
		Model:  Model{Rules: 32, Membership: membership.Gaussian{}, Init: "auto", Engine: "auto", Consequents: "gradient", Order: 1, Transform: "none", Margin: Unlimited},
		Train: Train{
			Iterations: 500, Batch: 64, Optimizer: "adabound",
			Loss: "sum", Schedule: "constant", L2: 0.05, Shrink: "zero", DropRule: 0.5, ValidateEvery: 10, Members: 1, Seed: 1, RaceSplits: 2,
		},
		Prune: Prune{Gamma: 0.5, Theta: 0.5},
	}
}

// Robust returns the recipe of the default preset, which docs/accuracy.md measures: Adam
// with a cosine schedule on the mean loss, spreads trained as logarithms, slopes pulled to
// their mean, uniform firing, skewed features straightened for the antecedents,
// predictions limited, and a short race of settings, whose first one it has.
func Robust() Recipe {
	r := Paper()
	r.Preset = "robust"
	r.Model.Transform, r.Model.SpreadFloor, r.Model.Margin = "yeo-johnson", 0.1, 0.05
	t := &r.Train
	t.Loss, t.Shrink, t.LogSpreads = "mean", "mean", true
	t.Optimizer, t.Schedule = "adam", "cosine"
	t.Race, t.RaceSplits = robustRace(), 3
	if err := t.Race[0].apply(&r); err != nil {
		panic(err) // the settings are constants
	}
	return r
}

// robustRace are the settings of [Robust]. docs/accuracy.md says how they were found.
func robustRace() []Setting {
	return []Setting{
		{"init": "kmeans", "iterations": 4000, "droprule": 1.0, "l2": 0.004, "learning_rate": 0.06, "consequent_rate": 0.02, "uniform": 0.05},
		{"init": "kmeans", "iterations": 4000, "antecedents": 3.0, "droprule": 1.0, "l2": 0.004, "learning_rate": 0.06, "consequent_rate": 0.02, "uniform": 0.05},
		{"init": "kmeans", "iterations": 4000, "antecedents": 3.0, "droprule": 0.7, "l2": 0.01, "learning_rate": 0.06, "consequent_rate": 0.02, "uniform": 0.05},
		{"init": "kmeans", "iterations": 8000, "droprule": 1.0, "l2": 0.001, "learning_rate": 0.06, "consequent_rate": 0.02, "uniform": 0.3, LeastSamples: 500},
		{"init": "one-feature", "iterations": 8000, "droprule": 0.4, "l2": 0.0025, "learning_rate": 0.03, "consequent_rate": 0.03, "uniform": 0.01},
		{"init": "kmeans", "iterations": 20000, "batch": 128, "droprule": 1.0, "l2": 1e-4, "learning_rate": 0.03, "consequent_rate": 0.01, "uniform": 0.01, LeastSamples: 5000},
	}
}
