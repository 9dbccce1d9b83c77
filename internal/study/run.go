package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// runGroup runs the tasks of a group that have no result.
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

// starts are the initial clusters of the trainings of a group, which trainings of the same initialiser and number of rules share.
type starts map[startKey]*rules.Clusters

type startKey struct{ init, rules string }

// runTask runs one task and stores its result.
func (p *pool) runTask(ctx context.Context, g *group, t *task, parts *data.Parts, starts starts) error {
	r0, _ := g.rules(t.algorithm) // known: pruning is an earlier task
	recipe, err := g.recipe(p.plan, t.algorithm, r0)
	if err != nil {
		return err
	}
	id, err := identify(p.plan, g, t.algorithm, recipe)
	if err != nil {
		return err
	}
	if stored, err := p.store.load(id); err != nil || stored != nil { // from an earlier run; before pruning its number of rules was unknown
		t.result = stored
		return err
	}
	run := tskgraph.Run{Recipe: recipe}
	r := Result{Dataset: g.set.Name, Membership: g.shape, Algorithm: t.algorithm.Name, Repeat: g.repeat}
	if p.plan.Curves {
		run.Watch = []tskgraph.Watched{{Name: "test", Data: parts.Test}}
		run.OnIteration = func(m optim.Metrics) error {
			r.Curve = append(r.Curve, m.Watched["test"])
			return nil
		}
	}
	start := startKey{id["model.init"], id["model.rules"]}
	run.Start = starts[start]
	if starts[start], err = r.measure(ctx, parts, run); err != nil {
		return err
	}
	if err := p.store.save(id, r); err != nil {
		return err
	}
	t.result = &r
	return nil
}

// measure trains, fills in the result, and returns the initial clusters. A training that diverged is measured by its best model.
func (r *Result) measure(ctx context.Context, parts *data.Parts, run tskgraph.Run) (*rules.Clusters, error) {
	trained, err := run.Train(ctx, parts.Train, nil)
	if trained == nil || err != nil && !errors.Is(err, optim.ErrDiverged) {
		return nil, err
	}
	if err != nil {
		r.Events.Diverged = 1
	}
	train, err := trained.Model.Evaluate(ctx, parts.Train)
	if err != nil {
		return nil, err
	}
	test, err := trained.Model.Evaluate(ctx, parts.Test)
	if err != nil {
		return nil, err
	}
	r.RMSE = test.RMSE
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
	for len(r.Rules) <= run.Recipe.Prune.Rounds { // it diverged before all rounds
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

// work estimates the nanoseconds that a run on a set takes, for the order of the groups and the time left.
func work(set Set, a Algorithm, curves bool) float64 {
	n, m, r := float64(trainShare*float64(set.Samples)), float64(set.Features), float64(set.Rules)
	const iterations, passes, batch = 500, 60, 64
	start := float64(passes * n * m * r)
	if a.Pruned {
		r *= 0.6
	}
	w := start + float64(float64(iterations*batch*r*(m+3))*2)
	if a.ANFIS {
		w = start + float64(float64(iterations*n*r*(m+3))*2)
	}
	if a.Name == LSER0 || a.Name == LSER {
		columns := r * (m + 1)
		w += float64(iterations * columns * columns * (n + columns/3) / 2)
	}
	if curves {
		w += float64(iterations * (float64(set.Samples) - n) * r * (m + 8))
	}
	return w
}

// pool runs the groups of a study, several at a time.
type pool struct {
	plan   Plan
	store  *store
	tables map[string]*data.Dataset // by the name of the set
	groups []*group

	mu       sync.Mutex // guards the following, and OnProgress
	progress Progress
	work     float64 // estimated, done
	total    float64 // estimated, in all
	err      error   // the first
}

// run runs the missing tasks, the longest groups first, and stops at the first error. The results of a group depend on the group alone.
func (p *pool) run(ctx context.Context) error {
	var waiting []*group
	estimate := map[*group]float64{}
	for _, g := range p.groups {
		missing := g.missing()
		if len(missing) == 0 {
			continue
		}
		waiting = append(waiting, g)
		for _, t := range missing {
			estimate[g] += work(g.set, t.algorithm, p.plan.Curves)
		}
		p.progress.Total += len(missing)
		p.total += estimate[g]
	}
	slices.SortStableFunc(waiting, func(a, b *group) int { return cmp.Compare(estimate[b], estimate[a]) })
	queue := make(chan *group, len(waiting))
	for _, g := range waiting {
		queue <- g
	}
	close(queue)

	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers sync.WaitGroup
	for range min(cmp.Or(p.plan.Workers, runtime.GOMAXPROCS(0)), len(waiting)) {
		workers.Go(func() {
			for g := range queue {
				if err := p.runGroup(inner, g); err != nil {
					p.fail(err)
					cancel()
					return
				}
			}
		})
	}
	workers.Wait()
	if p.err != nil && ctx.Err() != nil {
		return fmt.Errorf("experiment: interrupted after %d of %d runs, which are stored: %w", p.progress.Done, p.progress.Total, ctx.Err())
	}
	return p.err
}

// fail records the first error; the other workers fail because of it.
func (p *pool) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
}

// done reports a finished task.
func (p *pool) done(g *group, t *task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.work += work(g.set, t.algorithm, p.plan.Curves)
	p.progress.Done++
	p.progress.Share = p.work / p.total
	if p.plan.OnProgress != nil {
		p.plan.OnProgress(p.progress)
	}
}
