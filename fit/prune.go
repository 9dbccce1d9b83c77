package fit

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/recipe"
)

// Prune prunes a saved model and refines it on the training part, weighed: Prune.Rounds
// rounds, each followed by Train.Iterations updates. The model itself does not change.
func Prune(ctx context.Context, m *model.Model, train, validation *data.Dataset, r recipe.Recipe, h Hooks) (*Result, error) {
	if r.Prune.Rounds < 1 {
		return nil, &recipe.Error{Key: "prune.rounds", Message: fmt.Sprintf("%d: at least one round is needed", r.Prune.Rounds)}
	}
	t, err := newRefiner(m, train, validation, r, h)
	if err != nil {
		return nil, err
	}
	for range r.Prune.Rounds {
		if err = t.prune(ctx, r.Train.Iterations); err != nil {
			break
		}
	}
	return t.result(err)
}

// newRefiner returns a trainer that continues from a model.
func newRefiner(m *model.Model, train, validation *data.Dataset, r recipe.Recipe, h Hooks) (*trainer, error) {
	if err := m.Validate(); err != nil {
		return nil, &recipe.Error{Key: "model.init", Message: err.Error()}
	}
	r.Model.Init = recipe.SavedModel
	r, err := Resolve(r, train, validation)
	if err != nil {
		return nil, err
	}
	t, err := fromModel(m, train, validation, r, h)
	if err != nil {
		return nil, err
	}
	return t, t.check()
}
