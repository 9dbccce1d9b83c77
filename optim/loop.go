package optim

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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
	// Training returns a figure of the error of the current parameters on samples that are trained on, which training lowers. With it, the
	// parameters of the lowest figure are those that a training keeps that ends early, and one that is completed if the last ones
	// exceed it by more than 1%. Nil: the last are kept. It is not called with Validate or a LossSolver, which choose.
	Training func() (figure float64, err error)
	// TrainingEvery is the number of iterations from one call of Training to the next; 0: 100. It is refused without Training.
	TrainingEvery int
	// KeepLast keeps the last parameters of a training that is completed, whatever their error.
	KeepLast bool
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
	case o.TrainingEvery < 0 || o.Training == nil && o.TrainingEvery > 0:
		return o, fmt.Errorf("%w: iterations between measurements of the error of training is %d; it is measured: %t", ErrOption, o.TrainingEvery, o.Training != nil)
	case (o.Save == nil) != (o.Due == nil):
		return o, fmt.Errorf("%w: Save and Due go together", ErrOption)
	}
	o.ValidateEvery, o.TrainingEvery = cmp.Or(o.ValidateEvery, 10), cmp.Or(o.TrainingEvery, 100)
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

	// BestTraining and LastTraining are the figures of Options.Training of these parameters and of the last ones; both are 0 if these are the last.
	BestTraining float64 `json:"best_training,omitempty"`
	LastTraining float64 `json:"last_training,omitempty"`
}

// Kept says which parameters a training kept instead of the last ones, because their error of training is lower; empty for the last.
func (r Result) Kept() string {
	if r.LastTraining == 0 {
		return ""
	}
	return fmt.Sprintf("the model of iteration %d is kept: its error of training is %.4g, that after iteration %d is %.4g", r.Best, r.BestTraining, r.Iterations, r.LastTraining)
}

// Train minimises obj: at each iteration it draws a batch, evaluates, updates and projects. If every sample of a batch
// was skipped, the update is left out (its gradient would be the penalty's alone), but the iteration counts.
//
// If there was a validation, the parameters that end up in obj are those with the lowest validation RMSE, however
// training ended. If there was none, they are those of a [LossSolver] with the lowest loss, or those that Options.Training
// chooses, or the last ones; after a divergence, those of the lowest error of training or, before it was measured, of the last good snapshot.
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

// Interruptible is an [Objective] whose Project takes so long that it ends early, when the context of the training does. [Train] then
// returns to the parameters, and the checkpoint, of the iteration before.
type Interruptible interface {
	Objective
	// Interrupted returns the error of the last Project that ended early; nil if it did not.
	Interrupted() error
}

// before is the state of a training before an iteration.
type before struct {
	checkpoint Checkpoint
	values     [][]float64
}

// iterateUntil iterates once. If the objective ends the iteration early, the state of the training is the one before it.
func iterateUntil(t *trainer, o Interruptible) error {
	b := before{checkpoint: t.checkpoint()}
	for _, v := range t.values {
		b.values = append(b.values, slices.Clone(v))
	}
	err := t.iterate()
	if err == nil || o.Interrupted() == nil {
		return err
	}
	for i, v := range b.values {
		copy(t.values[i], v)
	}
	t.best = best{}
	if err := t.restore(b.checkpoint); err != nil {
		return err
	}
	return o.Interrupted()
}
