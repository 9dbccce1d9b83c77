package tskgraph

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/graph"
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

	place  *place       // where it leaves word of where it stands
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

// fit trains the rulebase for a number of iterations, with a solver that starts
// anew, and keeps the best by the validation part. However training ended, the
// rulebase is sound.
//
// With Model.Antecedents, rules are shortened on the way; there the solver starts
// anew too, while its pace goes on.
func (l *learner) fit(ctx context.Context, iterations int, seed uint64) error {
	o := l.options.Train
	B := min(o.Batch, len(l.x))
	if B == 0 {
		B = len(l.x)
	}
	sampler, err := optim.NewSampler(optim.Data{X: l.x, Y: l.y, Weight: o.weights(l.train.Weights, len(l.x), B)}, B, l.rules.Rules(), o.DropRule, seed)
	if err != nil {
		return err
	}
	from := l.from
	l.from = nil
	network, err := l.network(from, graph.Options{
		Engine: l.options.Model.Engine, Batch: B, TwoParts: len(l.x[0]) > l.rules.Features(),
		Penalty:    rules.Penalty{Lambda: o.L2, ToMean: o.Shrink == "mean", Uniform: o.Uniform},
		LogSpreads: o.LogSpreads, Constant: l.options.Model.Order == 0,
	})
	if err != nil {
		return err
	}
	defer network.Close()
	var leastSquares *hybrid
	if l.options.Model.Consequents == leastSquaresConsequents {
		leastSquares = newHybrid(network, lse.New(l.x, l.y, l.train.Weights, l.rules.Rules(), o.L2))
	}
	loop := optim.Options{}
	if l.validation != nil {
		if loop.Validate, err = validator(network, l.prep, l.validation); err != nil {
			return err
		}
		loop.ValidateEvery, loop.Patience = o.ValidateEvery, o.Patience
	}
	made := 0
	if from != nil {
		l.training, l.fallbacks = from.Training, from.Fallbacks
		if leastSquares != nil {
			leastSquares.estimator.Fallbacks = from.Estimates
		}
	}
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
		solver, err := o.solver(l.chosen.solverUsed, made, iterations)
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
