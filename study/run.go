package study

import (
	"context"
	"errors"
	"fmt"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// runGroup runs what is missing in a group.
func (p *pool) runGroup(ctx context.Context, g *group) error {
	parts, err := p.tables[g.set.Name].Split(data.Split{Kind: "random", Train: trainShare, Seed: g.seed(p.plan)})
	if err != nil {
		return err
	}
	starts := starts{}
	for _, t := range g.missing() {
		if err := p.runTask(ctx, g, t, parts, starts); err != nil {
			return fmt.Errorf("experiment: %s on %s, %s, repeat %d: %w", t.algorithm.Name, g.set.Name, g.shape, g.repeat, err)
		}
		p.done(g, t)
	}
	return nil
}

// starts are the clusters that trainings of a group found, by what they depend on.
// Those of the same initialiser and number of rules are the same.
type starts map[startKey]*rules.Clusters

type startKey struct{ init, rules string }

// runTask runs one task and stores its result.
func (p *pool) runTask(ctx context.Context, g *group, t *task, parts *data.Parts, starts starts) error {
	r0, _ := g.rules(t.algorithm) // known: pruning is an earlier task
	o, err := g.options(p.plan, t.algorithm, r0)
	if err != nil {
		return err
	}
	key, err := g.key(p.plan, t.algorithm, o)
	if err != nil {
		return err
	}
	if stored, err := p.store.load(key); err != nil || stored != nil { // of before, but its number of rules was not known
		t.result = stored
		return err
	}
	run := tskgraph.Run{Recipe: o}
	if p.plan.Curves {
		run.Watch = parts.Test
	}
	r := Result{Dataset: g.set.Name, Membership: g.shape, Algorithm: t.algorithm.Name, Repeat: g.repeat}
	start := startKey{key.Settings["model.init"], key.Settings["model.rules"]}
	run.Start = starts[start]
	if starts[start], err = r.measure(ctx, parts, run); err != nil {
		return err
	}
	if err := p.store.save(key, r); err != nil {
		return err
	}
	t.result = &r
	return nil
}

// measure trains, fills in the result, and returns where the rules started. A
// training that diverged is measured by the model that it kept.
func (r *Result) measure(ctx context.Context, parts *data.Parts, run tskgraph.Run) (*rules.Clusters, error) {
	trained, err := run.Train(ctx, parts.Train, nil)
	if trained == nil || err != nil && !errors.Is(err, optim.ErrDiverged) {
		return nil, err
	}
	if err != nil {
		r.Events.Diverged = 1
	}
	train, err := trained.Model.Evaluate(parts.Train)
	if err != nil {
		return nil, err
	}
	test, err := trained.Model.Evaluate(parts.Test)
	if err != nil {
		return nil, err
	}
	r.RMSE, r.Curve = test.RMSE, trained.Watched
	for run.Watch != nil && len(r.Curve) < run.Recipe.Train.Iterations { // it diverged
		r.Curve = append(r.Curve, test.RMSE)
	}
	r.Rules = []int{trained.Model.RuleBase.Rules()}
	if len(trained.Prune) > 0 {
		r.Rules[0] = trained.Prune[0].Before
	}
	for _, round := range trained.Prune {
		r.Rules = append(r.Rules, round.After)
		r.RemovedByFiring = append(r.RemovedByFiring, round.RemovedByFiring)
		r.RemovedBySimilarity = append(r.RemovedBySimilarity, round.RemovedBySimilarity)
	}
	for len(r.Rules) <= run.Recipe.Prune.Rounds { // it diverged before
		r.Rules = append(r.Rules, r.FinalRules())
		r.RemovedByFiring, r.RemovedBySimilarity = append(r.RemovedByFiring, 0), append(r.RemovedBySimilarity, 0)
	}
	r.Events.Skipped, r.Events.LSEFallbacks = trained.Training.Skipped, trained.Fallbacks
	r.Events.UncoveredTrain, r.Events.UncoveredTest = train.Uncovered, test.Uncovered
	if trained.Start != nil { // a grid has none
		r.Events.Coinciding = trained.Start.Coinciding
	}
	return trained.Start, nil
}

// work estimates the nanoseconds that a task takes, for the order of the groups
// and the time left.
func (g *group) work(t *task, curves bool) float64 {
	n, m, r := float64(trainShare*float64(g.set.Samples)), float64(g.set.Features), float64(g.set.Rules)
	const iterations, passes, batch = 500, 60, 64
	start := float64(passes * n * m * r)
	if t.algorithm.Pruned {
		r *= 0.6
	}
	w := start + float64(float64(iterations*batch*r*(m+3))*2)
	if t.algorithm.ANFIS {
		w = start + float64(float64(iterations*n*r*(m+3))*2)
	}
	if t.algorithm.Name == LSER0 || t.algorithm.Name == LSER {
		columns := r * (m + 1)
		w += float64(iterations * columns * columns * (n + columns/3) / 2)
	}
	if curves {
		w += float64(iterations * (float64(g.set.Samples) - n) * r * (m + 8))
	}
	return w
}
