package fit

import (
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// counted returns a callback that passes metrics to report, with iterations counted from
// before out of all, and errors in the target's unit; nil if report is nil.
func counted(report func(optim.Metrics) error, before, all int, unit float64) func(optim.Metrics) error {
	if report == nil {
		return nil
	}
	return func(m optim.Metrics) error {
		m.Iteration += before
		m.Of = max(m.Iteration, all)
		m.RMSE *= unit
		if m.Validation != nil {
			*m.Validation *= unit
		}
		return report(m)
	}
}

// watching returns a callback that appends the network's RMSE on a data set, in the
// target's unit, to watched, and then calls next unless it is nil.
func watching(network *graph.Network, prep model.Preprocessing, d *data.Dataset, watched *[]float64, next func(optim.Metrics) error) (func(optim.Metrics) error, error) {
	measure, err := validator(network, prep, d)
	if err != nil {
		return nil, err
	}
	return func(m optim.Metrics) error {
		rmse, err := measure()
		if err != nil {
			return err
		}
		*watched = append(*watched, rmse*prep.Target.Scaling())
		if next == nil {
			return nil
		}
		return next(m)
	}, nil
}

// validator returns a function that measures the network's current RMSE on a weighed data
// set, in the unit of the rules' output, see [model.Target.Scaling].
func validator(network *graph.Network, prep model.Preprocessing, d *data.Dataset) (func() (float64, error), error) {
	x, err := prep.Scale(prep.Fill(d).X)
	if err != nil {
		return nil, err
	}
	y := prep.Center(d.Y)
	return func() (float64, error) {
		predicted, _, err := network.Predict(x)
		if err != nil {
			return math.NaN(), err
		}
		return model.Measure(predicted, y, d.Weights).RMSE, nil
	}, nil
}
