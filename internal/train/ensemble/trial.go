package ensemble

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// Trial is one training of a race. It counts the settings in the order of [recipe.Recipe.Entrants],
// and the splits in the order of the race, from 0.
type Trial struct{ Setting, Split int }

// Remote runs the trials of a race outside this process, see [Trials].
type Remote struct {
	Workers int // trials at a time
	Train   func(ctx context.Context, t Trial) (Outcome, error)
}

// Trials runs single trials of a race for the process that runs the race. The outcomes have the
// bits of a race in one process. Use it from one goroutine at a time.
type Trials struct {
	train      *data.Dataset
	recipe     recipe.Recipe
	candidates []*candidate
	splits     []data.Fold

	at   int // the split that is prepared; -1: none
	part *splitPart
}

// newTrials prepares the trials of a recipe on a weighed training part. It returns an error if
// the recipe has no race on that part.
func newTrials(train *data.Dataset, r recipe.Recipe) (*Trials, error) {
	candidates, _, err := candidatesOf(r, train)
	if err != nil {
		return nil, err
	}
	splits := splitsOf(r, train)
	if len(candidates) < 2 || splits == nil {
		return nil, fmt.Errorf("no race of %d settings on %d samples", len(candidates), train.Len())
	}
	return &Trials{train: train, recipe: r, candidates: candidates, splits: splits, at: -1}, nil
}

// Train runs a trial. A training that diverged is no error, see [Outcome].
func (t *Trials) Train(ctx context.Context, trial Trial) (Outcome, error) {
	if k, i := trial.Setting, trial.Split; k < 0 || k >= len(t.candidates) || i < 0 || i >= len(t.splits) {
		return Outcome{}, fmt.Errorf("no trial of setting %d on split %d: there are %d settings and %d splits", k, i, len(t.candidates), len(t.splits))
	}
	if trial.Split != t.at {
		t.part, t.at = nil, -1 // frees memory first
		part, err := prepareSplit(ctx, t.train, t.splits[trial.Split], t.recipe)
		if err != nil {
			return Outcome{}, err
		}
		if part == nil {
			return Outcome{}, fmt.Errorf("split %d of the race cannot be trained on", trial.Split)
		}
		t.part, t.at = part, trial.Split
	}
	o, err := t.part.trial(ctx, t.candidates[trial.Setting].recipe, nil)
	if err == nil && o.Model != nil { // saved with it
		o.Model, err = t.part.on.Summarised(ctx, o.Model)
	}
	return o, err
}
