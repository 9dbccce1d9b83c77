package fit

import (
	"context"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// PathStep is one model on a pruning path.
type PathStep struct {
	Rules          int      `json:"rules"`
	Metric         string   `json:"metric"` // name of the criterion whose figures the losses are, see [model.Criterion]
	LossTrain      float64  `json:"loss_train"`
	LossValidation *float64 `json:"loss_validation,omitempty"` // nil without a validation part
	StandardError  *float64 `json:"standard_error,omitempty"`  // of LossValidation
	// on the validation part, or else on the training part; nil if not finite, see [model.Readability]
	Fidelity *float64     `json:"fidelity,omitempty"`
	Decision string       `json:"decision,omitempty"` // which rule was removed or merged, and why; empty for the first
	Model    *model.Model `json:"-"`
}

// loss returns the figure by which steps are compared.
func (s PathStep) loss() float64 {
	if s.LossValidation != nil {
		return *s.LossValidation
	}
	return s.LossTrain
}

// Path is a sequence of models with decreasing numbers of rules; the first is the original
// model.
type Path struct {
	Steps    []PathStep
	Training optim.Result // of all refinements together
}

// PrunePath removes one rule after the other from a saved model, by [rules.PruneOne], until
// least are left, or only rules that are kept. After each, it refines the rest on the weighed training part for
// Train.Iterations updates and measures them. It ignores Job.Test.
//
// If a refinement is interrupted (by ctx), diverges, or a callback fails, PrunePath returns
// the error and the path up to the step before.
func PrunePath(ctx context.Context, m *model.Model, train, validation *data.Dataset, j Job, least int) (*Path, error) {
	t, err := newRefiner(ctx, m, train, validation, j)
	if err != nil {
		return nil, err
	}
	if least < 1 || least > m.RuleBase.Rules() {
		return nil, &recipe.Error{Key: "rules", Message: fmt.Sprintf("%d: the path runs from the model's %d rules down to 1", least,
			m.RuleBase.Rules())}
	}
	first, err := stepOf(ctx, m, t.data, validation, "")
	if err != nil {
		return nil, err
	}
	path := &Path{Steps: []PathStep{first}, Training: optim.Result{Stopped: optim.StoppedCompleted}}
	for t.rules.Rules() > least {
		pruned, account, err := rules.PruneOne(ctx, t.rules, t.x, t.y, t.data.Weights, t.loss())
		if err != nil {
			path.Training.Stopped = optim.StoppedInterrupted
			return path, err
		}
		if account.After == account.Before {
			break
		}
		_, err = t.refine(ctx, pruned, j.Recipe.Train.Iterations)
		path.Training = t.made.Training
		if err != nil {
			return path, err
		}
		m, err := modelOf(ctx, t)
		if err != nil {
			return path, err
		}
		next, err := stepOf(ctx, m, t.data, validation, account.Decisions()[0])
		if err != nil {
			return path, err
		}
		path.Steps = append(path.Steps, next)
	}
	return path, nil
}

// stepOf measures a model and returns its step. Once ctx has ended, it measures [Some] of the samples.
func stepOf(ctx context.Context, m *model.Model, train, validation *data.Dataset, decision string) (PathStep, error) {
	s, err := measuredStep(ctx, m, train, validation, decision)
	if err == nil || ctx.Err() == nil {
		return s, err
	}
	if validation != nil {
		validation = Some(validation, m)
	}
	return measuredStep(context.WithoutCancel(ctx), m, Some(train, m), validation, decision)
}

// measuredStep measures a model and returns its step.
func measuredStep(ctx context.Context, m *model.Model, train, validation *data.Dataset, decision string) (PathStep, error) {
	s := PathStep{Rules: m.RuleBase.Rules(), Decision: decision, Model: m, Metric: m.Criterion().Name}
	e, err := m.EvaluateTraining(ctx, train.WithoutWhole())
	if err != nil {
		return s, err
	}
	s.LossTrain = e.Loss
	held := validation
	if held == nil {
		held = train
	}
	readability, err := model.MeasureReadability(ctx, m, held, nil)
	if s.Fidelity = readability.Fidelity; err != nil || validation == nil {
		return s, err
	}
	p, err := m.Predict(validation.X)
	if err != nil {
		return s, err
	}
	figure := m.Measure(p, validation).Loss
	se := standardError(m, p, validation, figure)
	s.LossValidation, s.StandardError = &figure, &se
	return s, nil
}

// standardError returns the standard error of the figure of the criterion over independent
// samples: that of the mean loss (standard deviation of the losses, divisor n-1, over the
// square root of n); of an RMSE, by the delta method, that of the mean squared error divided
// by twice the RMSE. It is zero for a single sample and if the figure is zero. With weights,
// the deviation is that of the weighted losses, times n over the sum of the weights.
func standardError(m *model.Model, p model.Predictions, d *data.Dataset, figure float64) float64 {
	n, total := float64(d.Len()), numeric.WeightSum(d.Weights, d.Len())
	if n < 2 || figure == 0 {
		return 0
	}
	losses := model.Losses(m, p, d, figure) // in the unit figure, so that no square overflows
	mean := numeric.WeightedMean(losses, d.Weights)
	sum := 0.0
	for i, l := range losses {
		of := numeric.WeightAt(d.Weights, i) * (l/mean - 1)
		sum += float64(of * of)
	}
	se := figure * (n / total) * math.Sqrt(sum/(n-1)/n)
	if m.Criterion().Root() {
		return se / 2
	}
	return se
}

// Best returns the step with the lowest validation loss or, without a validation part, the
// lowest training loss; of equals, the one with fewer rules.
func (p *Path) Best() PathStep {
	best := p.Steps[0]
	for _, s := range p.Steps[1:] {
		if s.loss() <= best.loss() {
			best = s
		}
	}
	return best
}

// OneSE returns the step with the fewest rules whose validation loss is at most one
// standard error above the best. Without a validation part it returns a *[recipe.Error].
func (p *Path) OneSE() (PathStep, error) {
	best := p.Best()
	if best.LossValidation == nil {
		return PathStep{}, &recipe.Error{Key: "one-se", Message: "the standard error needs a validation part"}
	}
	chosen := best
	for _, s := range p.Steps {
		if s.loss() <= best.loss()+*best.StandardError && s.Rules < chosen.Rules {
			chosen = s
		}
	}
	return chosen, nil
}

// Prune prunes a saved model and refines it on the weighed training part: Prune.Rounds
// rounds, each followed by Train.Iterations updates. The saved model does not change.
func Prune(ctx context.Context, m *model.Model, train, validation *data.Dataset, j Job) (*Result, error) {
	if j.Recipe.Prune.Rounds < 1 {
		return nil, &recipe.Error{Key: "prune.rounds", Message: fmt.Sprintf("%d: want at least one round", j.Recipe.Prune.Rounds)}
	}
	t, err := newRefiner(ctx, m, train, validation, j)
	if err != nil {
		return nil, err
	}
	for range j.Recipe.Prune.Rounds {
		if err = t.prune(ctx, j.Recipe.Train.Iterations); err != nil {
			break
		}
	}
	return t.result(ctx, err)
}

// newRefiner returns a trainer that continues from a model, which is no page.
func newRefiner(ctx context.Context, m *model.Model, train, validation *data.Dataset, j Job) (*trainer, error) {
	if err := m.Validate(); err != nil {
		return nil, &recipe.Error{Key: "model.init", Message: err.Error()}
	}
	if m.Pages != nil {
		return nil, &recipe.Error{Key: "model.page", Message: "the rules of a page exclude each other: a row whose rule is removed has none: " +
			"train a page of fewer numbers instead, as prune --page 40 does"}
	}
	j.Recipe.Model.Init = recipe.SavedModel
	var err error
	if j.Recipe, err = j.Recipe.Resolve(); err == nil {
		err = Check(j.Recipe, train, validation)
	}
	if err != nil {
		return nil, err
	}
	t, err := fromModel(ctx, m, train, validation, j)
	if err != nil {
		return nil, err
	}
	return t, t.check()
}
