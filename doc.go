// Package tskgraph trains Takagi-Sugeno-Kang (TSK) fuzzy regression models: a few
// readable rules,
//
//	IF wind is low AND traffic is high THEN no2 = 3.1 + 0.4 traffic - 0.2 wind
//
// trained by mini-batch gradient descent with regularisation, DropRule and
// AdaBound (MBGD-RDA) on a Gorgonia computation graph.
//
// # From a table to a model
//
// A [data.Source] reads and splits a table, [Train] trains on the training part, and
// the [model.Model] predicts in the units of the data:
//
//	parts, err := data.Source{
//		Path:    "no2.csv",
//		Options: data.Options{Target: "log_no2"},
//	}.Load(context.Background())
//	result, err := tskgraph.Train(ctx, parts.Train, parts.Validation, tskgraph.Robust())
//	metrics, err := result.Model.Evaluate(ctx, parts.Test)
//	err = result.Model.Save("model.json")
//
// With a validation part, training keeps the parameters of the iteration with the
// lowest validation error. A [Recipe] starts from a preset, [Robust], [Readable] or [Paper], and
// holds the number of rules, the membership functions, and the settings of training.
// [Load] reads a saved model; a program that only predicts imports package model
// instead, which does not link Gorgonia.
//
// A recipe is plain data. What the caller sets, as a field or by [Recipe.Set], holds in
// every candidate of the race:
//
//	r := tskgraph.Robust()
//	err := r.Set("train.iterations", "500") // or r.Train.Iterations = 500
//	run := tskgraph.Run{Recipe: r, OnIteration: show, OnCheckpoint: save}
//	result, err := run.Train(ctx, parts.Train, parts.Validation)
//
// Callbacks, checkpoints, and data to be measured during training belong to a [Run].
//
// [Robust] aims at accuracy: it compares a few settings on parts of the training data,
// applies a power transform to skewed features, and limits predictions. [Readable] aims at
// at most eight rules that can be read one by one, see docs/reading-rules.md. [Paper]
// follows the paper; docs/study.md lists where it deviates.
//
// # Fewer rules
//
// With Recipe.Prune, training ends with rounds of the paper's Algorithm 2: it removes
// rules that fire little, merges rules that fire alike, and refines the rest. [Prune]
// does so with a saved model, and [PrunePath] removes one rule at a time:
//
//	r, err := tskgraph.RecipeOf(m)
//	r.Train.Iterations = 100 // of each refinement
//	path, err := tskgraph.PrunePath(ctx, m, parts.Train, parts.Validation, r, 1)
//	step, err := path.OneSE() // the fewest rules that are as good as the best
//
// # Committees, intervals, tuning
//
// With Train.Members above 1 the model is a committee. A model that is calibrated on
// samples not used in training has prediction intervals:
//
//	err = result.Model.Calibrate(ctx, parts.Calibration, parts.Train) // data.Split.Calibration
//	half, err := result.Model.HalfWidth(0.9)
//
// Package tune chooses a recipe by cross-validation and measures how much a model
// depends on its seed.
//
// # Other algorithms
//
// A recipe can also select the algorithms of the paper's comparison. The original MBGD-RDA is
// Model.Init "grid" with Model.PCA 5; ANFIS is Model.Init "genfis", Train.Optimizer
// "anfis", Train.Batch 0, Train.L2 0 and Train.DropRule 1, with Model.Consequents
// "gradient" or "least-squares".
//
// # Packages
//
//	ensemble    the race of settings, committees
//	fit         training of a single model: start, fit, prune, resume
//	checkpoint  the run state, its file, its identity
//	recipe      what to train and how; the table of keys; presets
//	graph       a rulebase as a graph: loss and gradients of a mini-batch
//	lse         consequents by least squares
//	model       z-scores fitted on the training part; the saved model; prediction
//	layers      the network's layers as Gorgonia nodes, one file each
//	rules       the rulebase, its plain forward pass, fuzzy c-means and k-means, grids, pruning
//	optim       solvers, mini-batches with DropRule masks, the training loop
//	loss        losses, one file each
//	penalty     penalties, one file each
//	membership  the shapes of membership functions, one file each
//	data        tables, encodings, splits, built-in data
//
// The plain forward pass of package rules is the reference: tests compare the outputs
// of the graph with it, and the gradients with its finite differences.
//
// # Errors
//
// A [RecipeError] names the key of config.yaml; a [data.Error] names file, line and
// column; errors about a model file wrap [model.ErrFile]. If training diverges, Train
// returns an error that wraps optim.ErrDiverged and the best model so far. Values that
// are not finite are always reported.
//
// # Repeatability
//
// The same data, recipe and processor architecture give the same model to the bit. All
// random numbers derive from Recipe.Train.Seed and data.Split.Seed.
//
// # Resuming
//
// Run.OnCheckpoint receives the run state at intervals. Encode writes a [Checkpoint] and
// [DecodeCheckpoint] reads it. With a checkpoint in Run.Resume, and the same data and
// recipe, Train continues from it and ends with the same bits.
package tskgraph

import _ "github.com/tskgraph/tskgraph/data/table/csv" // programs that train read tables
