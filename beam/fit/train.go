package fit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/optim"
)

// work is the training of a job on one worker.
type work struct {
	*Job
	config *config.Config
	start  time.Time
	dir    string // for scratch files, of this attempt
	copies copies
	notes  bytes.Buffer

	// members are those of a committee, trained by other workers; nil: the configuration's recipe trains.
	members []*member
}

// begin prepares the training of an encoded job. The caller calls end.
func begin(job []byte) (*work, error) {
	w := &work{Job: &Job{}, start: time.Now(), copies: copies{}}
	if err := decode(job, w.Job); err != nil {
		return nil, err
	}
	var err error
	if w.config, err = w.Job.config(); err != nil {
		return nil, err
	}
	w.dir, err = os.MkdirTemp(w.config.Data.Scratch, "tskgraph-fit-")
	return w, err
}

// end removes the scratch files.
func (w *work) end() error { return os.RemoveAll(w.dir) }

// run trains on a table, and writes the directory of the run. If its shards were not ingested, the table is small.
func (w *work) run(ctx context.Context, t *gathered) error {
	exact := t.Merged == nil || t.Kept() <= data.SampleRows && w.Train != TrainCommittee
	all := exact || w.Train == TrainAll
	source, err := w.source(ctx, t, all)
	if err != nil {
		return err
	}
	var parts *data.Parts
	if all {
		parts, err = source.Load(ctx)
	} else {
		parts, err = t.Parts(ctx, source)
	}
	if err != nil {
		return w.copies.named(err)
	}
	defer parts.Close()
	if exact { // the rows were not divided as the shards divide them
		if t, err = measured(ctx, w.Job, t.files, parts); err != nil {
			return err
		}
	}
	message.Parts(&w.notes, &w.config.Data, parts)
	if w.Train == TrainSample && parts.Train.Whole != nil {
		message.Note(&w.notes,
			"trained on %d training rows of %d, drawn at random; features and targets are scaled by the statistics of all of them",
			parts.Train.Len(), t.Statistics()[0].Rows)
	}
	return w.trainRun(ctx, source, parts, t)
}

// trainRun trains in a directory of this machine, and publishes it.
func (w *work) trainRun(ctx context.Context, source data.Source, parts *data.Parts, t *gathered) error {
	statistics, err := t.statistics()
	if err != nil {
		return err
	}
	run, err := runs.Create(w.dir, "run", func(note string) { fmt.Fprintf(&w.notes, "%s\n", note) })
	if err != nil {
		return err
	}
	defer run.Close()
	named := *w.config
	named.Data.Path = w.Input
	job := runs.NewJob(&named, parts, w.start)
	job.Data = source
	if w.members != nil {
		job.Train = w.join
	}
	job.Training.OnIteration = func(optim.Metrics) error {
		cluster.Counter("iterations").Inc(ctx, 1)
		return nil
	}
	result, summary, err := run.Train(ctx, job)
	if summary == nil || err != nil && !errors.Is(err, optim.ErrDiverged) {
		return w.copies.named(err)
	}
	message.Result(&w.notes, w.config.Recipe, result)
	message.Calibration(&w.notes, summary)
	if err != nil {
		fmt.Fprintf(&w.notes, "%v\n", err)
	}
	return publish(ctx, w, run, summary, statistics)
}

// source returns the data of the configuration as files of this machine; without those of the table unless all are to be read.
func (w *work) source(ctx context.Context, t *gathered, all bool) (s data.Source, err error) {
	s = w.config.Source()
	if s.Scratch == "" {
		s.Scratch = w.dir
	}
	if all {
		var names []string
		for _, file := range t.files {
			names = append(names, file.File)
		}
		if s.Path, err = w.copies.table(ctx, names, s.Path, w.dir); err != nil {
			return s, err
		}
	}
	if s.TestPath != "" {
		s.TestPath, err = w.copies.table(ctx, []string{s.TestPath}, s.TestPath, w.dir)
	}
	return s, err
}

// join joins the members.
func (w *work) join(_ context.Context, run tskgraph.Run, train, validation *data.Dataset) (*tskgraph.Result, error) {
	return joined(w.members, run, train, validation)
}
