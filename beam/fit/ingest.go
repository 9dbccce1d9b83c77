package fit

import (
	"context"
	"errors"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/data"
)

func init() {
	register.DoFn3x1[context.Context, element, func(int, []byte), error](&outlineFn{})
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func(element), error](&priorsFn{})
	register.DoFn3x1[context.Context, element, func(int, []byte), error](&ingestFn{})
}

// read opens the shard of a task and calls do with its rows. Errors are marked for the pipeline.
func read(ctx context.Context, job []byte, e element, do func(j *Job, t task, p data.Piece) error) (err error) {
	defer func() { err = cluster.Fail(err) }()
	var (
		j Job
		t task
	)
	if err := errors.Join(decode(job, &j), decode(e.Work, &t)); err != nil {
		return err
	}
	release, err := cluster.Slot(ctx)
	if err != nil {
		return err
	}
	defer release()
	in, file, err := t.Shard.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	j.Table.Rows = t.Rows
	return do(&j, t, piece(t.Shard, in))
}

// outlined is the outline of a shard.
type outlined struct {
	Task    task
	Outline *data.Outline
}

// outlineFn reads a shard for the first time.
type outlineFn struct{ Job []byte }

// ProcessElement reads the shard of a task, and emits its outline.
func (f *outlineFn) ProcessElement(ctx context.Context, e element, emit func(int, []byte)) error {
	return read(ctx, f.Job, e, func(j *Job, t task, p data.Piece) error {
		o, err := j.Table.Outline(ctx, p)
		if err != nil {
			return err
		}
		out, err := encode(outlined{t, o})
		if err == nil {
			emit(0, out)
		}
		return err
	})
}

// priorsFn merges the outlines of all shards.
type priorsFn struct{ Job []byte }

// ProcessElement emits the tasks with what the whole table decides about them.
func (f *priorsFn) ProcessElement(_ context.Context, _ int, outlines func(*[]byte) bool, emit func(element)) error {
	return cluster.Fail(f.merge(outlines, emit))
}

func (f *priorsFn) merge(outlines func(*[]byte) bool, emit func(element)) error {
	var j Job
	if err := decode(f.Job, &j); err != nil {
		return err
	}
	tasks, all, err := gather(outlines, func(from []byte) (task, *data.Outline, error) {
		var o outlined
		err := decode(from, &o)
		return o.Task, o.Outline, err
	})
	if err != nil {
		return err
	}
	priors, err := j.Table.Priors(all)
	if err != nil {
		return err
	}
	for i, t := range tasks {
		t.Prior = &priors[i]
		out, err := encode(t)
		if err != nil {
			return err
		}
		emit(element{i, out})
	}
	return nil
}

// ingested is what a shard contributes to the training.
type ingested struct {
	Task     task // without its prior
	Partial  *data.Partial
	Sketches [][][]byte
}

// ingestFn reads the rows of a shard.
type ingestFn struct{ Job []byte }

// ProcessElement emits what the shard of a task contributes: with key 0 to the statistics and the samples of the parts, and
// with the number of a member, from 1, to the rows of that member of a committee.
func (f *ingestFn) ProcessElement(ctx context.Context, e element, emit func(int, []byte)) error {
	return read(ctx, f.Job, e, func(j *Job, t task, p data.Piece) error {
		var (
			numbers sketches
			failed  error
		)
		partial, err := j.Table.Ingest(ctx, p, t.Prior, data.PieceOptions{Members: j.Members, Complete: j.Complete,
			Each: func(part, column int, v float64) {
				failed = errors.Join(failed, numbers.add(part, column, v))
			}})
		if err = errors.Join(err, failed); err != nil {
			return err
		}
		t.Prior = nil
		for k := range j.Members {
			out, err := encode(ingested{Task: t, Partial: partial.Member(k)})
			if err != nil {
				return err
			}
			emit(k+1, out)
		}
		out, err := encode(ingested{t, partial.WithoutMembers(), numbers.encode()})
		if err != nil {
			return err
		}
		emit(0, out)
		cluster.Counter("rows").Inc(ctx, int64(partial.Rows()))
		cluster.Counter("bytes").Inc(ctx, t.Shard.Bytes())
		cluster.Counter("shards").Inc(ctx, 1)
		return nil
	})
}
