// Package fit makes one training of a single model: it places the rules, fits them on the
// network of package graph by the solver of package optim, prunes and refines them, and
// can stop and resume at any iteration.
//
// [Train] begins with a training part, [TrainOn] with one that is prepared, [Prune] and
// [PrunePath] with a saved model. All of them run through one trainer, stage by stage.
package fit

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/checkpoint"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/buildinfo"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

// Result is a trained model and what happened in its training.
type Result struct {
	Model    *model.Model
	Start    *rules.Clusters    // where the rules were placed, and what the initialiser found; nil after a saved model or a grid, and for a committee
	Training optim.Result       // iterations, skipped samples, why it stopped; the refinements of pruning included
	Prune    []checkpoint.Round // the rounds of pruning

	// OddGrades says in words where a shape of one's own has grades outside [0, 1]
	// on the training part; empty if it has none.
	OddGrades string

	// Fallbacks counts the least-squares estimates of consequents, of model.consequents:
	// least-squares, that were too ill-conditioned for Cholesky's factor.
	Fallbacks int

	// Watched is the RMSE on Hooks.Watch after each iteration, in the target's unit, of
	// what the rules give before Model.Margin limits it; nil without such a part.
	Watched []float64
}

// Train learns a single model from the training part, weighed (see [data.Dataset.Weighed]),
// by a recipe without a race. It starts with start, with the file that the recipe names, or
// with what its initialiser finds. A validation part (or nil) decides which iteration's
// parameters are kept. Where slot resumes a state, training continues from there.
func Train(ctx context.Context, train, validation *data.Dataset, r recipe.Recipe, start *rules.Clusters, h Hooks, slot *checkpoint.Slot) (*Result, error) {
	r, err := Resolve(r, train, validation)
	if err != nil {
		return nil, err
	}
	if r.Model.FromFile() {
		m, err := model.Load(r.Model.Init)
		if err != nil {
			return nil, err
		}
		if start != nil {
			return nil, &recipe.Error{Key: "model.init", Message: "Run.Start does not apply to the rules of a saved model"}
		}
		t, err := fromModel(m, train, validation, r, h)
		if err != nil {
			return nil, err
		}
		return t.train(ctx, slot)
	}
	set, err := Prepare(train, r)
	if err != nil {
		return nil, err
	}
	return TrainOn(ctx, set, validation, r, start, h, slot)
}

// TrainOn is [Train] on a prepared training part, by a recipe that does not start from a
// file.
func TrainOn(ctx context.Context, set *TrainingSet, validation *data.Dataset, r recipe.Recipe, start *rules.Clusters, h Hooks, slot *checkpoint.Slot) (*Result, error) {
	r, err := Resolve(r, set.data, validation)
	if err != nil {
		return nil, err
	}
	if slot != nil && slot.From != nil && slot.From.Start != nil {
		start = slot.From.Start
	}
	t, err := newTrainer(set, validation, r, h)
	if err != nil {
		return nil, err
	}
	if t.rules, t.start, err = place(set, r, start); err != nil {
		return nil, err
	}
	return t.train(ctx, slot)
}

// Resolve checks the recipe, alone and with the data, and resolves it.
func Resolve(r recipe.Recipe, train, validation *data.Dataset) (recipe.Recipe, error) {
	if train == nil || train.Len() == 0 {
		return r, &data.Error{Message: "there is no training part"}
	}
	used, err := r.Resolve()
	if err == nil && validation == nil && r.Train.Patience > 0 {
		err = &recipe.Error{Key: "train.patience", With: []string{"data.validation"}, Message: "there is no validation part: set data.validation, or patience to 0"}
	}
	return used, err
}

// modelOf joins a rulebase to its preprocessing and measures it; r is the resolved recipe.
func modelOf(t *trainer) (*model.Model, error) {
	values, err := t.recipe.Values()
	if err != nil {
		return nil, err
	}
	m, err := model.New(t.prep, t.rules, t.data.X, t.data.Weights, model.Training{
		Samples: t.data.Len(), Iterations: t.training.Best, Seed: t.recipe.Train.Seed, Engine: t.recipe.Model.Engine,
		Options: values, Versions: buildinfo.Versions(), Metrics: map[string]float64{},
	})
	if err != nil {
		return nil, err
	}
	return m, NoteErrors(m, t.data, t.validation)
}

// NoteErrors writes the RMSE on the training part, and on the validation part if there is
// one, into the model.
func NoteErrors(m *model.Model, train, validation *data.Dataset) error {
	for part, d := range map[string]*data.Dataset{"train": train, "validation": validation} {
		if d == nil {
			continue
		}
		e, err := m.Evaluate(d)
		if err != nil {
			return err
		}
		m.Training.Metrics["rmse_"+part] = e.RMSE
	}
	return nil
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
