package optim

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/loss"
)

// Options are those of the training loop.
type Options struct {
	// Iterations is the number K of updates, at least 1.
	Iterations int
	// Loss is that of the objective's data part: its metric is reported, and training has diverged where the loss is far
	// above that of predicting zero. Nil: squared.
	Loss loss.Loss
	// Validate returns the RMSE of the current parameters on samples that are not trained on. Nil: no validation.
	Validate func() (rmse float64, err error)
	// ValidateEvery is the number of iterations from one validation to the next; 0: 10. The last iteration is always
	// validated. It is refused without Validate.
	ValidateEvery int
	// Patience ends training at the first validation that many iterations, or more, after the best one.
	// 0: never. It is refused without Validate.
	Patience int
	// OnIteration, if not nil, is called after each iteration; an error ends training. An iteration that diverged is not
	// reported, so that all numbers are finite.
	OnIteration func(Metrics) error

	// From, if not nil, is the checkpoint that training resumes from: one of the same training, whose objective has the
	// parameters that it had then. The iterations made before count.
	From *Checkpoint
	// Save, if not nil, receives a checkpoint after each iteration for which Due returns true, when the context is done,
	// and when samples cannot be read. The two go together.
	Save func(Checkpoint)
	Due  func() bool
}

// check sets defaults and refuses, as ErrOption, what is out of range or without effect.
func (o Options) check() (Options, error) {
	o.Loss = loss.OrSquared(o.Loss)
	switch {
	case o.Iterations < 1:
		return o, fmt.Errorf("%w: iterations is %d, must be at least 1", ErrOption, o.Iterations)
	case o.ValidateEvery < 0:
		return o, fmt.Errorf("%w: iterations between validations is %d", ErrOption, o.ValidateEvery)
	case o.Patience < 0:
		return o, fmt.Errorf("%w: patience is %d", ErrOption, o.Patience)
	case o.Validate == nil && o.ValidateEvery > 0:
		return o, fmt.Errorf("%w: iterations between validations is %d, but there is no validation", ErrOption, o.ValidateEvery)
	case o.Validate == nil && o.Patience > 0:
		return o, fmt.Errorf("%w: patience is %d, but there is no validation", ErrOption, o.Patience)
	case (o.Save == nil) != (o.Due == nil):
		return o, fmt.Errorf("%w: Save and Due go together", ErrOption)
	case o.ValidateEvery == 0:
		o.ValidateEvery = 10
	}
	return o, nil
}

// Why training ended: the values of Result.Stopped.
const (
	StoppedCompleted   = "completed"   // all iterations were made
	StoppedPatience    = "patience"    // the validation RMSE no longer fell
	StoppedDiverged    = "diverged"    // the error wraps ErrDiverged
	StoppedInterrupted = "interrupted" // the context was done; the error wraps ctx.Err()
	StoppedFailed      = "failed"      // the objective, the solver, the batches or a callback returned the error
)

// Result is the outcome of a training.
type Result struct {
	Iterations     int     `json:"iterations"`      // iterations made, not counting one that diverged or failed
	Best           int     `json:"best"`            // iteration after which the parameters were as they are now; 0: the initial ones
	BestValidation float64 `json:"best_validation"` // their validation RMSE; 0 if there was no validation
	Skipped        int     `json:"skipped"`         // samples skipped, summed over the iterations made
	Stopped        string  `json:"stopped"`         // why training ended, one of the Stopped constants
}

// Train minimises obj: at each iteration it draws a batch, evaluates, updates and projects. If every sample of a batch
// was skipped, the update is left out (its gradient would be the penalty's alone), but the iteration counts.
//
// If there was a validation, the parameters that end up in obj are those with the lowest validation RMSE, however
// training ended. If there was none, they are the last ones, or of a [LossSolver] those with the lowest loss; after a
// divergence, those of the last good snapshot.
// Snapshots are taken at the start and then, 50 iterations or more apart, of parameters that were evaluated and found
// good. The solver's state is not restored with them.
//
// Training diverges, see ErrDiverged, if a loss, gradient, parameter or validation RMSE is not finite, or if the data loss
// exceeds a million times that of predicting zero, on an average batch, in 10 consecutive iterations. Cancelling ctx
// ends training between two iterations. The Result is valid along with any error, unless its Stopped is empty: then the
// arguments were refused and no parameter has changed.
//
// Samples that cannot be read end training with the error of [Batches]. A training that resumes from a checkpoint
// (Options.From) ends with the bits of the one that was not interrupted.
func Train(ctx context.Context, obj Objective, solver Solver, batches Batches, opts Options) (Result, error) {
	if ctx == nil || obj == nil || solver == nil || batches == nil {
		return Result{}, fmt.Errorf("%w: context, objective, solver or batches is nil", ErrOption)
	}
	opts, err := opts.check()
	if err != nil {
		return Result{}, err
	}
	t, err := newTrainer(obj, solver, batches, opts)
	if err != nil {
		return Result{}, err
	}
	if opts.From != nil {
		if err := t.restore(*opts.From); err != nil {
			return Result{}, err
		}
	}
	stopped, err := t.run(ctx)
	return t.finish(stopped), err
}
