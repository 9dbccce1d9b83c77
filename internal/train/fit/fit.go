// Package fit trains a single model: it places the rules, fits them with the network of
// package graph and the solver of package optim, prunes and refines them, and can stop and
// resume at any iteration.
//
// [Train] starts from a training part, [TrainOn] from a prepared one, [Prune] and
// [PrunePath] from a saved model. All use the same trainer.
package fit

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/memory"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/pages"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// Job describes the training of a single model.
type Job struct {
	Recipe recipe.Recipe    // resolved, without a race
	Start  *rules.Clusters  // initial clusters of the rules; nil: those of the recipe's initialiser
	Slot   *checkpoint.Slot // receives the run states and holds the one to resume; may be nil

	// The following fields do not affect training. All may be zero.
	// the model has no figures of the training part and no neighbours, as in a race, which measures it on other samples
	Unmeasured  bool
	OnIteration func(optim.Metrics) error         // after every iteration; an error ends training
	OnPage      func(stage string, done, all int) // the stages of the search of a page
	OnLeader    func(*model.Model)                // provisional models of that search
	Peers       *pages.Peers                      // that make parts of that search; nil: none
	Watch       []Watched                         // measured after every WatchEvery-th iteration and the last of a part, see optim.Metrics
	WatchEvery  int                               // 0: 1
	Test        *data.Dataset                     // measured before and after each round of pruning
}

// Watched is a data set that is measured during training, with the schema of the training part: by the metric of the loss, RMSE in
// the target's unit for the squared loss, of the outputs before they are limited by Model.Margin.
type Watched struct {
	Name string
	Data *data.Dataset
}

// Result is a trained model and what happened in its training.
type Result struct {
	Model    *model.Model
	Start    *rules.Clusters    // clusters of the initialiser; nil after a saved model, a grid or a tree, and for a committee
	Training optim.Result       // iterations, skipped samples, why it stopped; including the refinements of pruning
	Prune    []checkpoint.Round // the rounds of pruning

	// StartNotes describes unusual results of the initialiser; empty if there are none.
	StartNotes string

	// Idle counts the rules that were removed after training, see recipe.Prune.
	Idle int

	// OddGrades describes grades outside [0, 1] of a user-defined shape on the training
	// part; empty if there are none.
	OddGrades string

	// Fallbacks counts the least-squares estimates of consequents that were too
	// ill-conditioned for a Cholesky factorisation, see lse.Estimator.
	Fallbacks int
}

// Train trains a single model on the weighed training part (see [data.Dataset.Weighed]). It
// starts from Job.Start, the model file of the recipe, or the clusters of its initialiser.
// With a validation part (or nil), it keeps the parameters of the iteration with the lowest
// validation error.
func Train(ctx context.Context, train, validation *data.Dataset, j Job) (*Result, error) {
	r := j.Recipe
	if err := Check(r, train, validation); err != nil {
		return nil, err
	}
	if r.Model.FromFile() {
		m, err := model.Load(r.Model.Init)
		if err != nil {
			return nil, err
		}
		t, err := fromModel(ctx, m, train, validation, j)
		if err != nil {
			return nil, err
		}
		return t.train(ctx)
	}
	set, err := Prepare(ctx, train, r)
	if err != nil {
		return nil, err
	}
	return TrainOn(ctx, set, validation, j)
}

// TrainOn is [Train] on a prepared training part. The recipe must not name a model file.
func TrainOn(ctx context.Context, set *TrainingSet, validation *data.Dataset, j Job) (*Result, error) {
	if err := Check(j.Recipe, set.data, validation); err != nil {
		return nil, err
	}
	if j.Slot != nil && j.Slot.From != nil && j.Slot.From.Start != nil {
		j.Start = j.Slot.From.Start
	}
	t, err := newTrainer(set, validation, j)
	if err != nil {
		return nil, err
	}
	if j.Recipe.Model.OnPage() {
		return t.onPage(ctx)
	}
	if err := checkMemory(j.Recipe.Model.Rules, len(set.prep.Inputs()), memory.Total()); err != nil {
		return nil, err
	}
	at, err := place(ctx, set, j.Recipe, j.Start)
	if err != nil {
		return nil, err
	}
	if err := j.Recipe.Model.Bound(at.rules, set.prep); err != nil {
		return nil, err
	}
	if err := set.addCurves(ctx, at.rules, j.Recipe.Model); err != nil {
		return nil, err
	}
	t.rules, t.Start, t.made.StartNotes = at.rules, at.clusters, at.notes
	return t.train(ctx)
}

// bytesPerInput is about the memory that training, checkpoints and the file of the model take for an input of a rule, by measurement.
const bytesPerInput = 2400

// checkMemory refuses R rules over M inputs that take more than the given bytes of memory.
func checkMemory(R, M int, limit int64) error {
	if need := float64(R) * float64(M) * bytesPerInput; need > float64(limit) {
		return &recipe.Error{Key: "model.rules", With: []string{"data.ignore", "data.pca"}, Message: fmt.Sprintf(
			"%d rules over %d inputs take about %.1f GB of memory to train, of %.1f GB here: take fewer rules, leave columns out "+
				"(data.ignore), or set data.pca",
			R, M, need/1e9, float64(limit)/1e9)}
	}
	return nil
}

// interrupted returns the error of a training whose context ended before its first update, nil otherwise.
func interrupted(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("interrupted before training: %w", err)
	}
	return nil
}

// Check checks a resolved recipe against the data.
func Check(r recipe.Recipe, train, validation *data.Dataset) error {
	if train == nil || train.Len() == 0 {
		return &data.Error{Message: "there is no training part"}
	}
	for _, c := range train.Schema.Columns {
		if c.Encoding == data.Ranked {
			return &data.Error{Message: fmt.Sprintf("column %s is ranked, but the rows were not divided: the levels have the order that "+
				"data.Dataset.Split finds", escape.Quote(c.Name))}
		}
	}
	err := recipe.CheckTarget(r, train)
	if err == nil {
		_, err = model.CriterionOf(r.Train.Loss, train.Schema)
	}
	if err == nil && validation == nil && r.Train.Patience > 0 {
		err = &recipe.Error{Key: "train.patience", With: []string{"data.validation"},
			Message: "there is no validation part: set data.validation, or patience to 0"}
	}
	return err
}

// oddGrades describes grades outside [0, 1] on scaled samples. Built-in shapes have none.
func oddGrades(m *model.Model, x [][]float64) string {
	if _, written := membership.AsFormula(m.RuleBase.Shape); !written {
		return ""
	}
	odd, count := m.RuleBase.OddGrades(x)
	if count == 0 {
		return ""
	}
	f := m.Inputs()[odd.Feature]
	return fmt.Sprintf("%d grades of %s lie outside 0 to 1, such as %.4g in rule %d at %s = %.6g",
		count, m.RuleBase.Shape.Name(), odd.Grade, odd.Rule+1, f.Name, f.Unscaled(odd.X))
}
