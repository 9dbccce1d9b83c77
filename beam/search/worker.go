package search

import (
	"context"
	"fmt"
	"sync"

	"github.com/tskgraph/tskgraph/beam/dataset"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

// loaded is a job in a process that works for it.
type loaded struct {
	data    *data.Dataset
	config  *config.Config
	options tune.Options
	worker  *tune.Worker
}

// The job that this process works for, if any: a process has one at a time.
var (
	mu      sync.Mutex
	current *loaded
	of      string // its directory
)

// load reads the data and the configuration of a job, once for all bundles that this process gets.
func (j job) load(ctx context.Context) (*loaded, error) {
	mu.Lock()
	defer mu.Unlock()
	if current == nil || of != j.Dir {
		l, err := j.read(ctx)
		if err != nil {
			return nil, err
		}
		current, of = l, j.Dir
	}
	l := *current
	l.options.Trials, l.options.Time, l.options.Began = j.Trials, j.Time, j.Began
	return &l, nil
}

func (j job) read(ctx context.Context) (*loaded, error) {
	c, err := config.Load(config.Source{Path: "search.yaml", Text: j.Config})
	if err != nil {
		return nil, err
	}
	d, err := dataset.Read(ctx, j.dataFile())
	if err != nil {
		return nil, err
	}
	l := &loaded{data: d, config: c, options: c.Tune}
	// Folds are prepared once for the bundles of all jobs, so that the end of one bundle must not end that.
	if l.worker, err = tune.NewWorker(context.WithoutCancel(ctx), d, c.Recipe, l.options); err != nil {
		return nil, err
	}
	if changes := j.Identity.Differences(l.worker.Identity()); len(changes) > 0 {
		return nil, fmt.Errorf("this worker cannot make the fits of the search: %s: use workers of the same program and kind of processor "+
			"as the command's", checkpoint.Join(changes))
	}
	return l, nil
}

// measure carries out a task, unless its result is there.
func (j job) measure(ctx context.Context, t tune.Task) (m tune.Measured, made bool, err error) {
	m, ok, err := j.found(ctx, t)
	if ok || err != nil {
		return m, false, err
	}
	l, err := j.load(ctx)
	if err != nil {
		return m, false, err
	}
	if m, err = l.worker.Measure(ctx, t); err != nil {
		return m, false, err
	}
	return m, true, j.keep(ctx, m)
}
