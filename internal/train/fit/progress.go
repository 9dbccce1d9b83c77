package fit

import (
	"math"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
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
		m.Batch *= unit
		if m.Validation != nil {
			*m.Validation *= unit
		}
		return report(m)
	}
}

// watching returns a callback that measures the network on the data sets of Job.Watch, in the target's unit, before it calls next.
func watching(f *fitting, next func(optim.Metrics) error) (func(optim.Metrics) error, error) {
	measures := make([]func() (float64, error), len(f.Watch))
	for i, w := range f.Watch {
		var err error
		if measures[i], err = validator(f.network, f.prep, f.loop.Loss, w.Data); err != nil {
			return nil, err
		}
	}
	unit := metricUnit(f.prep, f.loop.Loss)
	return func(m optim.Metrics) (err error) {
		if m.Iteration%max(1, f.WatchEvery) != 0 && m.Iteration != m.Of {
			return next(m)
		}
		m.Watched = map[string]float64{}
		for i, w := range f.Watch {
			var v float64
			if w.Data == f.validation && m.Validation != nil {
				v = *m.Validation
			} else if v, err = measures[i](); err != nil {
				return err
			}
			if v *= unit; numeric.Finite(v) {
				m.Watched[w.Name] = v
			}
		}
		return next(m)
	}, nil
}

// validator returns a function that measures the current metric of the loss of the network
// on a weighed data set, in multiples of metricUnit.
func validator(network *graph.Network, prep model.Preprocessing, l loss.Loss, d *data.Dataset) (func() (float64, error), error) {
	x, err := prep.Scale(prep.Fill(d).X)
	if err != nil {
		return nil, err
	}
	return meter(network, l, optim.Data{X: x, Y: prep.Targets(d), Weight: d.Weights}), nil
}

// meter returns a function that measures the current metric of the loss of the network on scaled samples.
func meter(network *graph.Network, l loss.Loss, d optim.Data) func() (float64, error) {
	of, C := loss.Joint(l, nil), len(d.Y)/len(d.X)
	total := numeric.WeightSum(d.Weight, len(d.X))
	return func() (float64, error) {
		y, _, err := network.Predict(d.X)
		if err != nil {
			return math.NaN(), err
		}
		sum := 0.0
		for n := range d.X {
			sum += float64(numeric.WeightAt(d.Weight, n) * of.Value(y[n*C:(n+1)*C], d.Y[n*C:(n+1)*C]))
		}
		return loss.MetricOf(l, C).Of(sum, total), nil
	}
}

// metricUnit returns the unit of the metric of a loss in that of the target: with the log link the training mean, by which
// targets are divided, else the standard deviation. It is one if the metric has no unit, and with several targets, whose
// errors are in standard deviations.
func metricUnit(prep model.Preprocessing, l loss.Loss) float64 {
	v := prep.Values()[0]
	if !l.Metric().Scaled || v.Scale != 0 {
		return 1
	}
	return v.Factor
}

// measuredRows is the number of training samples at most on which the error of training is measured.
const measuredRows = 2048

// measuredStream separates the samples on which the error of training is measured from the other random streams of the same seed.
const measuredStream = 0x6d65617375726564 // "measured"

// measured returns training samples as the loss sees them, at most measuredRows.
func measured(t *trainer, seed uint64) (some optim.Data) {
	y, weights := t.targets(), t.Recipe.Train.LossWeights(t.data)
	C := len(y) / len(t.x)
	for _, n := range data.Draw(t.data, min(measuredRows, len(t.x)), rand.New(rand.NewPCG(seed, measuredStream))) {
		some.X, some.Y, some.Weight = append(some.X, t.x[n]), append(some.Y, y[n*C:(n+1)*C]...), append(some.Weight, numeric.WeightAt(weights, n))
	}
	return some
}

// measuredEvery returns the number of iterations from one measurement of the error of training to the next, so many that the
// measurements, of which a sample costs a third of one of a batch, take a twentieth of the time.
func measuredEvery(N, B int) int { return max(100, 20*min(measuredRows, N)/(3*B)) }
