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

// runJob runs one training of the race, unless it is done, and returns the squared errors
// on the held-out part, in the given unit and times the weights, whose mean is one.
func runJob(ctx context.Context, r recipe.Recipe, on *fit.TrainingSet, held *data.Dataset, unit float64, recorder *checkpoint.Recorder, job *checkpoint.Job) ([]float64, error) {
	switch {
	case job.Failed != "":
		return nil, divergedBefore(job.Failed)
	case job.Done && len(job.Squares) != held.Len():
		return nil, fmt.Errorf("%w: %d errors on %d held-out samples", checkpoint.ErrCheckpoint, len(job.Squares), held.Len())
	case job.Done:
		return job.Squares, nil
	}
	squares, err := heldOutErrors(ctx, r, on, held, unit, recorder.Slot(job))
	switch {
	case err == nil:
		recorder.Finish(job, checkpoint.Job{Done: true, Squares: squares})
	case errors.Is(err, optim.ErrDiverged):
		recorder.Finish(job, checkpoint.Job{Done: true, Failed: err.Error()})
	}
	return squares, err
}

// divergedBefore is the error of a training that diverged before the checkpoint.
type divergedBefore string

func (e divergedBefore) Error() string { return string(e) }
func (e divergedBefore) Unwrap() error { return optim.ErrDiverged }

// heldOutErrors trains on one part and returns the weighted squared errors on the other in
// the given unit.
func heldOutErrors(ctx context.Context, r recipe.Recipe, on *fit.TrainingSet, held *data.Dataset, unit float64, slot *checkpoint.Slot) ([]float64, error) {
	r.Train.Patience, r.Train.Members = 0, 1
	result, err := fit.TrainOn(ctx, on, nil, fit.Job{Recipe: r, Slot: slot})
	if err != nil {
		return nil, err
	}
	squares, _, err := model.SquaredErrors(result.Model, held, unit)
	return squares, err
}
