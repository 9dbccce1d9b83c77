package tskgraph

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/lse"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// fit trains the rulebase for a number of iterations, with a new solver, and keeps the
// best by the validation part. However training ended, the rulebase is sound.
//
// With Model.Antecedents, rules are shortened on the way; the solver is new there too,
// and its schedule continues.
func (l *learner) fit(ctx context.Context, iterations int, seed uint64) error {
	B := l.batch()
	sampler, err := l.sampler(B, seed)
	if err != nil {
		return err
	}
	from := l.from
	l.from = nil
	network, err := l.network(from, l.graphOptions(B))
	if err != nil {
		return err
	}
	defer network.Close()
	leastSquares := l.leastSquares(network)
	loop, err := l.loop(network)
	if err != nil {
		return err
	}
	if from != nil {
		l.training, l.fallbacks = from.Training, from.Fallbacks
		if leastSquares != nil {
			leastSquares.estimator.Fallbacks = from.Estimates
		}
	}
	made := 0
	for i, part := range l.parts(iterations) {
		loop.From = nil
		switch {
		case from != nil && i < from.Part:
			made += part
			continue
		case from != nil && i == from.Part:
			loop.From = &from.Loop
		case i == 1:
			l.shorten(network)
		}
		if part == 0 {
			continue
		}
		if loop.OnIteration, err = l.onIteration(network); err != nil {
			return err
		}
		solver, err := l.options.Train.solver(l.chosen.solverUsed, made, iterations)
		if err != nil {
			return err
		}
		loop.Iterations = part
		if l.place.asked() {
			loop.Due = l.place.due
			loop.Save = func(c optim.Checkpoint) { l.place.put(l.during(i, network, leastSquares, c), false) }
		}
		if err := l.run(ctx, network, leastSquares, solver, sampler, loop); err != nil {
			return err
		}
		made += part
	}
	return nil
}

// batch returns the number of samples in a mini-batch: all of them, if the options name
// none or more than there are.
func (l *learner) batch() int {
	if B := l.options.Train.Batch; B != 0 {
		return min(B, len(l.x))
	}
	return len(l.x)
}

// sampler draws batches of B samples, and DropRule's masks.
func (l *learner) sampler(B int, seed uint64) (*optim.Sampler, error) {
	o := l.options.Train
	all := optim.Data{X: l.x, Y: l.y, Weight: o.weights(l.train.Weights, len(l.x), B)}
	masks, err := optim.NewDropRule(l.rules.Rules(), o.DropRule, seed)
	if err != nil {
		return nil, err
	}
	return optim.NewSampler(all, B, masks, seed)
}

// graphOptions returns those of the network, for batches of B samples.
func (l *learner) graphOptions(B int) graph.Options {
	o := l.options.Train
	return graph.Options{
		Engine: l.options.Model.Engine, Batch: B, TwoParts: len(l.x[0]) > l.rules.Features(),
		Penalties:  []penalty.Penalty{penalty.Slopes{Lambda: o.L2, ToMean: o.Shrink == "mean"}, penalty.Uniform{Lambda: o.Uniform}},
		LogSpreads: o.LogSpreads, Constant: l.options.Model.Order == 0,
	}
}

// leastSquares returns the objective whose consequents are those of least squares; nil
// if they are trained by gradients.
func (l *learner) leastSquares(network *graph.Network) *hybrid {
	if l.options.Model.Consequents != leastSquaresConsequents {
		return nil
	}
	return newHybrid(network, lse.New(l.x, l.y, l.train.Weights, l.rules.Rules(), l.options.Train.L2))
}

// loop returns the options of the training loop that concern the validation part.
func (l *learner) loop(network *graph.Network) (o optim.Options, err error) {
	if l.validation == nil {
		return o, nil
	}
	o.ValidateEvery, o.Patience = l.options.Train.ValidateEvery, l.options.Train.Patience
	o.Validate, err = validator(network, l.prep, l.validation)
	return o, err
}

// run trains the network, by gradients alone or with least squares (or nil), and
// takes its rules.
func (l *learner) run(ctx context.Context, network *graph.Network, leastSquares *hybrid, solver optim.Solver, sampler *optim.Sampler, loop optim.Options) error {
	var objective optim.Objective = network
	if leastSquares != nil {
		objective = leastSquares
	}
	done, err := optim.Train(ctx, objective, solver, sampler, loop)
	if errors.Is(err, optim.ErrState) {
		err = fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	if done.Stopped == "" { // it could not begin
		if l.training.Stopped != "" {
			l.training.Stopped = optim.StoppedFailed
		}
		return err
	}
	if leastSquares != nil {
		leastSquares.estimate() // for the antecedents that were kept
		l.fallbacks += leastSquares.estimator.Fallbacks
		leastSquares.estimator.Fallbacks = 0
		if err == nil && leastSquares.failed != nil {
			done.Stopped, err = optim.StoppedDiverged, leastSquares.failed
		}
	}
	l.rules = network.RuleBase()
	done.BestValidation *= l.prep.Target.Scaling()
	done.Best += l.training.Iterations
	done.Iterations += l.training.Iterations
	done.Skipped += l.training.Skipped
	l.training = done
	return err
}

// parts divides the iterations of a training: those before rules are shortened, 0.3
// of them, and those after.
func (l *learner) parts(iterations int) []int {
	if l.options.Model.Antecedents == 0 {
		return []int{iterations}
	}
	before := int(math.Round(0.3 * float64(iterations)))
	return []int{before, iterations - before}
}

// shorten flattens antecedents, if rules mention more features than they may.
func (l *learner) shorten(network *graph.Network) {
	if places := rules.Shorten(network.RuleBase(), l.antecedents(), l.train.Weights, l.options.Model.Antecedents); len(places) > 0 {
		network.Flatten(places)
	}
}
