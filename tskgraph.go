package tskgraph

import (
	"context"
	"fmt"
	"math"
	"slices"

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
	Start    *rules.Clusters // where the rules were placed, and what the initialiser met; nil after a saved model or a grid, and for a committee
	Training optim.Result    // iterations, skipped samples, why it stopped; the refinements of pruning included
	Race     []RaceScore     // of the settings that Options.Train.Race lists; nil without
	Prune    []PruneRound    // the rounds of pruning

	// Members are the results of a committee's members, in their order; nil for a
	// single model. Training then sums up theirs: the counts are sums, Stopped is
	// the first that is not completed.
	Members []*Result

	// OddGrades says in words where a shape of one's own has grades outside [0, 1]
	// on the training part; empty if it has none.
	OddGrades string

	// Fallbacks counts the least-squares estimates of consequents, of model.consequents:
	// least-squares, that were too ill-conditioned for Cholesky's factor.
	Fallbacks int

	// Watched is the RMSE on Options.Watch after each iteration, in the target's unit,
	// of what the rules give before Model.Margin limits it; nil if there was none to
	// watch.
	Watched []float64
}

// Train learns a TSK model from the training part. A validation part (or nil)
// decides which iteration's parameters are kept, and with Options.Train.Patience
// when to stop; it must have the features of the training part. A part that is not
// valid (see [data.Dataset.Validate]) is a *data.Error. With Options.Train.Members
// above 1 it learns a committee.
//
// With Options.Prune.Rounds, 0.6 of the iterations train all rules; then come the
// rounds of pruning, with equal parts of the rest for the refinements. Each of
// these is a training of its own: the solver starts from zero, the best iteration by the
// validation part is kept at its end, and when patience runs out only this
// training ends, and the next round begins. Result.Training.Best and its
// validation RMSE are of the last of them, counted over all.
//
// With Options.Train.Race, the settings it lists are first trained on 0.8 of the
// training part, several times, and scored on the rest, until they are clearly behind;
// groups and equal samples stay together, and where the part is Ordered each is trained
// on less and less of its beginning and scored on what comes next (see
// [data.Dataset.HoldOut]);
// the best one then trains on all of it. The members of a committee take turns among
// those that came to the end of the race, the best first.
//
// Sample weights count wherever a mean or a sum is taken over samples: in the
// preprocessing, the start of the rules, the loss, validation, the race and pruning, but
// not in Train.Uniform, which is over the samples of a batch.
// Samples of weight zero leave no trace, a sample of weight 2 counts as two, and a common
// factor changes no bit, see [data.Dataset.Weighed].
//
// The same data, options and machine architecture give the same model to the
// bit. When training is interrupted (by ctx), diverges, or a callback fails, the
// error says so and the Result holds the best model up to then; the Result is nil
// only when training could not begin.
//
// Training can be saved while it runs, and go on later: see Options.OnCheckpoint and
// Options.Resume. It ends with the same bits as one that was left alone.
func Train(ctx context.Context, train, validation *data.Dataset, o Options) (*Result, error) {
	if _, err := o.check(train, validation); err != nil {
		return nil, err
	}
	train, validation, err := o.weigh(train, validation)
	if err != nil {
		return nil, err
	}
	s, err := newSaver(train, validation, o)
	if err != nil {
		return nil, err
	}
	s.write()
	var result *Result
	if len(o.Train.Race) > 0 {
		result, err = raced(ctx, train, validation, o, s)
	} else {
		result, err = trainModel(ctx, train, validation, []Options{o}, s)
	}
	if err != nil && ctx.Err() != nil {
		s.write()
	}
	return result, err
}

// trainModel learns a model, or a committee, whose members take turns among the
// options.
func trainModel(ctx context.Context, train, validation *data.Dataset, options []Options, s *saver) (*Result, error) {
	if options[0].Train.Members > 1 {
		return trainCommittee(ctx, train, validation, options, s)
	}
	places, err := s.models(1)
	if err != nil {
		return nil, err
	}
	return trainOne(ctx, train, validation, options[0], places[0])
}

// trainOne learns a single model.
func trainOne(ctx context.Context, train, validation *data.Dataset, o Options, at *place) (*Result, error) {
	chosen, err := o.check(train, validation)
	if err != nil {
		return nil, err
	}
	if o.Model.FromFile() {
		saved, err := model.Load(o.Model.Init)
		if err != nil {
			return nil, err
		}
		l, err := continued(saved, train, validation, o, chosen)
		if err != nil {
			return nil, err
		}
		return l.learn(ctx, at)
	}
	p, err := o.prepare(train)
	if err != nil {
		return nil, err
	}
	return o.trainOn(ctx, p, validation, chosen, at)
}

// trainOn learns a single model from a prepared training part.
func (o Options) trainOn(ctx context.Context, p *prepared, validation *data.Dataset, chosen resolved, at *place) (*Result, error) {
	if at.from != nil && at.from.Start != nil {
		o.Start = at.from.Start
	}
	l, err := begin(p, validation, o, chosen)
	if err != nil {
		return nil, err
	}
	return l.learn(ctx, at)
}

// raced trains a model with the setting that wins the race, or a committee with those
// that came to its end.
func raced(ctx context.Context, train, validation *data.Dataset, o Options, s *saver) (*Result, error) {
	if err := train.Validate(); err != nil {
		return nil, err
	}
	scores, chosen, err := o.race(ctx, train, s)
	if err != nil {
		return nil, err
	}
	result, err := trainModel(ctx, train, validation, chosen, s)
	if result != nil {
		result.Race = scores
	}
	return result, err
}

// begin places the rules on clusters of the training part or, without clusters, on a
// grid.
func begin(p *prepared, validation *data.Dataset, o Options, chosen resolved) (*learner, error) {
	l, err := newLearner(p, validation, o, chosen)
	if err != nil {
		return nil, err
	}
	if chosen.init == grid {
		if o.Start != nil {
			return nil, &OptionError{"model.init", "Options.Start does not go with a grid"}
		}
		l.rules, err = o.onGrid(l.antecedents(), l.train.Weights)
		return l, err
	}
	if _, ok := initialisers[chosen.init]; !ok { // it is SavedModel
		return nil, &OptionError{"model.init", "which saved model? Name its file, or go on with it by Prune"}
	}
	if l.start = o.Start; l.start == nil {
		l.start, err = p.start(o, chosen.init)
	} else {
		err = checkStart(l.start, o.Model.Rules, len(p.prep.Inputs()))
	}
	if err != nil {
		return nil, err
	}
	l.rules = rules.New(o.Model.Membership, l.start)
	if o.Model.SpreadFloor > 0 {
		l.rules.SpreadFloor = o.Model.SpreadFloor
		l.rules.Project()
	}
	return l, nil
}

// checkStart refuses clusters that are not R, or not of M features.
func checkStart(c *rules.Clusters, R, M int) error {
	for _, rows := range [][][]float64{c.Centers, c.Spreads} {
		if len(rows) != R || len(c.Targets) != R || slices.ContainsFunc(rows, func(row []float64) bool { return len(row) != M }) {
			return &OptionError{"model.init", fmt.Sprintf("the clusters of Options.Start are not those of %d rules over %d features", R, M)}
		}
	}
	return nil
}

// weigh returns the training part and the validation part (or nil) with weights as
// learning takes them, and gives Options.Watch such weights.
func (o *Options) weigh(train, validation *data.Dataset) (_, _ *data.Dataset, err error) {
	if train, err = train.Weighed(); err != nil {
		return nil, nil, err
	}
	if validation != nil {
		if validation, err = validation.Weighed(); err != nil {
			return nil, nil, fmt.Errorf("validation part: %w", err)
		}
	}
	if o.Watch != nil {
		if o.Watch, err = o.Watch.Weighed(); err != nil {
			return nil, nil, fmt.Errorf("watched part: %w", err)
		}
	}
	return train, validation, nil
}

// check checks the options, alone and with the data.
func (o Options) check(train, validation *data.Dataset) (resolved, error) {
	if train == nil || train.Len() == 0 {
		return resolved{}, &data.Error{Message: "there is no training part"}
	}
	chosen, err := o.resolve()
	if err == nil && validation == nil && o.Train.Patience > 0 {
		err = &OptionError{"train.patience", "there is no validation part: set data.validation, or patience to 0"}
	}
	return chosen, err
}

// oddGrades describes grades outside [0, 1] on scaled samples. Built-in shapes
// have none.
func oddGrades(m *model.Model, x [][]float64) string {
	if _, written := membership.AsFormula(m.RuleBase.Shape); !written {
		return ""
	}
	odd, count := m.RuleBase.OddGrades(x)
	if count == 0 {
		return ""
	}
	f := m.Inputs()[odd.Feature]
	return fmt.Sprintf("%d grades of %s lie outside 0 to 1, such as %.4g in rule %d at %s = %.6g",
		count, m.RuleBase.Shape.Name(), odd.Grade, odd.Rule+1, f.Name, f.Unscaled(odd.X))
}

// validator returns a function that measures the network's present RMSE on a data set
// that is weighed, in the rules' unit, see [model.Target.Scaling].
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

// Load reads a saved model: a file, or the directory of a run.
func Load(path string) (*model.Model, error) { return model.Load(path) }
