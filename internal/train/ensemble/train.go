// Package ensemble runs several trainings of package fit: those of a race of settings and
// those of a committee of models, as the recipe requests.
package ensemble

import (
	"context"
	"errors"
	"maps"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// Run holds the inputs of training besides the data.
type Run struct {
	fit.Job                      // its recipe may have a race and members; its Slot is not used
	OnRace   func(done, all int) // before a race and after each of its trainings; may be nil
	OnLeader func(Leader)        // after a training of the race whose setting leads, one call at a time; may be nil
	Remote   *Remote             // nil: the trainings of the race run in this process

	Checkpoints checkpoint.Options
	Identity    checkpoint.Identity // further dependencies of the result; may be nil
}

// Result is a trained model or committee with the record of its training. For a committee,
// counts are sums over its members, and Stopped is the first that is not completed.
type Result struct {
	fit.Result
	Race    []RaceScore   // of the settings of the recipe; nil without a race
	Members []*fit.Result // of a committee, in their order; nil for a single model
	Leader  *Leader       // whose model it is, if training was interrupted in the race or soon after it; nil otherwise
}

// Train trains a model or committee on the training part, with the validation part or nil,
// both weighed (see [data.Dataset.Weighed]). The Result is nil only if training could not
// start.
func Train(ctx context.Context, train, validation *data.Dataset, run Run) (*Result, error) {
	if _, err := fit.Resolve(run.Recipe, train, validation); err != nil {
		return nil, err
	}
	recorder, err := checkpoint.NewRecorder(run.Checkpoints, func() (checkpoint.Identity, error) { return run.identity(train, validation) })
	if err != nil {
		return nil, err
	}
	recorder.Record()
	race := raced{chosen: []recipe.Recipe{run.Recipe}}
	if len(run.Recipe.Train.Race) > 0 {
		if err := train.Validate(); err != nil {
			return nil, err
		}
		race, err = runRace(ctx, train, run, recorder)
	}
	var result *Result
	if err == nil {
		result, err = run.train(ctx, train, validation, race.chosen, recorder)
	}
	if race.leader != nil && ctx.Err() != nil {
		leading, failed := race.leader.result(train, validation)
		if err = errors.Join(err, failed); failed == nil && (result == nil || figure(leading.Model) < figure(result.Model)) {
			result = leading
		}
	}
	if result != nil {
		result.Race = race.scores
	}
	if err != nil && (ctx.Err() != nil || errors.As(err, new(*data.Error))) { // rows may be readable later
		recorder.Record()
	}
	return result, err
}

// Race runs the race of a recipe without the training that follows it. It returns the scores
// of the settings and the recipe of a single training with the chosen one.
func Race(ctx context.Context, train *data.Dataset, run Run) ([]RaceScore, recipe.Recipe, error) {
	if err := train.Validate(); err != nil {
		return nil, recipe.Recipe{}, err
	}
	recorder, err := checkpoint.NewRecorder(checkpoint.Options{}, nil)
	if err != nil {
		return nil, recipe.Recipe{}, err
	}
	race, err := runRace(ctx, train, run, recorder)
	if err != nil {
		return nil, recipe.Recipe{}, err
	}
	return race.scores, race.chosen[0], nil
}

// train trains a model by the first candidate, or a committee whose members alternate
// between the candidates.
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

// identity returns the identity of the run.
func (run Run) identity(train, validation *data.Dataset) (checkpoint.Identity, error) {
	id, err := checkpoint.Of(run.Recipe, map[string]*data.Dataset{
		"training part": train, "validation part": validation, "test part": run.Test,
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
