package study

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"gonum.org/v1/gonum/stat"
)

// Classifiers compares trainings of classifiers: mini-batch gradient descent (MBGD) with AdaBound alone, with Rule Dropout, with uniform
// regularisation (UR), with uniform regularisation and batch normalisation (UR-BN), and with DropRule (RDA), and the default preset. All
// but the last are preset paper with the mean loss: 32 rules, 500 updates.
type Classifiers struct {
	Tables  []ClassTable
	Repeats int    // random splits per table into 70% for training and 30% for testing, at least 1
	Seed    uint64 // repeat i, from 1, splits and trains with seed Seed+i-1
}

// ClassTable is a table with a target of classes.
type ClassTable struct {
	Name string
	Data *data.Dataset
}

// ClassResult is the mean over the repeats of one training on one table, on the test parts.
type ClassResult struct {
	Dataset    string   `json:"dataset"`
	Training   string   `json:"training"`
	Repeats    int      `json:"repeats"`
	Accuracy   float64  `json:"accuracy"`
	AccuracySD *float64 `json:"accuracy_sd"` // over the repeats, divisor n-1; nil with one
	LogLoss    float64  `json:"log_loss"`
}

// classTraining is a training with its differences from the preset paper with the mean loss.
type classTraining struct {
	name string
	set  func(*tskgraph.Recipe)
}

func classTrainings() []classTraining {
	return []classTraining{
		{"MBGD", func(r *tskgraph.Recipe) {}},
		{"MBGD, Rule Dropout", func(r *tskgraph.Recipe) { r.Train.RuleDropout = 0.5 }},
		{"MBGD-UR", func(r *tskgraph.Recipe) { r.Train.Params.Set("uniform", 1) }},
		{"MBGD-UR-BN", func(r *tskgraph.Recipe) {
			r.Train.BatchNorm = true
			r.Train.Params.Set("uniform", 1)
		}},
		{"MBGD-RDA", func(r *tskgraph.Recipe) { r.Train.DropRule = 0.5 }},
		{"default", func(r *tskgraph.Recipe) { *r = tskgraph.Robust() }},
	}
}

// recipe returns the recipe of a training.
func (t classTraining) recipe(seed uint64) tskgraph.Recipe {
	r := tskgraph.Paper()
	r.Train.Loss, r.Train.DropRule = "mean", 1
	t.set(&r)
	r.Train.Seed = seed
	return r
}

// Run trains and measures all, repeats in parallel. The results are in the order of Tables,
// then of the trainings. A table whose target has no classes is a *tskgraph.RecipeError.
func (c Classifiers) Run(ctx context.Context) ([]ClassResult, error) {
	if c.Repeats < 1 {
		return nil, optionError("--repeats", "%d: must be at least 1", c.Repeats)
	}
	var all []ClassResult
	for _, table := range c.Tables {
		if table.Data.Schema.Classes == nil {
			return nil, optionError("--data", "%s: the target %s has no classes", table.Name, table.Data.Schema.Target)
		}
		for _, t := range classTrainings() {
			r, err := c.measure(ctx, table, t)
			if err != nil {
				return nil, fmt.Errorf("experiment: %s on %s: %w", t.name, table.Name, err)
			}
			all = append(all, r)
		}
	}
	return all, nil
}

// measure repeats a training on a table.
func (c Classifiers) measure(ctx context.Context, table ClassTable, t classTraining) (ClassResult, error) {
	accuracy, logLoss, errs := make([]float64, c.Repeats), make([]float64, c.Repeats), make([]error, c.Repeats)
	parallel.Each(c.Repeats, func(i int) {
		accuracy[i], logLoss[i], errs[i] = classify(ctx, table.Data, t, c.Seed+uint64(i))
	})
	r := ClassResult{Dataset: table.Name, Training: t.name, Repeats: c.Repeats}
	for i, err := range errs {
		if err != nil {
			return r, fmt.Errorf("repeat %d: %w", i+1, err)
		}
	}
	mean, sd := stat.MeanStdDev(accuracy, nil)
	r.Accuracy, r.LogLoss = mean, stat.Mean(logLoss, nil)
	if c.Repeats > 1 {
		r.AccuracySD = &sd
	}
	return r, nil
}

// classify trains on one split and measures the test part.
func classify(ctx context.Context, d *data.Dataset, t classTraining, seed uint64) (accuracy, logLoss float64, err error) {
	parts, err := d.Split(data.Split{Kind: "random", Train: trainShare, Seed: seed})
	if err != nil {
		return 0, 0, err
	}
	trained, err := tskgraph.Train(ctx, parts.Train, nil, t.recipe(seed))
	if err != nil {
		return 0, 0, err
	}
	m, err := trained.Model.Evaluate(ctx, parts.Test)
	if err != nil {
		return 0, 0, err
	}
	return m.Classes.Accuracy, m.Classes.LogLoss, nil
}
