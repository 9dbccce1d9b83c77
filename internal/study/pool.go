package study

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/tskgraph/tskgraph/data"
)

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

// run runs the missing tasks, the longest groups first, and stops at the first error.
// The results of a group depend on the group alone.
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
