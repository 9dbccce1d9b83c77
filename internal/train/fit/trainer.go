package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/lse"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// trainer trains a rulebase, once or several times, on one training set.
type trainer struct {
	*TrainingSet
	Job                      // with a resolved recipe
	validation *data.Dataset // may be nil
	stream     *rand.PCG
	seeds      *rand.Rand // from stream, of every training after the first

	stage  int                  // stages finished
	before *checkpoint.State    // before the current stage
	from   *checkpoint.FitState // state from which the next fit resumes; nil: none

	rules *rules.RuleBase // current
	made  Result          // so far: all trainings together, and the rounds of pruning
}

// refinementStream separates the seeds of refinements from the other random streams of
// the same seed.
const refinementStream = 0x726566696e65 // "refine"

func newTrainer(set *TrainingSet, validation *data.Dataset, j Job) (*trainer, error) {
	if validation != nil {
		if err := set.prep.CheckFeatures(validation); err != nil {
			return nil, fmt.Errorf("validation part: %w", err)
		}
	}
	stream := rand.NewPCG(j.Recipe.Train.Seed, refinementStream)
	return &trainer{TrainingSet: set, Job: j, validation: validation, stream: stream, seeds: rand.New(stream)}, nil
}

// train runs the stages, the first training and the rounds of pruning, from the state of
// the slot if there is one, and returns the result.
func (t *trainer) train(ctx context.Context) (*Result, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	stages := t.Recipe.Prune.Stages(t.Recipe.Train.Iterations)
	if t.Slot != nil && t.Slot.From != nil {
		if err := t.restore(t.Slot.From, len(stages)); err != nil {
			return nil, err
		}
	}
	var err error
	for t.stage < len(stages) && err == nil {
		t.before = t.state()
		if t.stage == 0 {
			err = t.fit(ctx, stages[0], t.Recipe.Train.Seed)
		} else {
			err = t.prune(ctx, stages[t.stage])
		}
		if err == nil {
			t.stage++
			t.Slot.Put(t.state(), true)
		}
	}
	if t.Recipe.Prune.Idle && err == nil {
		err = t.removeIdle(ctx)
	}
	return t.result(ctx, err)
}

// removeIdle removes the rules that are strongest for no row of the training part, unless the others have more conditions on average than
// the recipe allows.
func (t *trainer) removeIdle(ctx context.Context) error {
	busy, err := rules.WithoutIdle(ctx, t.rules, t.x)
	if err != nil {
		return err
	}
	if most := t.Recipe.Model.Antecedents; most == 0 || busy.Length(t.prep.Categories()) <= most {
		t.made.Idle = t.rules.Rules() - busy.Rules()
		t.rules = busy
	}
	return nil
}

// check checks that the rules can be trained on the samples with the recipe.
func (t *trainer) check() error {
	if t.Recipe.Model.Consequents == recipe.LeastSquares {
		if err := lse.CheckSize(len(t.x), t.rules.Rules(), t.rules.Features()); err != nil {
			return &recipe.Error{Key: "model.consequents", With: []string{"model.rules", "data.pca"},
				Message: fmt.Sprintf("%v: choose gradient, or take fewer rules or features (model.rules, data.pca)", err)}
		}
	}
	if r := slices.IndexFunc(t.rules.Keep, func(k rules.Keep) bool { return k&rules.KeepThen != 0 }); r >= 0 && t.Recipe.Train.BatchNorm {
		return &recipe.Error{Key: "train.batch_norm",
			Message: fmt.Sprintf("the normalisation changes THEN parts, but that of rule %d is kept: set it to false", r+1)}
	}
	if err := t.checkKept(); err != nil {
		return err
	}
	if t.rules.Covers(t.antecedents()) {
		return nil
	}
	// Without a rule that fires, every gradient is zero and every prediction the mean.
	if t.rules.TNorm != nil {
		return &recipe.Error{Key: "model.tnorm", With: []string{"model.membership"},
			Message: fmt.Sprintf("no rule fires for any of the %d training samples: over %d inputs, the firing level by %s (model.tnorm) of %s "+
				"grades is zero. "+
				"Choose product or minimum, fewer features (data.ignore, data.pca), or another model.init",
				len(t.x), t.rules.Features(), t.rules.TNorm.Name(), t.rules.Shape.Name())}
	}
	return &recipe.Error{Key: "model.membership",
		Message: fmt.Sprintf("no rule fires for any of the %d training samples: over %d inputs, the product of %s grades is below %v. "+
			"Choose gaussian or another shape that is positive everywhere (docs/shapes.md), fewer features (data.ignore, data.pca), or another "+
			"model.init",
			len(t.x), t.rules.Features(), t.rules.Shape.Name(), rules.MinFiring)}
}

// checkKept checks that rules keep or share no more conditions and terms than the recipe allows.
func (t *trainer) checkKept() error {
	conditions, terms := rules.Lasting(t.rules, t.prep.Categories())
	R, m := float64(t.rules.Rules()), t.Recipe.Model
	switch {
	case m.Antecedents > 0 && float64(conditions) > m.Antecedents*R:
		return &recipe.Error{Key: "model.antecedents", With: []string{"model.init"},
			Message: fmt.Sprintf("%v: the %d rules keep or share %d conditions, more on average: keep fewer, or set it to 0", m.Antecedents,
				t.rules.Rules(), conditions)}
	case m.Terms > 0 && float64(terms) > m.Terms*R*float64(t.rules.OutputCount()):
		return &recipe.Error{Key: "model.terms", With: []string{"model.init"},
			Message: fmt.Sprintf("%v: the %d rules keep %d terms, more on average: keep fewer, or set it to 0", m.Terms, t.rules.Rules(), terms)}
	}
	return nil
}

// loss returns the loss that training minimises.
func (t *trainer) loss() loss.Loss { return t.Recipe.Train.LossFunction(len(t.data.Schema.Classes)) }

// targets returns the targets [N,C] that the loss compares the outputs with.
func (t *trainer) targets() []float64 {
	y := slices.Clone(t.y)
	t.Recipe.Train.Smooth(y, len(t.data.Schema.Classes))
	return y
}

// samples returns the training set as the loss sees it, for batches of B samples.
func (t *trainer) samples(B int) optim.Data {
	return optim.Data{X: t.x, Y: t.targets(), Weight: lossWeights(t.Recipe.Train, t.Recipe.Train.LossWeights(t.data), len(t.x), B)}
}

// fit trains the current rules for a number of iterations.
func (t *trainer) fit(ctx context.Context, iterations int, seed uint64) error {
	from := t.from
	t.from = nil
	f, err := newFitting(ctx, t, iterations, seed, from)
	if err != nil {
		return err
	}
	defer f.network.Close()
	return f.run(ctx, from)
}

// prune runs one round of Algorithm 2 and refines the remaining rules.
func (t *trainer) prune(ctx context.Context, iterations int) error {
	before, err := t.measured(ctx)
	if err != nil {
		return err
	}
	pruned, account, err := rules.Prune(ctx, t.rules, t.x, t.data.Weights, t.Recipe.Prune.Gamma, t.Recipe.Prune.Theta)
	if err != nil {
		t.made.Training.Stopped = optim.StoppedInterrupted // the rules are those before
		return err
	}
	refinement, refineErr := t.refine(ctx, pruned, iterations)
	after, err := t.measure(ctx)
	criterion, unknown := model.CriterionOf(t.Recipe.Train.Loss, t.prep.Schema)
	t.made.Prune = append(t.made.Prune, checkpoint.Round{
		Pruning: account, RemovedByFiring: len(account.Removed), RemovedBySimilarity: len(account.Merged),
		Account: account.Decisions(), Refinement: refinement, LossBefore: before, LossAfter: after,
		Metric: criterion.Name,
	})
	return errors.Join(refineErr, err, unknown)
}

// refine trains the rules rb and returns the result of this training only.
func (t *trainer) refine(ctx context.Context, rb *rules.RuleBase, iterations int) (optim.Result, error) {
	before := t.made.Training
	t.rules = rb
	if iterations == 0 { // a share of few iterations can round to zero
		return optim.Result{Stopped: optim.StoppedCompleted}, nil
	}
	err := t.fit(ctx, iterations, t.seeds.Uint64())
	done := t.made.Training
	done.Iterations -= before.Iterations
	done.Best -= before.Iterations
	done.Skipped -= before.Skipped
	return done, err
}

// measured returns the figures before a round: those after the previous one, if any.
func (t *trainer) measured(ctx context.Context) (checkpoint.RoundLoss, error) {
	if n := len(t.made.Prune); n > 0 {
		return t.made.Prune[n-1].LossAfter, nil
	}
	return t.measure(ctx)
}

// measure returns the figures of the criterion for the current rules.
func (t *trainer) measure(ctx context.Context) (r checkpoint.RoundLoss, err error) {
	m := model.Model{Preprocessing: t.prep, RuleBase: t.rules, Training: model.Training{Options: t.Recipe.Values()}}
	figure := func(part *data.Dataset) (*float64, error) {
		if part == nil {
			return nil, nil
		}
		e, err := evaluated(ctx, &m, m.Evaluate, part)
		return &e.Loss, err
	}
	if r.Validation, err = figure(t.validation); err == nil {
		r.Test, err = figure(t.Test)
	}
	return r, err
}

// result returns the result of a training that started, with the error that ended it.
func (t *trainer) result(ctx context.Context, trainErr error) (*Result, error) {
	if t.made.Training.Stopped == "" {
		return nil, trainErr
	}
	m, err := modelOf(ctx, t)
	if m == nil {
		return nil, err
	}
	r := t.made
	r.Model, r.Start, r.OddGrades = m, t.Start, oddGrades(m, t.x)
	return &r, cmp.Or(trainErr, err)
}

// state returns the run state between two stages.
func (t *trainer) state() *checkpoint.State {
	seeds, _ := t.stream.MarshalBinary() // does not fail for a PCG
	return &checkpoint.State{
		Start: t.Start, Stage: t.stage, Rules: checkpoint.RulesOf(t.rules), Seeds: seeds,
		Training: t.made.Training, Rounds: slices.Clone(t.made.Prune), Fallbacks: t.made.Fallbacks,
	}
}

// during returns the run state within a stage.
func (t *trainer) during(f *checkpoint.FitState) *checkpoint.State {
	s := *t.before
	s.Fit = f
	return &s
}

// restore sets a new trainer with the given number of stages to a run state.
func (t *trainer) restore(s *checkpoint.State, stages int) error {
	if err := t.accepts(s, stages); err != nil {
		return fmt.Errorf("%w: %w", checkpoint.ErrCheckpoint, err)
	}
	rb, err := t.restored(s.Rules.Parameters)
	if err != nil {
		return err
	}
	rb.SpreadFloor, rb.MergeWeights, rb.Tie, rb.Splits = s.Rules.SpreadFloor, s.Rules.MergeWeights, s.Rules.Tie, s.Rules.Splits
	rb.Keep, rb.Without = s.Rules.Keep, s.Rules.Without
	if err := rb.Validate(); err != nil {
		return fmt.Errorf("%w: %w", checkpoint.ErrCheckpoint, err)
	}
	if err := t.stream.UnmarshalBinary(s.Seeds); err != nil {
		return fmt.Errorf("%w: seeds: %w", checkpoint.ErrCheckpoint, err)
	}
	t.rules, t.stage, t.from = rb, s.Stage, s.Fit
	t.made.Training, t.made.Prune, t.made.Fallbacks = s.Training, slices.Clone(s.Rounds), s.Fallbacks
	return nil
}

// accepts checks that s can be a state of this training.
func (t *trainer) accepts(s *checkpoint.State, stages int) error {
	switch rounds := max(0, s.Stage-1); {
	case s.Stage < 0 || s.Stage > stages || s.Fit != nil && s.Stage == stages:
		return fmt.Errorf("stage %d of %d", s.Stage, stages)
	case (s.Training.Stopped != "") != (s.Stage > 0):
		return fmt.Errorf("training %q at stage %d", s.Training.Stopped, s.Stage)
	case len(s.Rounds) != rounds:
		return fmt.Errorf("%d rounds of pruning at stage %d", len(s.Rounds), s.Stage)
	case (s.Start == nil) != (t.Start == nil):
		return fmt.Errorf("clusters that the rules started from: %t, in a training that has them: %t", s.Start != nil, t.Start != nil)
	}
	results := []optim.Result{s.Training}
	if f := s.Fit; f != nil {
		results = append(results, f.Training)
		if f.Part < 0 || f.Part >= len(parts(t.Recipe.Model, 0)) || f.Fallbacks < 0 || f.Estimates < 0 {
			return fmt.Errorf("part %d, %d and %d fallbacks", f.Part, f.Fallbacks, f.Estimates)
		}
	}
	for _, r := range results {
		if !slices.Contains([]string{"", optim.StoppedCompleted, optim.StoppedPatience}, r.Stopped) ||
			r.Iterations < 0 || r.Best < 0 || r.Best > r.Iterations || r.Skipped < 0 || math.IsInf(r.BestValidation, 0) {
			return fmt.Errorf("training: %+v", r)
		}
	}
	return nil
}

// restored returns the current rules with other parameters.
func (t *trainer) restored(p rules.Parameters) (*rules.RuleBase, error) {
	rb := *t.rules
	if rb.Parameters = p; rb.Features() != t.rules.Features() {
		return nil, fmt.Errorf("%w: rules over %d features instead of %d", checkpoint.ErrCheckpoint, rb.Features(), t.rules.Features())
	}
	return &rb, nil
}
