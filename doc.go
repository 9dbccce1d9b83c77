// Package tskgraph learns Takagi-Sugeno-Kang (TSK) fuzzy regression models: a
// handful of rules that people can read,
//
//	IF wind is low AND traffic is high THEN no2 = 3.1 + 0.4 traffic - 0.2 wind
//
// trained by mini-batch gradient descent with regularisation, DropRule and
// AdaBound (MBGD-RDA) on a Gorgonia computation graph.
//
// # From a table to a model
//
// A [data.Source] reads a table and divides it; [Train] learns from the training
// part; the [model.Model] predicts, in the data's own units:
//
//	parts, err := data.Source{
//		Path:    "no2.csv",
//		Options: data.Options{Target: "log_no2"},
//	}.Load()
//	result, err := tskgraph.Train(ctx, parts.Train, parts.Validation, tskgraph.Robust())
//	metrics, err := result.Model.Evaluate(parts.Test)
//	err = result.Model.Save("model.json")
//
// A validation part, if there is one, decides which iteration's parameters are
// kept. A [Recipe] starts from a preset, [Robust] or [Paper], and says how many rules,
// which membership functions, and how to train. [Load] reads a saved model; a program
// that only predicts imports package model instead, which links no graph.
//
// A recipe is plain values. What the caller sets, as a field or by [Recipe.Set], holds in
// every candidate of the race:
//
//	r := tskgraph.Robust()
//	err := r.Set("train.iterations", "500") // or r.Train.Iterations = 500
//	run := tskgraph.Run{Recipe: r, OnIteration: show, OnCheckpoint: save}
//	result, err := run.Train(ctx, parts.Train, parts.Validation)
//
// Callbacks, checkpoints and data that are measured on the way belong to a [Run].
//
// [Robust] is accurate: it races a few settings on parts of the training data, sees
// skewed features through a power transform, and limits predictions. [Paper] does
// what the paper does; docs/study.md lists the points in which it departs from the letter.
//
// # Fewer rules
//
// Recipe.Prune makes training end with rounds of the paper's Algorithm 2: rules
// that fire little are removed, rules that fire alike merged, the rest refined.
// [Prune] does it to a saved model, and [PrunePath] takes one rule away at a time:
//
//	r, err := tskgraph.RecipeOf(m)
//	r.Train.Iterations = 100 // of each refinement
//	path, err := tskgraph.PrunePath(ctx, m, parts.Train, parts.Validation, r, 1)
//	step, err := path.OneSE() // the fewest rules that are as good as the best
//
// # Committees, intervals, tuning
//
// With Train.Members above 1 the model is a committee. Calibrated on samples
// that it was not trained on, a model has prediction intervals:
//
//	err = result.Model.Calibrate(parts.Calibration) // data.Split.Calibration
//	half, err := result.Model.HalfWidth(0.9)
//
// Package tune chooses a recipe by cross-validation, and says how much a model
// depends on its seed.
//
// # Other algorithms
//
// A recipe also names what the paper compares itself with. The original MBGD-RDA is
// Model.Init "grid" with Model.PCA 5; ANFIS is Model.Init "genfis", Train.Optimizer
// "anfis", Train.Batch 0, Train.L2 0 and Train.DropRule 1, with Model.Consequents
// "gradient" or "least-squares".
//
// # What happens inside
//
//	ensemble    the race of settings, committees
//	fit         one training: start, fit, prune, resume
//	checkpoint  the state of a run, its file, its identity
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
// The plain forward pass of package rules is the reference: what the graph
// computes is tested against it, and its gradients against finite differences of
// it.
//
// # Errors
//
// A [RecipeError] names the key as config.yaml does; a [data.Error] names
// file, line and column; errors about a model file wrap [model.ErrFile]; a
// training that diverges returns an error that wraps optim.ErrDiverged, together
// with the best model up to then. Nothing that is not finite is hidden.
//
// # Repeatability
//
// The same data, recipe and machine architecture give the same model to the
// bit. All randomness comes from Recipe.Train.Seed and data.Split.Seed.
//
// # Resuming
//
// Run.OnCheckpoint receives the state of a training now and then. A [Checkpoint]
// is saved by Encode and read by [DecodeCheckpoint]; as Run.Resume it makes Train
// continue from there, with the same data and recipe, to the same bits.
package tskgraph

import _ "github.com/tskgraph/tskgraph/data/csv" // who trains reads tables
