package ensemble

import (
	"context"
	"errors"
	"fmt"

	"github.com/tskgraph/tskgraph/checkpoint"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/fit"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/recipe"
)

// heldOut is a split's held-out part with the unit of the errors on it.
type heldOut struct {
	*data.Dataset
	unit float64
}

// runJob runs one training of the race, unless it is done, and returns the losses on the
// held-out part, of the model and of its strongest rule read alone, see
// [model.HeldOutLosses].
func runJob(ctx context.Context, r recipe.Recipe, on *fit.TrainingSet, held heldOut, recorder *checkpoint.Recorder, job *checkpoint.Job) (losses, alone []float64, err error) {
	switch N := held.Len(); {
	case job.Failed != "":
		return nil, nil, divergedBefore(job.Failed)
	case job.Done && (len(job.Losses) != N || len(job.Alone) != N):
		return nil, nil, fmt.Errorf("%w: %d and %d losses on %d held-out samples", checkpoint.ErrCheckpoint, len(job.Losses), len(job.Alone), N)
	case job.Done:
		return job.Losses, job.Alone, nil
	}
	losses, alone, err = heldOutLosses(ctx, r, on, held, recorder.Slot(job))
	switch {
	case err == nil:
		recorder.Finish(job, checkpoint.Job{Done: true, Losses: losses, Alone: alone})
	case errors.Is(err, optim.ErrDiverged):
		recorder.Finish(job, checkpoint.Job{Done: true, Failed: err.Error()})
	}
	return losses, alone, err
}

// divergedBefore is the error of a training that diverged before the checkpoint.
type divergedBefore string

func (e divergedBefore) Error() string { return string(e) }
func (e divergedBefore) Unwrap() error { return optim.ErrDiverged }

// heldOutLosses trains on one part and returns the losses on the other, see runJob.
func heldOutLosses(ctx context.Context, r recipe.Recipe, on *fit.TrainingSet, held heldOut, slot *checkpoint.Slot) (losses, alone []float64, err error) {
	r.Train.Patience, r.Train.Members, r.Model.Neighbours = 0, 1, recipe.NoNeighbours
	result, err := fit.TrainOn(ctx, on, nil, fit.Job{Recipe: r, Slot: slot, Unmeasured: true})
	if err != nil {
		return nil, nil, err
	}
	return model.HeldOutLosses(result.Model, held.Dataset, held.unit)
}
