package fit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/lse"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/optim"
)

// fitting trains the rules of a trainer for a number of iterations with a new solver and
// keeps the best parameters by the validation part. With Model.Antecedents or Model.Terms
// it has several parts: rules lose conditions or terms between them, and each part has a
// new solver but continues the schedule.
type fitting struct {
	*trainer
	iterations int
	network    *graph.Network
	estimates  *leastSquares // nil: consequents are trained by gradients
	batches    optim.Batches
	loop       optim.Options
}

// newFitting builds the network of the current rules or, if from is not nil, of those of
// the checkpoint.
func newFitting(ctx context.Context, t *trainer, iterations int, seed uint64, from *checkpoint.FitState) (*fitting, error) {
	f := &fitting{trainer: t, iterations: iterations, loop: optim.Options{Loss: t.loss()}}
	B := t.Recipe.Train.BatchOf(len(t.x))
	var err error
	if f.batches, err = newBatches(t, B, seed); err != nil {
		return nil, err
	}
	if f.network, err = buildNetwork(t, from, B); err != nil {
		return nil, err
	}
	if t.Recipe.Model.Consequents == recipe.LeastSquares {
		estimator, err := lse.New(ctx, t.x, t.y, t.data.Weights, t.rules.Rules(), t.Recipe.Train.L2)
		if err != nil {
			f.network.Close()
			return nil, interrupted(ctx)
		}
		f.estimates = newLeastSquares(ctx, f.network, estimator)
	}
	if t.validation != nil {
		f.loop.ValidateEvery, f.loop.Patience = t.Recipe.Train.ValidateEvery, t.Recipe.Train.Patience
		if f.loop.Validate, err = validator(f.network, t.prep, f.loop.Loss, t.validation); err != nil {
			f.network.Close()
			return nil, err
		}
		return f, nil
	}
	f.loop.Training, f.loop.TrainingEvery = meter(f.network, f.loop.Loss, measured(t, seed)), measuredEvery(len(t.x), B)
	return f, nil
}

// buildNetwork builds the network for batches of B samples.
func buildNetwork(t *trainer, from *checkpoint.FitState, B int) (*graph.Network, error) {
	train := t.Recipe.Train
	o := graph.Options{
		Engine: t.Recipe.Model.Engine, Batch: B, TwoParts: len(t.x[0]) > t.rules.Features(),
		Loss: t.loss(), Penalties: train.Penalties(t.loss()),
		LogSpreads: train.LogSpreads, Constant: t.Recipe.Model.Order == 0,
	}
	if train.RuleDropout < 1 {
		o.RuleDropout = train.RuleDropout
	}
	if train.BatchNorm {
		o.BatchNorm = moments(t.consequents())
	}
	if from == nil {
		return graph.New(t.rules, o)
	}
	rb, err := t.restored(from.Parameters)
	if err != nil {
		return nil, err
	}
	network, err := graph.New(rb, o)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", checkpoint.ErrCheckpoint, err)
	}
	if err := network.SetOthers(from.Logarithms); err != nil {
		network.Close()
		return nil, fmt.Errorf("%w: %w", checkpoint.ErrCheckpoint, err)
	}
	return network, nil
}

// moments returns the means and variances of samples [N][M].
func moments(z [][]float64) *graph.Moments {
	N, M := float64(len(z)), len(z[0])
	m := &graph.Moments{Mean: make([]float64, M), Variance: make([]float64, M)}
	for _, row := range z {
		for i, v := range row {
			m.Mean[i] += v / N
		}
	}
	for _, row := range z {
		for i, v := range row {
			d := v - m.Mean[i]
			m.Variance[i] += float64(d * d / N)
		}
	}
	return m
}

// run trains the parts in order, from the state of a checkpoint if from is not nil.
func (f *fitting) run(ctx context.Context, from *checkpoint.FitState) error {
	if from != nil {
		f.made.Training, f.made.Fallbacks = from.Training, from.Fallbacks
		if f.estimates != nil {
			f.estimates.estimator.Fallbacks = from.Estimates
		}
	}
	made := 0
	for i, p := range parts(f.Recipe.Model, f.iterations) {
		f.loop.From = nil
		switch {
		case from != nil && i < from.Part:
			made += p.iterations
			continue
		case from != nil && i == from.Part:
			f.loop.From = &from.Loop
		case p.begin != nil:
			if err := p.begin(f, ctx); err != nil {
				f.made.Training.Stopped = optim.StoppedInterrupted
				return err
			}
		}
		if f.Recipe.Model.Terms > 0 && (p.sparse || f.continues()) { // removed terms stay out of training
			f.network.HoldZeroSlopes()
		}
		if p.iterations == 0 {
			continue
		}
		if err := f.runPart(ctx, i, p.iterations, made); err != nil {
			return err
		}
		made += p.iterations
	}
	return nil
}

// runPart trains part i, after made updates of the earlier parts.
func (f *fitting) runPart(ctx context.Context, i, iterations, made int) (err error) {
	f.loop.OnIteration = counted(f.OnIteration, f.made.Training.Iterations, f.Recipe.Train.Iterations, metricUnit(f.prep, f.loop.Loss))
	if len(f.Watch) > 0 && f.OnIteration != nil {
		if f.loop.OnIteration, err = watching(f, f.loop.OnIteration); err != nil {
			return err
		}
	}
	solver, err := newSolver(f.Recipe.Train, made, f.iterations)
	if err != nil {
		return err
	}
	f.loop.Iterations = iterations
	f.loop.KeepLast = made+iterations < f.iterations || f.Recipe.Train.Schedule != "cosine"
	if f.Slot.Active() {
		f.loop.Due = f.Slot.Due
		f.loop.Save = func(c optim.Checkpoint) { f.Slot.Put(f.during(f.fitState(i, c)), false) }
	}
	var objective optim.Objective = f.network
	if f.estimates != nil {
		objective = f.estimates
	}
	done, err := optim.Train(ctx, objective, solver, f.batches, f.loop)
	if errors.Is(err, optim.ErrState) {
		err = fmt.Errorf("%w: %w", checkpoint.ErrCheckpoint, err)
	}
	return f.take(done, err)
}

// take adds the result of a part, which ended with err, to the results of the trainer. The
// rules are valid even after an error.
func (f *fitting) take(done optim.Result, err error) error {
	if done.Stopped == "" { // it did not start
		if f.made.Training.Stopped != "" {
			f.made.Training.Stopped = optim.StoppedFailed
		}
		return err
	}
	if o := f.estimates; o != nil {
		o.end()
		f.made.Fallbacks += o.estimator.Fallbacks
		o.estimator.Fallbacks = 0
		if err == nil && o.failed != nil {
			done.Stopped, err = optim.StoppedDiverged, o.failed
		}
	}
	f.rules = f.network.RuleBase()
	for _, figure := range []*float64{&done.BestValidation, &done.BestTraining, &done.LastTraining} {
		*figure *= metricUnit(f.prep, f.loop.Loss)
	}
	done.Best += f.made.Training.Iterations
	done.Iterations += f.made.Training.Iterations
	done.Skipped += f.made.Training.Skipped
	f.made.Training = done
	return err
}

// fitState returns the run state within part i.
func (f *fitting) fitState(i int, loop optim.Checkpoint) *checkpoint.FitState {
	s := &checkpoint.FitState{
		Part: i, Training: f.made.Training, Fallbacks: f.made.Fallbacks,
		Parameters: f.network.Parameters(), Logarithms: f.network.Others(), Loop: loop,
	}
	if f.estimates != nil {
		s.Estimates = f.estimates.estimator.Fallbacks
	}
	return s
}

// lossWeights returns the weights of N samples in the loss for batches of B, from their own
// weights (nil: all one).
func lossWeights(t recipe.Train, own []float64, N, B int) []float64 {
	if !t.MeanLoss() {
		return own
	}
	weights := make([]float64, N)
	for n := range weights {
		weights[n] = 1 / float64(B)
		if own != nil {
			weights[n] *= own[n]
		}
	}
	return weights
}

// newSolver returns a new solver of a resolved recipe whose schedule continues after made of
// iterations updates.
func newSolver(t recipe.Train, made, iterations int) (optim.Solver, error) {
	method, err := t.Method()
	if err != nil {
		return nil, err
	}
	s, err := optim.New(method)
	if err != nil {
		return nil, err
	}
	consequents := 1.0
	if t.ConsequentRate != 0 {
		consequents = t.ConsequentRate / t.Solver[optim.LearningRate]
	}
	if t.Schedule != "cosine" && consequents == 1 {
		return s, nil
	}
	return optim.Scheduled(s, func(k int, p gorgonia.ValueGrad) float64 {
		share := 1.0
		if t.Schedule == "cosine" {
			share = optim.Cosine(made+k, iterations)
		}
		if name := p.(interface{ Name() string }).Name(); slices.Contains([]string{"bias", "slope", "curve", "scale", "shift"}, name) {
			share *= consequents
		}
		return share
	}), nil
}
