package tskgraph

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/lse"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// learner trains a rulebase, once or again and again, on one training part.
type learner struct {
	*prepared
	options    Options
	chosen     resolved
	validation *data.Dataset // may be nil
	start      *rules.Clusters
	stream     *rand.PCG
	seeds      *rand.Rand // from stream, of every training after the first

	place  *place       // receives the state of the training
	stage  int          // stages finished
	before *standing    // before the present stage
	from   *fitStanding // where the next fit goes on; nil: it begins

	rules    *rules.RuleBase // as it is now
	engine   string
	training optim.Result // all trainings together
	rounds   []PruneRound
	watched  []float64 // RMSE on options.Watch after each iteration

	fallbacks int // of least squares
}

func newLearner(p *prepared, validation *data.Dataset, o Options, chosen resolved) (*learner, error) {
	if validation != nil {
		if err := p.prep.CheckFeatures(validation); err != nil {
			return nil, fmt.Errorf("validation part: %w", err)
		}
	}
	stream := rand.NewPCG(o.Train.Seed, refinementStream)
	return &learner{
		prepared: p, options: o, chosen: chosen, validation: validation, engine: chosen.engine,
		stream: stream, seeds: rand.New(stream),
	}, nil
}

// check refuses rules that cannot be trained on the samples as the options say.
func (l *learner) check() error {
	if l.options.Model.Consequents == leastSquaresConsequents {
		if err := lse.CheckSize(len(l.x), l.rules.Rules(), l.rules.Features()); err != nil {
			return &OptionError{"model.consequents", fmt.Sprintf("%v: choose gradient, or take fewer rules or features (model.rules, data.pca)", err)}
		}
	}
	return l.checkCover()
}

// checkCover refuses rules of which none fires for any training sample: nothing could
// be learned, and every prediction would be the mean.
func (l *learner) checkCover() error {
	if l.rules.Covers(l.antecedents()) {
		return nil
	}
	return &OptionError{"model.membership", fmt.Sprintf("no rule fires for any of the %d training samples: over %d inputs, the product of %s grades is below %v. "+
		"Choose gaussian or another shape that is positive everywhere (docs/shapes.md), fewer features (data.ignore, data.pca), or another model.init",
		len(l.x), l.rules.Features(), l.rules.Shape.Name(), rules.MinFiring)}
}

// refinementStream separates the seeds of refinements from the other random
// streams of the same seed.
const refinementStream = 0x726566696e65 // "refine"

// learn trains the rulebase, prunes it if that was asked for, and reports.
func (l *learner) learn(ctx context.Context, at *place) (*Result, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	stages := l.options.Prune.stages(l.options.Train.Iterations)
	l.place = at
	if at.from != nil {
		if err := l.goOn(at.from, len(stages)); err != nil {
			return nil, err
		}
	}
	var err error
	for l.stage < len(stages) && err == nil {
		err = l.next(ctx, stages[l.stage])
	}
	return l.result(err)
}

// next makes the next stage: the first training, then the rounds of pruning.
func (l *learner) next(ctx context.Context, iterations int) error {
	l.before = l.standing()
	var err error
	if l.stage == 0 {
		err = l.fit(ctx, iterations, l.options.Train.Seed)
	} else {
		err = l.prune(ctx, iterations)
	}
	if err != nil {
		return err
	}
	l.stage++
	l.place.put(l.standing(), true)
	return nil
}

// model joins the rulebase to its preprocessing and measures it.
func (l *learner) model() (*model.Model, error) {
	m, err := model.New(l.prep, l.rules, l.train.X, l.train.Weights, model.Training{
		Samples: l.train.Len(), Iterations: l.training.Best, Seed: l.options.Train.Seed, Engine: l.engine,
		Options: l.options.facts(l.chosen), Versions: versions(), Metrics: map[string]float64{},
	})
	if err != nil {
		return nil, err
	}
	return m, noteErrors(m, l.train, l.validation)
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

// result reports on a training that began, and passes on the error that ended it.
func (l *learner) result(trainErr error) (*Result, error) {
	if l.training.Stopped == "" {
		return nil, trainErr
	}
	m, err := l.model()
	if err != nil {
		return nil, err
	}
	return &Result{Model: m, Start: l.start, Training: l.training, Prune: l.rounds, OddGrades: oddGrades(m, l.x), Watched: l.watched, Fallbacks: l.fallbacks}, trainErr
}
