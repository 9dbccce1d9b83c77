// Package optim fits the parameters of a model by mini-batch gradient descent: solvers (AdaBound and others),
// mini-batches, DropRule masks, and the training loop.
//
// It knows nothing about fuzzy systems. What is minimised is an [Objective]: parameters with gradients, a function
// that evaluates the loss on a mini-batch, and a projection onto the parameters' domain. In tskgraph that is
// graph.Network, which satisfies the interface without importing this package.
//
// # One iteration
//
// [Train] repeats, for k = 1, 2, ..., K:
//
//  1. draw B of the N samples without replacement and a mask [B,R] ([MaskSource], such as [DropRule]): [Batches], which
//     are a [Sampler] of samples in memory or a [Stream] of chunks read one at a time;
//  2. run the model forward and backward ([Objective.Evaluate]), which leaves the gradient of the loss
//     L = 1/2 sum_n weight_n (y_n - target_n)^2 + penalty, summed over the batch, in the parameters;
//  3. update the parameters ([Solver]); a [Method] such as [Adam] holds the options of a solver, [New] returns it;
//  4. move them back into their domain ([Objective.Project]).
//
// K counts mini-batches, not passes over the data: what the paper calls an epoch is one iteration here.
//
// # Validation and early stopping
//
// With Options.Validate set, the parameters with the lowest validation RMSE are kept and restored at the end;
// Options.Patience ends training when that RMSE has not fallen for so many iterations.
//
// A [LossSolver] (anfis) uses the loss itself and is meant for full batches: without a validation, the parameters with the
// lowest loss are restored at the end.
//
// With Options.Training set, and neither, a training that ends early keeps the parameters of the lowest error of training so
// far. One that is completed keeps them if the last ones exceed that error by more than 1%.
//
// # Divergence
//
// Nothing that is not finite passes silently. A loss, gradient, parameter or validation RMSE that is NaN or infinite
// ends training at once; a data loss beyond a million times that of predicting zero ends it after ten consecutive
// iterations; the best parameters so far are restored and the error wraps [ErrDiverged]. Samples that the model
// could not use (no rule fired) are not divergence: they are counted and reported.
//
// # Reproducibility
//
// The random numbers come from two PCG streams, one for the rows and one for the masks, both seeded by the caller.
// Equal seeds give equal batches and, with a deterministic Objective, bit-identical parameters on the same machine
// architecture. The whole state of a solver, of the batches and of the loop can be saved and restored exactly ([State],
// [SamplerState], [Checkpoint]); each survives JSON without losing a bit.
//
// # Cost
//
// After its first iteration the loop allocates nothing but one float64 per validation and the chunks that a Stream reads;
// callbacks and the Objective add what they allocate themselves.
package optim

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/loss"
	"gorgonia.org/gorgonia"
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
		return o, fmt.Errorf("%w: iterations between measurements of the error of training is %d; it is measured: %t", ErrOption,
			o.TrainingEvery, o.Training != nil)
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

	// BestTraining and LastTraining are the figures of Options.Training of these parameters and of the last ones; both are 0 if
	// these are the last.
	BestTraining float64 `json:"best_training,omitempty"`
	LastTraining float64 `json:"last_training,omitempty"`
}

// Kept says which parameters a training kept instead of the last ones, because their error of training is lower; empty for the last.
func (r Result) Kept() string {
	if r.LastTraining == 0 {
		return ""
	}
	return fmt.Sprintf("the model of iteration %d is kept: its error of training is %.4g, that after iteration %d is %.4g", r.Best,
		r.BestTraining, r.Iterations, r.LastTraining)
}

// Train minimises obj: at each iteration it draws a batch, evaluates, updates and projects. If every sample of a batch
// was skipped, the update is left out (its gradient would be the penalty's alone), but the iteration counts.
//
// If there was a validation, the parameters that end up in obj are those with the lowest validation RMSE, however training
// ended. If there was none, they are those of a [LossSolver] with the lowest loss, or those that Options.Training chooses,
// or the last ones; after a divergence, those of the lowest error of training or, before it was measured, of the last good
// snapshot. Snapshots are taken at the start and then, 50 iterations or more apart, of parameters that were evaluated and
// found good. The solver's state is not restored with them.
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

// Objective is a loss with parameters: what a solver minimises. graph.Network satisfies it.
type Objective interface {
	// Params returns the trainable parameters, always in the same order. Values and gradients are contiguous float64
	// tensors, and stay the same tensors: they are updated in place.
	Params() []gorgonia.ValueGrad

	// Evaluate runs forward and backward on one mini-batch: x [B,M] and mask [B,R] in row-major order, target
	// [B,C], weight [B]. The slices are only valid during the call and must not be written to. Evaluate leaves the gradient
	// of data + penalty, summed over the batch, in Params: overwritten, not accumulated.
	//
	// data is sum_n weight_n L(y_n, target_n), for the squared loss of one output 1/2 sum_n weight_n (y_n - target_n)^2; penalty is the
	// regularisation part of the loss. skipped counts the samples that loss and gradient leave out because no rule
	// fired or a number was not finite. An error ends training.
	Evaluate(x, target, mask, weight []float64) (data, penalty float64, skipped int, err error)

	// Project moves the parameters back into their domain (a floor for the widths, the order of the corners of a
	// trapezoid). The training loop calls it after each update.
	Project()
}

// Metrics are the figures of one iteration: a line of metrics.jsonl. All are finite. Loss, Penalty and Batch are of the
// batch before the update, with its masks; Validation is of the parameters after it, with all rules.
type Metrics struct {
	Member    int     `json:"member,omitempty"` // number of the member of a committee, from 1; 0: a single model
	Iteration int     `json:"iteration"`        // from 1
	Of        int     `json:"-"`                // iterations that were requested
	Loss      float64 `json:"loss"`             // data part and penalty, summed over the batch, in the objective's unit squared
	Penalty   float64 `json:"penalty"`          // the regularisation part of Loss
	Skipped   int     `json:"skipped"`          // samples of the batch that were left out
	Metric    string  `json:"metric"`           // name of the metric of the loss, see [loss.Metric]: RMSE, log loss, ...
	// Batch is the metric over the samples used, in the target's unit (of several targets, and of huber, in standard deviations); 0 if
	// all were skipped.
	Batch      float64  `json:"metric_batch"`
	Validation *float64 `json:"metric_validation,omitempty"` // the same on the validation part; nil if not validated at this iteration

	// Watched is the metric, as Validation, of the data sets that are watched, by name, without those for which it is not
	// finite; nil if they were not measured at this iteration.
	Watched map[string]float64 `json:"watched,omitempty"`
}

// judged turns the data loss of a batch into the metric of the loss. It is not known which samples were skipped, so they are
// taken to be of average weight. 0 if no weight is left.
func judged(by loss.Metric, data float64, weight []float64, used int) float64 {
	var sum float64
	for _, w := range weight {
		sum += w
	}
	if sum = float64(sum * (float64(used) / float64(len(weight)))); !(sum > 0) {
		return 0
	}
	return by.Of(data, sum)
}

// ByMember divides metrics by member, members in the order of their first iteration.
// Without a committee there is one part.
func ByMember(metrics []Metrics) [][]Metrics {
	var parts [][]Metrics
	place := map[int]int{}
	for _, m := range metrics {
		k, seen := place[m.Member]
		if !seen {
			k = len(parts)
			place[m.Member] = k
			parts = append(parts, nil)
		}
		parts[k] = append(parts[k], m)
	}
	return parts
}
