package optim

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"
)

// trainer is a training in progress.
type trainer struct {
	obj     Objective
	solver  Solver
	sampler *Sampler
	opts    Options
	model   []gorgonia.ValueGrad // the parameters, for the solver
	values  [][]float64          // their live values, for looking at and copying
	limit   float64              // the data loss beyond which an iteration counts as blown up
	progress
}

// progress is all that the loop itself remembers from one iteration to the next; together with the parameters and the
// states of solver and sampler it determines everything that follows; see Checkpoint.
type progress struct {
	iteration  int      // iterations made
	skipped    int      // samples skipped in them
	blownUp    int      // consecutive iterations, up to now, whose data loss was beyond the limit
	validated  bool     // whether there was a validation
	validation float64  // the lowest validation RMSE
	observed   bool     // whether a LossSolver observed a loss, and there is no validation
	loss       float64  // the lowest loss that it observed
	kept       snapshot // the parameters that had either; before, the last good ones
}

// newTrainer resolves the parameters and takes the first snapshot.
func newTrainer(obj Objective, solver Solver, sampler *Sampler, opts Options) (*trainer, error) {
	t := &trainer{obj: obj, solver: solver, sampler: sampler, opts: opts, model: obj.Params()}
	t.limit = blowUp * max(sampler.zeroLoss(), math.SmallestNonzeroFloat64)
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
	t.kept.take(0, t.values)
	return t, nil
}

// iterate makes one iteration. After an error the iteration does not count, unless it was a callback's.
func (t *trainer) iterate() error {
	x, target, mask, weight := t.sampler.Next()
	data, penalty, skipped, err := t.obj.Evaluate(x, target, mask, weight)
	if err != nil {
		return err
	}
	used := t.sampler.Batch() - skipped
	if err := t.checkLoss(data, penalty, used); err != nil {
		return err
	}
	if used > 0 {
		t.snapshotIfDue()
		t.observe(data + penalty)
		if err := t.update(); err != nil {
			return err
		}
	}
	t.iteration++
	t.skipped += skipped

	m := Metrics{Iteration: t.iteration, Of: t.opts.Iterations, Loss: data + penalty, Penalty: penalty, RMSE: batchRMSE(data, weight, used), Skipped: skipped}
	if t.validationDue() {
		if m.Validation, err = t.validate(); err != nil {
			return err
		}
	}
	if t.opts.OnIteration != nil {
		return t.opts.OnIteration(m)
	}
	return nil
}

// observe tells a LossSolver the loss of the parameters that were just evaluated, and keeps them if it is the lowest.
func (t *trainer) observe(loss float64) {
	s, ok := t.solver.(LossSolver)
	if !ok {
		return
	}
	s.Observe(loss)
	if t.opts.Validate == nil && (!t.observed || loss < t.loss) {
		t.observed, t.loss = true, loss
		t.kept.take(t.iteration, t.values)
	}
}

// update moves the parameters by one step of the solver, within their domain.
func (t *trainer) update() error {
	if err := t.solver.Step(t.model); err != nil {
		return err
	}
	t.obj.Project()
	return t.checkValues()
}

func (t *trainer) validationDue() bool {
	return t.opts.Validate != nil && (t.iteration%t.opts.ValidateEvery == 0 || t.iteration == t.opts.Iterations)
}

// validate measures the parameters and keeps them if they are the best so far.
func (t *trainer) validate() (*float64, error) {
	rmse, err := t.opts.Validate()
	if err != nil {
		return nil, err
	}
	if !finite(rmse) {
		return nil, fmt.Errorf("%w: validation RMSE is %g", ErrDiverged, rmse)
	}
	if !t.validated || rmse < t.validation {
		t.validated, t.validation = true, rmse
		t.kept.take(t.iteration, t.values)
	}
	return &rmse, nil
}

// outOfPatience reports whether the iteration just made was validated in vain once too often.
func (t *trainer) outOfPatience() bool {
	return t.opts.Patience > 0 && t.iteration < t.opts.Iterations && t.validationDue() && t.iteration-t.kept.iteration >= t.opts.Patience
}

// settle puts back the parameters that training is to end with, if they are not the current ones.
func (t *trainer) settle(stopped string) {
	if t.validated || t.observed || stopped == StoppedDiverged {
		t.kept.putBack(t.values)
	} else {
		t.kept.iteration = t.iteration
	}
}

// result reports on a settled training.
func (t *trainer) result(stopped string) Result {
	return Result{Iterations: t.iteration, Best: t.kept.iteration, BestValidation: t.validation, Skipped: t.skipped, Stopped: stopped}
}
