// Package ensemble trains what consists of several trainings: a race of settings, and a
// committee of models. [Train] decides which of them a recipe asks for; each single
// training is one of package fit.
package ensemble

import (
	"context"
	"maps"

	"github.com/tskgraph/tskgraph/checkpoint"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/fit"
	"github.com/tskgraph/tskgraph/recipe"
)

// Run is what training takes besides the data.
type Run struct {
	fit.Job                     // its recipe may have a race and members; its Slot is not used
	OnRace  func(done, all int) // before a race and after each of its trainings; may be nil

	Checkpoints checkpoint.Options
	Identity    checkpoint.Identity // what else the result depends on; may be nil
}

// Result is a trained model, or a committee, and what happened in its training. That of a
// committee sums up its members': the counts are sums, Stopped is the first that is not
// completed.
type Result struct {
	fit.Result
	Race    []RaceScore   // of the settings that the recipe lists; nil without
	Members []*fit.Result // of a committee, in their order; nil for a single model
}

// Train learns a model, or a committee, from the training part and the validation part (or
// nil), both weighed (see [data.Dataset.Weighed]). The Result is nil only when training
// could not begin.
func Train(ctx context.Context, train, validation *data.Dataset, run Run) (*Result, error) {
	if _, err := fit.Resolve(run.Recipe, train, validation); err != nil {
		return nil, err
	}
	recorder, err := checkpoint.NewRecorder(run.Checkpoints, func() (checkpoint.Identity, error) { return run.identity(train, validation) })
	if err != nil {
		return nil, err
	}
	recorder.Record()
	candidates := []recipe.Recipe{run.Recipe}
	var scores []RaceScore
	if len(run.Recipe.Train.Race) > 0 {
		if err := train.Validate(); err != nil {
			return nil, err
		}
		scores, candidates, err = race(ctx, train, run, recorder)
	}
	var result *Result
	if err == nil {
		result, err = run.train(ctx, train, validation, candidates, recorder)
	}
	if result != nil {
		result.Race = scores
	}
	if err != nil && ctx.Err() != nil {
		recorder.Record()
	}
	return result, err
}

// train learns a model, or a committee, whose members take turns among the candidates.
func (run Run) train(ctx context.Context, train, validation *data.Dataset, candidates []recipe.Recipe, recorder *checkpoint.Recorder) (*Result, error) {
	if run.Recipe.Train.Members > 1 {
		return trainCommittee(ctx, train, validation, run, candidates, recorder)
	}
	slots, err := recorder.Models(1)
	if err != nil {
		return nil, err
	}
	run.Job.Recipe, run.Job.Slot = candidates[0], slots[0]
	one, err := fit.Train(ctx, train, validation, run.Job)
	if one == nil {
		return nil, err
	}
	return &Result{Result: *one}, err
}

// identity returns all that the run depends on.
func (run Run) identity(train, validation *data.Dataset) (checkpoint.Identity, error) {
	id, err := checkpoint.Of(run.Recipe, map[string]*data.Dataset{
		"training part": train, "validation part": validation, "watched part": run.Watch, "test part": run.Test,
	})
	if err != nil {
		return nil, err
	}
	if run.Start != nil {
		id.Add("start", run.Start)
	}
	maps.Copy(id, run.Identity)
	return id, nil
}
