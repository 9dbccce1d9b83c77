package tskgraph

import (
	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/optim"
)

// onIteration returns what is called after every iteration; nil for nothing.
func (l *learner) onIteration(network *graph.Network) (func(optim.Metrics) error, error) {
	if l.options.Watch != nil {
		return l.watching(network, l.countedOn())
	}
	return l.countedOn(), nil
}

// countedOn returns the callback for iterations, counted over all trainings, with
// errors in the target's unit.
func (l *learner) countedOn() func(optim.Metrics) error {
	if l.options.OnIteration == nil {
		return nil
	}
	before, unit := l.training.Iterations, l.prep.Target.Scaling()
	return func(m optim.Metrics) error {
		m.Iteration += before
		m.Of = max(m.Iteration, l.options.Train.Iterations)
		m.RMSE *= unit
		if m.Validation != nil {
			*m.Validation *= unit
		}
		return l.options.OnIteration(m)
	}
}

// watching returns a callback that measures the network on options.Watch, in the
// target's unit, before it calls the next one, if any.
func (l *learner) watching(network *graph.Network, next func(optim.Metrics) error) (func(optim.Metrics) error, error) {
	measure, err := validator(network, l.prep, l.options.Watch)
	if err != nil {
		return nil, err
	}
	return func(m optim.Metrics) error {
		rmse, err := measure()
		if err != nil {
			return err
		}
		l.watched = append(l.watched, rmse*l.prep.Target.Scaling())
		if next == nil {
			return nil
		}
		return next(m)
	}, nil
}
