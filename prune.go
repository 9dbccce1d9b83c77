package tskgraph

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// PruneOptions are the `prune:` section of config.yaml: rounds of the paper's
// Algorithm 2, each followed by a refinement.
type PruneOptions struct {
	Rounds int     // 0: none. The paper's T = 3 is two rounds
	Gamma  float64 // rules whose firing level is below gamma times the median are removed; 0: none
	Theta  float64 // rules more similar than theta, in [0, 1], are merged; 1: none
}

// PruneRound is one round of pruning and the refinement after it.
type PruneRound struct {
	rules.Pruning
	RemovedByFiring     int          `json:"removed_by_firing"`
	RemovedBySimilarity int          `json:"removed_by_similarity"` // merged into another
	Account             []string     `json:"account"`               // each decision in words
	Refinement          optim.Result `json:"refinement"`            // iterations are counted from its start
	RMSEBefore          RoundRMSE    `json:"rmse_before"`
	RMSEAfter           RoundRMSE    `json:"rmse_after"` // of the refined rules
}

// RoundRMSE is the RMSE of the rules before or after a round of pruning, in the target's
// unit; nil for a part that there is not.
type RoundRMSE struct {
	Validation *float64 `json:"validation,omitempty"`
	Test       *float64 `json:"test,omitempty"` // on Options.Test
}

// Prune prunes a saved model and refines it on the training part: Rounds rounds,
// each followed by Train.Iterations updates. A validation part (or nil) decides
// which iteration's parameters each refinement keeps. Start from [OptionsOf]. The
// rules, their shape, the preprocessing and the spread floor are the model's;
// Model.Init plays no part.
//
// The model is left as it is. What is said of errors at [Train] holds here too.
func Prune(ctx context.Context, m *model.Model, train, validation *data.Dataset, o Options) (*Result, error) {
	if o.Prune.Rounds < 1 {
		return nil, &OptionError{"prune.rounds", fmt.Sprintf("%d: at least one round is needed", o.Prune.Rounds)}
	}
	l, err := newRefiner(m, train, validation, o)
	if err != nil {
		return nil, err
	}
	for range o.Prune.Rounds {
		if err = l.prune(ctx, o.Train.Iterations); err != nil {
			break
		}
	}
	return l.result(err)
}

// newRefiner returns a learner that goes on from a model.
func newRefiner(m *model.Model, train, validation *data.Dataset, o Options) (*learner, error) {
	if err := m.Validate(); err != nil {
		return nil, &OptionError{"model.init", err.Error()}
	}
	if o.OnCheckpoint != nil || o.Resume != nil {
		return nil, &OptionError{"model.init", "Options.OnCheckpoint and Options.Resume are for Train: the pruning of a saved model cannot be resumed, leave them out"}
	}
	o.Model.Init = SavedModel
	chosen, err := o.check(train, validation)
	if err != nil {
		return nil, err
	}
	if train, validation, err = o.weigh(train, validation); err != nil {
		return nil, err
	}
	l, err := continued(m, train, validation, o, chosen)
	if err != nil {
		return nil, err
	}
	return l, l.check()
}

// prune makes one round of Algorithm 2 and refines what is left.
func (l *learner) prune(ctx context.Context, iterations int) error {
	before, err := l.measured()
	if err != nil {
		return err
	}
	pruned, account := rules.Prune(l.rules, l.x, l.train.Weights, l.options.Prune.Gamma, l.options.Prune.Theta)
	refinement, refineErr := l.refine(ctx, pruned, iterations)
	after, err := l.measure()
	l.rounds = append(l.rounds, PruneRound{
		Pruning: account, RemovedByFiring: len(account.Removed), RemovedBySimilarity: len(account.Merged),
		Account: account.Decisions(), Refinement: refinement, RMSEBefore: before, RMSEAfter: after,
	})
	return errors.Join(refineErr, err)
}

// measured returns the errors before a round: those after the last one, if there is one.
func (l *learner) measured() (RoundRMSE, error) {
	if n := len(l.rounds); n > 0 {
		return l.rounds[n-1].RMSEAfter, nil
	}
	return l.measure()
}

// measure returns the errors of the rules as they are now.
func (l *learner) measure() (r RoundRMSE, err error) {
	m := model.Model{Preprocessing: l.prep, RuleBase: l.rules}
	rmse := func(part *data.Dataset) (*float64, error) {
		if part == nil {
			return nil, nil
		}
		e, err := m.Evaluate(part)
		return &e.RMSE, err
	}
	if r.Validation, err = rmse(l.validation); err == nil {
		r.Test, err = rmse(l.options.Test)
	}
	return r, err
}

// refine goes on with other rules, and reports on their training alone.
func (l *learner) refine(ctx context.Context, rb *rules.RuleBase, iterations int) (optim.Result, error) {
	before := l.training
	l.rules = rb
	if iterations == 0 { // a part of a handful of iterations
		return optim.Result{Stopped: optim.StoppedCompleted}, nil
	}
	err := l.fit(ctx, iterations, l.seeds.Uint64())
	done := l.training
	done.Iterations -= before.Iterations
	done.Best -= before.Iterations
	done.Skipped -= before.Skipped
	return done, err
}

// stages divides the iterations: 0.6 of them for the first training, the rest in
// equal parts for the refinements. The parts are rounded and add up.
func (p PruneOptions) stages(iterations int) []int {
	if p.Rounds == 0 {
		return []int{iterations}
	}
	var parts []int
	before := 0
	for t := range p.Rounds + 1 {
		share := 0.6 + 0.4*float64(t)/float64(p.Rounds)
		end := int(math.Round(share * float64(iterations)))
		parts = append(parts, end-before)
		before = end
	}
	return parts
}
