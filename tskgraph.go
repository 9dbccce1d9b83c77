package tskgraph

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// Result is a trained model and what happened on the way.
type Result struct {
	Model    *model.Model
	Start    *rules.Clusters // where the rules were placed, and what the initialiser met; nil for a committee
	Training optim.Result    // iterations, skipped samples, why it stopped

	// Members are the results of a committee's members, in their order; nil for a
	// single model. Training then sums up theirs: the counts are sums, Stopped is
	// the first that is not completed.
	Members []*Result

	// OddGrades says in words where a shape of one's own has grades outside [0, 1]
	// on the training part; empty if it has none.
	OddGrades string
}

// Train learns a TSK model from the training part. A validation part (or nil)
// decides which iteration's parameters are kept, and with Options.Train.Patience
// when to stop. With Options.Train.Members above 1 it learns a committee.
//
// The same data, options and machine architecture give the same model to the
// bit. When training is interrupted (by ctx), diverges, or a callback fails, the
// error says so and the Result holds the best model up to then; the Result is nil
// only when training could not begin.
func Train(ctx context.Context, train, validation *data.Dataset, o Options) (*Result, error) {
	if train == nil || train.Len() == 0 {
		return nil, &data.Error{Message: "there is no training part"}
	}
	if o.Train.Members > 1 {
		return trainCommittee(ctx, train, validation, o)
	}
	return trainOne(ctx, train, validation, o)
}

// trainOne learns a single model.
func trainOne(ctx context.Context, train, validation *data.Dataset, o Options) (*Result, error) {
	chosen, err := o.resolve()
	if err != nil {
		return nil, err
	}
	if validation == nil && o.Train.Patience > 0 {
		return nil, &OptionError{"train.patience", "there is no validation part: set data.validation, or patience to 0"}
	}
	prep, err := model.Fit(train)
	if err != nil {
		return nil, err
	}
	x, err := prep.Scale(train.X)
	if err != nil {
		return nil, err
	}
	y := prep.Center(train.Y)

	start, err := initialisers[chosen.init](x, y, o.Model.Rules, rand.New(rand.NewPCG(o.Train.Seed, initStream)))
	if err != nil {
		return nil, err
	}
	sampler, err := optim.NewSampler(optim.Data{X: x, Y: y, Weight: train.Weights}, o.Train.Batch, o.Model.Rules, o.Train.DropRule, o.Train.Seed)
	if err != nil {
		return nil, err
	}
	network, err := graph.New(rules.New(o.Model.Membership, start), graph.Options{Engine: o.Model.Engine, Batch: sampler.Batch(), Lambda: o.Train.L2})
	if err != nil {
		return nil, err
	}
	defer network.Close()

	loop := optim.Options{Iterations: o.Train.Iterations, OnIteration: o.OnIteration}
	if validation != nil {
		if loop.Validate, err = validator(network, prep, validation); err != nil {
			return nil, err
		}
		loop.ValidateEvery, loop.Patience = o.Train.ValidateEvery, o.Train.Patience
	}
	training, trainErr := optim.Train(ctx, network, chosen.solver, sampler, loop)
	if training.Stopped == "" {
		return nil, trainErr
	}
	m, err := model.New(prep, network.RuleBase(), train.X, model.Training{
		Samples: train.Len(), Iterations: training.Best, Seed: o.Train.Seed, Engine: network.Engine(),
		Options: o.facts(chosen), Versions: versions(), Metrics: map[string]float64{},
	})
	if err != nil {
		return nil, err
	}
	if err := noteErrors(m, train, validation); err != nil {
		return nil, err
	}
	return &Result{Model: m, Start: start, Training: training, OddGrades: oddGrades(m, x)}, trainErr
}

// noteErrors writes the RMSE on the training part, and on the validation part if
// there is one, into the model.
func noteErrors(m *model.Model, train, validation *data.Dataset) error {
	for part, d := range map[string]*data.Dataset{"train": train, "validation": validation} {
		if d == nil {
			continue
		}
		e, err := m.Evaluate(d)
		if err != nil {
			return err
		}
		m.Training.Metrics["rmse_"+part] = e.RMSE
	}
	return nil
}

// oddGrades describes grades outside [0, 1] on scaled samples. Built-in shapes
// have none.
func oddGrades(m *model.Model, x [][]float64) string {
	if _, written := membership.Written(m.RuleBase.Shape); !written {
		return ""
	}
	odd, count := m.RuleBase.OddGrades(x)
	if count == 0 {
		return ""
	}
	f := m.Used()[odd.Feature]
	return fmt.Sprintf("%d grades of %s lie outside 0 to 1, such as %.4g in rule %d at %s = %.6g",
		count, m.RuleBase.Shape.Name(), odd.Grade, odd.Rule+1, f.Name, f.Mean+f.SD*odd.X)
}

// initStream separates the initialiser's random stream from the others drawn
// from the same seed.
const initStream = 0x696e6974 // "init"

// validator returns a function that measures the network's present RMSE on the
// validation part.
func validator(network *graph.Network, prep model.Preprocessing, d *data.Dataset) (func() (float64, error), error) {
	x, err := prep.Scale(d.X)
	if err != nil {
		return nil, err
	}
	y := prep.Center(d.Y)
	return func() (float64, error) {
		predicted, _, err := network.Predict(x)
		if err != nil {
			return math.NaN(), err
		}
		return model.Measure(predicted, y).RMSE, nil
	}, nil
}

// Load reads a saved model.
func Load(path string) (*model.Model, error) { return model.Load(path) }
