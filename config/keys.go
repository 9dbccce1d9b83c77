package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
)

// Limits of counts, as packages tskgraph and tune have them.
const (
	maxCount   = 1_000_000_000
	maxRules   = 100_000
	maxMembers = 10_000
	maxRounds  = 1000
	maxSplits  = 1000
	maxFolds   = 1000
)

var presets = []string{"robust", "paper"}

// keys are all there is to know of the keys: reading, printing, the commented template
// and the schema follow this table.
var keys = []key{
	{name: "preset", choices: presets, doc: "where all other values start from: robust (accurate) or paper (the published settings)", field: func(c *Config) any { return &c.Preset }},

	{name: "data.path", doc: "a table with a header, separated by commas, semicolons or tabs, also compressed by gzip or zstd; empty: the built-in data", example: "table.csv",
		field: func(c *Config) any { return &c.Data.Path }, shown: ownTable},
	{name: "data.test_path", doc: "a second table of the same columns that is the test part", example: "test.csv",
		field: func(c *Config) any { return &c.Data.TestPath }, shown: func(c *Config) bool { return c.Data.TestPath != "" }},
	{name: "data.builtin", choices: data.Builtins(), doc: "generated data, used when data.path is empty: " + strings.Join(data.Builtins(), ", "), example: "mackey-glass",
		field: func(c *Config) any { return &c.Data.Builtin }, shown: func(c *Config) bool { return !ownTable(c) }},
	{name: "data.target", doc: "the column to predict; needed with data.path", example: "y",
		field: func(c *Config) any { return &c.Data.Target }, shown: ownTable},
	{name: "data.features", doc: "the input columns; empty: all others", example: "[]",
		field: func(c *Config) any { return &c.Data.Features }, shown: func(c *Config) bool { return len(c.Data.Features) > 0 }},
	{name: "data.ignore", doc: "columns to leave out", example: "[]",
		field: func(c *Config) any { return &c.Data.Ignore }, shown: func(c *Config) bool { return len(c.Data.Ignore) > 0 }},
	{name: "data.weight", doc: "a column of sample weights: 2 counts as two rows, 0 leaves the row out", example: "weight",
		field: func(c *Config) any { return &c.Data.Weight }, shown: func(c *Config) bool { return c.Data.Weight != "" }},
	{name: "data.delimiter", choices: []string{"auto", "comma", "semicolon", "tab"}, doc: "auto, comma, semicolon or tab", example: "auto",
		field: func(c *Config) any { return &c.Data.Delimiter }, shown: ownTable},
	{name: "data.missing", choices: []string{"error", "drop", "mean"}, doc: "a blank cell, NA, N/A, NaN, null or ?: error, drop (the row) or mean (of the training part)", example: "error",
		field: func(c *Config) any { return &c.Data.Missing }, shown: ownTable},
	{name: "data.na", doc: "what else marks a missing cell, in all columns or by column: [\"-\", -999], {temperature: [-200], \"*\": [\"-\"]}; predict knows it too", example: "[]",
		field: func(c *Config) any { return &na{&c.Data.Options} }, shown: func(c *Config) bool { return len(c.Data.NA) > 0 }},
	{name: "data.categorical", doc: "auto (columns of words are one-hot), none, or by column: {sex: onehot}, {sex: ordinal}, {size: [S, M, L]}", example: "auto",
		field: func(c *Config) any { return &categorical{&c.Data.Options} }, shown: ownTable},
	{name: "data.units", doc: "units for showing the rules: {temperature: deg C}", example: "{}",
		field: func(c *Config) any { return &units{&c.Data.Options} }, shown: func(c *Config) bool { return len(c.Data.Units) > 0 }},
	{name: "data.split", choices: []string{"random", "chronological", "column"}, doc: "random, chronological (rows are in time order: later ones are predicted from earlier ones, in the race and the folds of tune too) or column; mackey-glass and sinc: chronological", example: "random",
		field: func(c *Config) any { return &c.Data.Split.Kind }, shown: func(c *Config) bool {
			return c.Data.TestPath == "" || c.Data.Split.Validation > 0 || c.Data.Split.Kind == "chronological"
		}},
	{name: "data.train", limits: above(0).to(1), doc: "share of the rows to train on, 0 to 1; mackey-glass: 0.5; the rest is for validation and test", example: "0.7",
		field: func(c *Config) any { return &c.Data.Split.Train }, shown: func(c *Config) bool { return shares(c) && c.Data.TestPath == "" }},
	{name: "data.validation", limits: from(0).below(1), doc: "share of the rows that choose the best iteration, 0 to 1", example: "0",
		field: func(c *Config) any { return &c.Data.Split.Validation }, shown: shares},
	{name: "data.calibration", limits: from(0).below(1), doc: "share of the training part, at random or its last rows as data.split has it, that is not trained on but calibrates prediction intervals (predict --interval), 0 to 1; 0: none", example: "0",
		field: func(c *Config) any { return &c.Data.Split.Calibration }, shown: func(c *Config) bool { return c.Data.Split.Calibration > 0 }},
	{name: "data.group", doc: "a column whose equal cells say that rows belong together: they fall into one part; no feature", example: "patient",
		field: func(c *Config) any { return &c.Data.Group }, shown: func(c *Config) bool { return c.Data.Group != "" }},
	{name: "data.split_column", doc: "the column that says train, validation or test, for split: column", example: "part",
		field: func(c *Config) any { return &c.Data.Split.Column }, shown: func(c *Config) bool { return !shares(c) }},
	{name: "data.split_seed", doc: "seed of the random split; default: train.seed", example: "1",
		field: func(c *Config) any { return &c.Data.Split.Seed }, shown: func(c *Config) bool { return c.Data.Split.Kind == "random" }},
	{name: "data.pca", limits: from(0).to(maxCount), doc: "number of principal components that rules see in place of the standardised features, if there are more of these; 0: none",
		field: func(c *Config) any { return &c.Options.Model.PCA }, shown: func(c *Config) bool { return c.Options.Model.PCA > 0 }},

	{name: "model.rules", limits: from(1).to(maxRules), doc: "number of rules; leave it out where model.init is grid or a saved model", field: func(c *Config) any { return &c.Options.Model.Rules },
		shown: func(c *Config) bool { return c.Options.Model.Rules > 0 }},
	{name: "model.membership", doc: "shape of the membership functions: " + strings.Join(membership.Names(), ", ") + "; or one of your own, see docs/new-shape.md", field: func(c *Config) any { return &shape{&c.Options.Model.Membership} }},
	{name: "model.init", choices: []string{"auto", "fcm", "kmeans", "one-feature", "grid", "genfis"}, orModel: true, doc: "where rules start: fcm (fuzzy c-means), kmeans (k-means++), auto (kmeans for shapes of bounded support, else fcm), one-feature (each rule narrow on one feature), grid (low and high of every feature, all combinations, rules share them), genfis (as MATLAB's anfis), or the file of a saved model to go on with",
		field: func(c *Config) any { return &c.Options.Model.Init }},
	{name: "model.engine", choices: []string{"auto", "fused", "autodiff"}, doc: "how gradients are computed: fused (fast; not for a shape of your own), autodiff, or auto (fused where it can be)", field: func(c *Config) any { return &c.Options.Model.Engine }},
	{name: "model.consequents", choices: []string{"gradient", "least-squares"}, doc: "how the THEN parts are learned: gradient, or least-squares after every update of the rest; that needs train.batch 0 and train.droprule 1",
		field: func(c *Config) any { return &c.Options.Model.Consequents }},

	{name: "model.antecedents", limits: from(0), doc: "features that the IF part of a rule mentions, at most, on average over the rules; 0: all",
		field: func(c *Config) any { return &c.Options.Model.Antecedents }},
	{name: "model.order", limits: from(0).to(1), doc: "of the THEN parts: 1, linear formulas, or 0, constants", field: func(c *Config) any { return &c.Options.Model.Order }},
	{name: "model.transform", choices: []string{"yeo-johnson", "none"}, doc: "how IF parts see skewed features: yeo-johnson (a power transform) or none",
		field: func(c *Config) any { return &c.Options.Model.Transform }},
	{name: "model.spread_floor", limits: from(0), doc: "least spread of a membership function, in standard deviations of the feature; 0: a tenth of the smallest at the start",
		field: func(c *Config) any { return &c.Options.Model.SpreadFloor }},
	{name: "model.margin", limits: from(0), doc: "predictions keep within the range of the training targets and this share of it on either side; 0: within the range itself; none: anywhere",
		field: func(c *Config) any { return &margin{&c.Options.Model.Margin} }},
	{name: "model.bounds", doc: "fixed limits of predictions, within those of model.margin: [0, ~] keeps them from being negative; ~ or . is no limit",
		field: func(c *Config) any { return &bounds{&c.Options.Model.Bounds} }, shown: func(c *Config) bool { return c.Options.Model.Bounds != nil }},

	{name: "train.race", doc: "settings to choose from: each trains on 0.8 of the training part and is scored on the rest (in time order: on later rows than it trains on), until it is clearly behind; the best one then trains on all; []: no race. A key that you set yourself holds for all of them",
		field: func(c *Config) any { return &race{&c.Options.Train.Race} }},
	{name: "train.race_splits", limits: from(1).to(maxSplits), doc: "how many times the training part is divided for the race, at most", field: func(c *Config) any { return &c.Options.Train.RaceSplits }, shown: races},
	{name: "train.iterations", limits: from(1).to(maxCount), doc: "updates, each on one mini-batch", field: func(c *Config) any { return &c.Options.Train.Iterations }},
	{name: "train.batch", limits: from(0).to(maxCount), doc: "samples per mini-batch; all of them if there are fewer, and for 0", field: func(c *Config) any { return &c.Options.Train.Batch }},
	{name: "train.optimizer", choices: optim.Solvers(), doc: strings.Join(optim.Solvers(), ", ") + "; anfis needs train.batch 0", field: func(c *Config) any { return &c.Options.Train.Optimizer }},
	solverKey("learning_rate", above(0), "step size, in scaled units"),
	solverKey("final_lr", above(0), "the step size that AdaBound's bounds close in on"),
	solverKey("beta1", above(0).below(1), "decay of the mean gradient, 0 to 1"),
	solverKey("beta2", above(0).below(1), "decay of the mean squared gradient, 0 to 1"),
	solverKey("epsilon", above(0), "keeps the divisor from zero"),
	solverKey("momentum", from(0).below(1), "share of the last step that is kept, 0 to 1"),
	solverKey("rho", above(0).below(1), "decay of the mean squared gradient, 0 to 1"),
	{name: "train.consequent_rate", limits: from(0), doc: "step size of the THEN parts; 0: learning_rate", field: func(c *Config) any { return &c.Options.Train.ConsequentRate }},
	{name: "train.schedule", choices: []string{"constant", "cosine"}, doc: "of the step sizes: constant, or cosine (down to zero)", field: func(c *Config) any { return &c.Options.Train.Schedule }},
	{name: "train.loss", choices: []string{"sum", "mean"}, doc: "sum of a batch's errors, or mean, of the target in standard deviations", field: func(c *Config) any { return &c.Options.Train.Loss }},
	{name: "train.log_spreads", doc: "whether spreads are trained as their logarithms", field: func(c *Config) any { return &c.Options.Train.LogSpreads }},
	{name: "train.l2", limits: from(0), doc: "lambda: penalty of the slopes in the THEN parts, 0 or more", field: func(c *Config) any { return &c.Options.Train.L2 }},
	{name: "train.shrink", choices: []string{"zero", "mean"}, doc: "what l2 pulls the slopes to: zero, or mean (their mean over the rules)", field: func(c *Config) any { return &c.Options.Train.Shrink }},
	{name: "train.uniform", limits: from(0), doc: "penalty of rules firing unequally much, 0 or more", field: func(c *Config) any { return &c.Options.Train.Uniform }},
	{name: "train.droprule", limits: above(0).to(1), doc: "DropRule's P: the probability that a rule is kept in an update, above 0, at most 1", field: func(c *Config) any { return &c.Options.Train.DropRule }},
	{name: "train.patience", limits: from(0).to(maxCount), doc: "stop after so many iterations without a better validation RMSE; 0: never", field: func(c *Config) any { return &c.Options.Train.Patience }},
	{name: "train.validate_every", limits: from(1).to(maxCount), doc: "iterations from one validation to the next", field: func(c *Config) any { return &c.Options.Train.ValidateEvery },
		shown: func(c *Config) bool { return c.Data.Split.Validation > 0 || !shares(c) }},
	{name: "train.members", limits: from(1).to(maxMembers), doc: "models in a committee, which differ by seed, bag and setting of the race, and predict the mean; 1: a single model", field: func(c *Config) any { return &c.Options.Train.Members }},
	{name: "train.seed", doc: "seed of everything random, the split included", field: func(c *Config) any { return &c.Options.Train.Seed }},

	{name: "prune.rounds", limits: from(0).to(maxRounds), doc: "rounds of rule pruning, which share 0.4 of the iterations for refining what is left; 0: none; in the paper 2",
		field: func(c *Config) any { return &c.Options.Prune.Rounds }},
	{name: "prune.gamma", limits: from(0), doc: "rules that fire less than gamma times the median are removed; 0: none",
		field: func(c *Config) any { return &c.Options.Prune.Gamma }, shown: prunes},
	{name: "prune.theta", limits: from(0).to(1), doc: "rules whose Jaccard similarity is above theta, 0 to 1, are merged; 1: none",
		field: func(c *Config) any { return &c.Options.Prune.Theta }, shown: prunes},

	{name: "tune.rules", limits: from(1).to(maxRules), doc: "numbers of rules that tskgraph tune may try; a list of one value fixes it", example: "[8, 16, 32, 64]",
		field: func(c *Config) any { return &c.Tune.Space.Rules }, shown: func(c *Config) bool { return len(c.Tune.Space.Rules) > 0 }},
	{name: "tune.membership", doc: "shapes; default: gaussian and model.membership", example: "[gaussian]",
		field: func(c *Config) any { return &shapes{&c.Tune.Space.Membership} }, shown: func(c *Config) bool { return len(c.Tune.Space.Membership) > 0 }},
	{name: "tune.antecedents", limits: from(0), doc: "features that a rule mentions, at most, on average; 0: all", example: "[3, 5, 0]",
		field: func(c *Config) any { return &c.Tune.Space.Antecedents }, shown: func(c *Config) bool { return len(c.Tune.Space.Antecedents) > 0 }},
	{name: "tune.droprule", limits: above(0).to(1), doc: "probabilities that a rule is kept", example: "[0.3, 0.4, 0.5, 0.65, 0.8, 1]",
		field: func(c *Config) any { return &c.Tune.Space.DropRule }, shown: func(c *Config) bool { return len(c.Tune.Space.DropRule) > 0 }},
	{name: "tune.l2", limits: from(0), doc: "penalties; default: 0.01 to 10 times train.l2, or that of the first setting of the race; so also below", example: "[4e-05, 0.00012, 0.0004, 0.0012, 0.004, 0.012, 0.04]",
		field: func(c *Config) any { return &c.Tune.Space.L2 }, shown: func(c *Config) bool { return len(c.Tune.Space.L2) > 0 }},
	{name: "tune.uniform", limits: from(0), doc: "penalties of rules firing unequally much; default: 0.04 to 5 times train.uniform", example: "[0.002, 0.01, 0.05, 0.25]",
		field: func(c *Config) any { return &c.Tune.Space.Uniform }, shown: func(c *Config) bool { return len(c.Tune.Space.Uniform) > 0 }},
	{name: "tune.iterations", limits: from(1).to(maxCount), doc: "lengths of training; default: 0.25 to 8 times train.iterations", example: "[1000, 2000, 4000, 8000, 16000, 32000]",
		field: func(c *Config) any { return &c.Tune.Space.Iterations }, shown: func(c *Config) bool { return len(c.Tune.Space.Iterations) > 0 }},
	{name: "tune.learning_rate", limits: above(0), doc: "step sizes; consequent_rate goes along; default: 0.25 to 2 times train.learning_rate", example: "[0.015, 0.03, 0.06, 0.12]",
		field: func(c *Config) any { return &c.Tune.Space.LearningRate }, shown: func(c *Config) bool { return len(c.Tune.Space.LearningRate) > 0 }},
	{name: "tune.folds", limits: from(2).to(maxFolds), doc: "folds of the training part on which settings are compared", example: "5",
		field: func(c *Config) any { return &c.Tune.Folds }, shown: func(c *Config) bool { return c.Tune.Folds > 0 }},
	{name: "tune.repeats", limits: from(1).to(maxSplits), doc: "how many times the training part is divided into folds", example: "2",
		field: func(c *Config) any { return &c.Tune.Repeats }, shown: func(c *Config) bool { return c.Tune.Repeats > 0 }},
	{name: "tune.split", choices: []string{"random", "chronological"}, doc: "random folds, or chronological: each predicted from what comes before it; default: as data.split", example: "random",
		field: func(c *Config) any { return &c.Tune.Split }, shown: func(c *Config) bool { return c.Tune.Split != "" }},
	{name: "tune.choose", choices: []string{"simplest", "best"}, doc: "simplest: the fewest and shortest rules not worse than the best by more than one standard error, nor 1%; or best", example: "simplest",
		field: func(c *Config) any { return &c.Tune.Choose }, shown: func(c *Config) bool { return c.Tune.Choose != "" }},

	{name: "output.dir", filled: true, doc: "each run writes its own new directory in this one", field: func(c *Config) any { return &c.Output.Dir }},
}

// solverKey is a key of section train that only some optimizers use.
func solverKey(name string, limits *interval, doc string) key {
	var defaults []string
	for _, solver := range optim.Solvers() {
		if slices.Contains(optim.Uses(solver), name) {
			d := optim.Defaults(solver)
			defaults = append(defaults, fmt.Sprintf("%s %v", solver, *d.Option(name)))
		}
	}
	return key{
		name: "train." + name, limits: limits, doc: doc + "; default by optimizer: " + strings.Join(defaults, ", "),
		example: strings.Fields(defaults[0])[1],
		field:   func(c *Config) any { return c.Options.Train.Solver.Option(name) },
		shown:   func(c *Config) bool { return slices.Contains(optim.Uses(c.Options.Train.Optimizer), name) },
	}
}

func ownTable(c *Config) bool { return c.Data.Path != "" }
func shares(c *Config) bool   { return c.Data.Split.Kind != "column" }
func races(c *Config) bool    { return len(c.Options.Train.Race) > 0 }
func prunes(c *Config) bool   { return c.Options.Prune.Rounds > 0 }
