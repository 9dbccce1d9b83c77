package search

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph/beam/dataset"
	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/beam/state"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

// job is what workers need to know. It is small: it travels in the graph of the pipeline, to every worker.
type job struct {
	Dir      string // of the files of the job, of which other searches have their own
	Config   []byte // the configuration that the search starts from
	Trials   int
	Time     time.Duration
	Began    time.Time
	Identity checkpoint.Identity // of the results
}

// newJob returns the job of a search whose files are below a directory.
func newJob(ctx context.Context, below string, d *data.Dataset, c *config.Config, o tune.Options) (job, *tune.Worker, error) {
	w, err := tune.NewWorker(ctx, d, c.Recipe, o)
	if err != nil {
		return job{}, nil, err
	}
	if below, err = files.Absolute(below); err != nil {
		return job{}, nil, err
	}
	id := w.Identity()
	return job{files.Join(below, id.Hash()), c.YAML(), o.Trials, o.Time, o.Began, id}, w, nil
}

func (j job) dataFile() string              { return files.Join(j.Dir, "data") }
func (j job) knownFile() string             { return files.Join(j.Dir, "known.json") }
func (j job) resultFile(t tune.Task) string { return files.Join(j.Dir, "fits", t.Name()+".json") }

// send writes the data and what is known, for the workers.
func (j job) send(ctx context.Context, d *data.Dataset, known []tune.Measured) error {
	if err := state.WriteJSON(ctx, j.knownFile(), known); err != nil {
		return err
	}
	return dataset.Write(ctx, j.dataFile(), d)
}

// found returns the result of a task that a worker has written; false if there is none. A file that is damaged is none.
func (j job) found(ctx context.Context, t tune.Task) (m tune.Measured, ok bool, err error) {
	switch err := state.ReadJSON(ctx, j.resultFile(t), &m); {
	case errors.Is(err, fs.ErrNotExist), errors.As(err, new(*json.SyntaxError)), errors.As(err, new(*json.UnmarshalTypeError)):
		return m, false, nil
	case err != nil:
		return m, false, err
	}
	return m, m.Task == t && m.Complete(), nil
}

// lookUp returns the results of tasks that workers have written.
func (j job) lookUp(ctx context.Context, tasks []tune.Task) ([]tune.Measured, error) {
	all, is := make([]tune.Measured, len(tasks)), make([]bool, len(tasks))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(16)
	for i, t := range tasks {
		group.Go(func() (err error) {
			all[i], is[i], err = j.found(ctx, t)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var found []tune.Measured
	for i, m := range all {
		if is[i] {
			found = append(found, m)
		}
	}
	return found, nil
}

// keep writes the result of a task.
func (j job) keep(ctx context.Context, m tune.Measured) error {
	return state.WriteJSON(ctx, j.resultFile(m.Task), m)
}
