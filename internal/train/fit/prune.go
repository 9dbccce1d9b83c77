package fit

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// Prune prunes a saved model and refines it on the weighed training part: Prune.Rounds
// rounds, each followed by Train.Iterations updates. The saved model does not change.
func Prune(ctx context.Context, m *model.Model, train, validation *data.Dataset, j Job) (*Result, error) {
	if j.Recipe.Prune.Rounds < 1 {
		return nil, &recipe.Error{Key: "prune.rounds", Message: fmt.Sprintf("%d: want at least one round", j.Recipe.Prune.Rounds)}
	}
	t, err := newRefiner(ctx, m, train, validation, j)
	if err != nil {
		return nil, err
	}
	for range j.Recipe.Prune.Rounds {
		if err = t.prune(ctx, j.Recipe.Train.Iterations); err != nil {
			break
		}
	}
	return t.result(ctx, err)
}

// newRefiner returns a trainer that continues from a model.
func newRefiner(ctx context.Context, m *model.Model, train, validation *data.Dataset, j Job) (*trainer, error) {
	if err := m.Validate(); err != nil {
		return nil, &recipe.Error{Key: "model.init", Message: err.Error()}
	}
	j.Recipe.Model.Init = recipe.SavedModel
	var err error
	if j.Recipe, err = j.Recipe.Resolve(); err == nil {
		err = Check(j.Recipe, train, validation)
	}
	if err != nil {
		return nil, err
	}
	t, err := fromModel(ctx, m, train, validation, j)
	if err != nil {
		return nil, err
	}
	return t, t.check()
}
