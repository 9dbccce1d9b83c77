package optim

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
)

// trainer is a training in progress. Its counts, guard and best parameters, the parameters themselves and the states of solver
// and batches determine everything that follows; see Checkpoint.
type trainer struct {
	obj     Objective
	solver  Solver
	batches Batches
	opts    Options
	model   []gorgonia.ValueGrad // the parameters, for the solver
	values  [][]float64          // their live values

	iteration int // iterations made
	skipped   int // samples skipped in them
	guard     guard
	best      best
}

// newTrainer resolves the parameters and keeps their initial values.
func newTrainer(obj Objective, solver Solver, batches Batches, opts Options) (*trainer, error) {
	t := &trainer{obj: obj, solver: solver, batches: batches, opts: opts, model: obj.Params()}
	if _, observes := solver.(LossSolver); observes || opts.Validate != nil {
		t.opts.Training = nil // they choose
	}
	sample := batches.Sample()
	if len(sample.X) == 0 {
		return nil, fmt.Errorf("%w: the batches have no sample", ErrData)
	}
	if t.guard.limit = blowUp * float64(batches.Batch()) * sample.meanZeroLoss(opts.Loss); t.guard.limit == 0 {
		t.guard.limit = math.Inf(1) // nothing to compare with
	}
	for i, vg := range t.model {
		value, err := denseValue(vg)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrParameter, label(i, vg), err)
		}
		t.values = append(t.values, value.Float64s())
	}
	if err := t.checkValues(); err != nil {
		return nil, err
	}
	t.best.keep(0, t.values)
	return t, nil
}

// run iterates until training ends, and returns why it ended: one of the Stopped constants.
func (t *trainer) run(ctx context.Context) (stopped string, err error) {
	o, interruptible := t.obj.(Interruptible)
	for t.iteration < t.opts.Iterations {
		if err := ctx.Err(); err != nil {
			return t.interrupted(err)
		}
		k, iterate := t.iteration+1, t.iterate
		if interruptible {
			iterate = func() error { return iterateUntil(t, o) }
		}
		if err := iterate(); err != nil {
			if ended := ctx.Err(); interruptible && ended != nil && errors.Is(err, ended) {
				return t.interrupted(ended)
			}
			return reason(ctx, err), fmt.Errorf("%w (at iteration %d)", err, k)
		}
		if t.outOfPatience() {
			return StoppedPatience, nil
		}
		if t.opts.Save != nil && t.opts.Due() {
			t.save()
		}
	}
	return StoppedCompleted, nil
}

// interrupted saves a checkpoint and returns why, and with which error, training ends.
func (t *trainer) interrupted(ended error) (stopped string, err error) {
	t.save()
	return StoppedInterrupted, fmt.Errorf("optim: training interrupted after iteration %d: %w", t.iteration, ended)
}

// save saves a checkpoint if there is a callback for it.
func (t *trainer) save() {
	if t.opts.Save != nil {
		t.opts.Save(t.checkpoint())
	}
}

// reason classifies an error that ended training.
func reason(ctx context.Context, err error) string {
	switch {
	case errors.Is(err, ErrDiverged):
		return StoppedDiverged
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return StoppedInterrupted
	}
	return StoppedFailed
}

// iterate makes one iteration. After an error the iteration does not count, unless it was a callback's.
func (t *trainer) iterate() error {
	x, target, mask, weight, err := t.batches.Next()
	if err != nil {
		t.save() // nothing has changed: training can resume once the samples can be read
		return err
	}
	data, penalty, skipped, err := t.obj.Evaluate(x, target, mask, weight)
	if err != nil {
		return err
	}
	used := t.batches.Batch() - skipped
	if err := t.guard.check(data, penalty, used); err != nil {
		return err
	}
	if used > 0 {
		if err := t.update(data + penalty); err != nil {
			return err
		}
	}
	t.iteration++
	t.skipped += skipped

	m := Metrics{Iteration: t.iteration, Of: t.opts.Iterations, Loss: data + penalty, Penalty: penalty, Skipped: skipped,
		Metric: t.opts.Loss.Metric().Name, Batch: judged(loss.MetricOf(t.opts.Loss, len(target)/len(weight)), data, weight, used)}
	if t.validates() {
		if m.Validation, err = t.validate(); err != nil {
			return err
		}
	}
	if t.opts.Training != nil && t.iteration%t.opts.TrainingEvery == 0 && t.iteration < t.opts.Iterations {
		t.best.offer(t.measured(), t.iteration, t.values)
	}
	if t.opts.OnIteration != nil {
		return t.opts.OnIteration(m)
	}
	return nil
}

// measured returns the error of training of the present parameters; the largest number if it is not finite or cannot be measured.
func (t *trainer) measured() float64 {
	if figure, err := t.opts.Training(); err == nil && numeric.Finite(figure) {
		return figure
	}
	return math.MaxFloat64
}

// update offers the parameters, just evaluated with this loss, as the best, and moves them by one step of the solver,
// within their domain.
func (t *trainer) update(loss float64) error {
	if t.guard.blownUp == 0 {
		t.best.snapshot(t.iteration, t.values)
	}
	if s, ok := t.solver.(LossSolver); ok {
		s.Observe(loss)
		if t.opts.Validate == nil {
			t.best.offer(loss, t.iteration, t.values)
		}
	}
	if err := t.solver.Step(t.model); err != nil {
		return err
	}
	t.obj.Project()
	if o, ok := t.obj.(Interruptible); ok && o.Interrupted() != nil {
		return o.Interrupted()
	}
	return t.checkValues()
}

// checkValues refuses, as ErrDiverged, parameters that are not finite.
func (t *trainer) checkValues() error {
	if i, j, found := firstNotFinite(t.values); found {
		return fmt.Errorf("%w: %s is %g at element %d", ErrDiverged, label(i, t.model[i]), t.values[i][j], j)
	}
	return nil
}

// validates reports whether the iteration just made is one that is validated.
func (t *trainer) validates() bool {
	return t.opts.Validate != nil && (t.iteration%t.opts.ValidateEvery == 0 || t.iteration == t.opts.Iterations)
}

// validate measures the parameters and offers them as the best.
func (t *trainer) validate() (*float64, error) {
	rmse, err := t.opts.Validate()
	if err != nil {
		return nil, err
	}
	if !numeric.Finite(rmse) {
		return nil, fmt.Errorf("%w: validation RMSE is %g", ErrDiverged, rmse)
	}
	t.best.offer(rmse, t.iteration, t.values)
	return &rmse, nil
}

// outOfPatience reports whether the iteration just made was validated, the best one being too long ago.
func (t *trainer) outOfPatience() bool {
	return t.opts.Patience > 0 && t.iteration < t.opts.Iterations && t.validates() && t.iteration-t.best.iteration >= t.opts.Patience
}

// slack is the share by which the last parameters may exceed the lowest error of training and still be kept when training is completed.
const slack = 0.01

// finish restores the best parameters unless training ends with the last ones, and returns the result.
func (t *trainer) finish(stopped string) Result {
	r := Result{Iterations: t.iteration, Skipped: t.skipped, Stopped: stopped}
	if t.keepsLast(stopped, &r) {
		t.best.iteration = t.iteration
	} else {
		t.best.restore(t.values)
	}
	if r.Best = t.best.iteration; t.opts.Validate != nil {
		r.BestValidation = t.best.figure
	}
	return r
}

// keepsLast reports whether training ends with the last parameters; otherwise it sets the errors of training in the result, if they decide.
func (t *trainer) keepsLast(stopped string, r *Result) bool {
	completed := stopped == StoppedCompleted
	switch {
	case stopped == StoppedDiverged:
		return false
	case !t.best.measured || t.opts.Training == nil:
		return !t.best.measured
	case completed && t.opts.KeepLast:
		return true
	}
	last, most := t.measured(), t.best.figure
	if completed {
		most *= 1 + slack
	}
	if last <= most {
		return true
	}
	r.BestTraining, r.LastTraining = t.best.figure, last
	return false
}
