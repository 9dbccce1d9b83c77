package search

import (
	"context"
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/state"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

// Driver runs the pipelines of one search.
type Driver struct {
	Cluster *cluster.Options
	State   state.Place // of what workers read and write; each search has a directory of its own there
	Out     io.Writer   // of what cluster.Options.Run prints

	Counters cluster.Counters // of all pipelines so far
}

// mostRounds bounds the size of the graph of a pipeline. A search that needs more rounds has several pipelines.
const mostRounds = 60

// Plan returns what the search of the given data, configuration and options does.
func (d *Driver) Plan(ctx context.Context, train *data.Dataset, c *config.Config, o tune.Options) (cluster.Plan, error) {
	_, w, err := newJob(ctx, d.State.In(o.Dir), train, c, o)
	if err != nil {
		return cluster.Plan{}, err
	}
	fits, steps := w.Planned()
	limit := "none"
	if o.Time > 0 {
		limit = o.Time.String()
	}
	return cluster.Plan{Job: "tune", Lines: [][2]string{
		{"data", fmt.Sprintf("%s, %d training samples", c.Data.Name(), train.Len())},
		{"trials", fmt.Sprint(o.Trials)},
		{"fits", fmt.Sprintf("about %d, in %d rounds at most", fits, steps)},
		{"time limit", limit},
		{"state", d.State.Words()},
	}}, nil
}

// Measure returns what makes the fits of a search of the given data, configuration and options, see [tune.Options].
func (d *Driver) Measure(train *data.Dataset, c *config.Config, o tune.Options) func(context.Context, []tune.Task) ([]tune.Measured,
	error) {
	d.Counters = cluster.Counters{}
	var j *job
	var w *tune.Worker
	return func(ctx context.Context, tasks []tune.Task) ([]tune.Measured, error) {
		if j == nil {
			first, worker, err := newJob(ctx, d.State.In(o.Dir), train, c, o)
			if err != nil {
				return nil, err
			}
			j, w = &first, worker
		}
		found, err := j.lookUp(ctx, tasks)
		if err != nil || len(found) == len(tasks) {
			return found, err
		}
		if err := d.run(ctx, *j, w, train, o); err != nil {
			return nil, err
		}
		if found, err = j.lookUp(ctx, tasks); err == nil && len(found) < len(tasks) {
			err = fmt.Errorf("the job ended, but %d of %d results are not in %s", len(tasks)-len(found), len(tasks), j.Dir)
		}
		return found, err
	}
}

// run runs a pipeline for the rest of the search.
func (d *Driver) run(ctx context.Context, j job, w *tune.Worker, train *data.Dataset, o tune.Options) error {
	known, err := tune.Held(o.Dir)
	if err != nil {
		return err
	}
	if err := j.send(ctx, train, known); err != nil {
		return fmt.Errorf("the data for the workers: %w", err)
	}
	_, steps := w.Planned()
	counters, err := d.Cluster.Run(ctx, pipelineOf(d.Cluster, j, min(steps, mostRounds)), cluster.Plan{Job: "tune"}, d.Out)
	for name, n := range counters {
		d.Counters[name] += n
	}
	return err
}
