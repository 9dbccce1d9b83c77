package fit

import (
	"context"
	"errors"

	"github.com/tskgraph/tskgraph/beam/shard"
	"github.com/tskgraph/tskgraph/data"
)

// measured returns the table of a job, which files have, with the statistics of parts that have all of its rows.
func measured(ctx context.Context, j *Job, files []shard.Shard, parts *data.Parts) (*gathered, error) {
	var (
		t        = gathered{files: files}
		partials []*data.Partial
	)
	for _, file := range files {
		p, err := measure(ctx, j, file, parts, &t.numbers)
		if err != nil {
			return nil, err
		}
		partials = append(partials, p)
	}
	var err error
	t.Merged, err = j.Table.Merge(partials)
	return &t, err
}

// measure reads a file by the parts that its rows belong to.
func measure(ctx context.Context, j *Job, file shard.Shard, parts *data.Parts, numbers *sketches) (_ *data.Partial, err error) {
	in, closer, err := file.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closer.Close()) }()
	var failed error
	p, err := j.Table.Ingest(ctx, piece(file, in), nil, data.PieceOptions{Complete: true, Parts: parts, Each: func(part, column int,
		v float64) {
		failed = errors.Join(failed, numbers.add(part, column, v))
	}})
	return p, errors.Join(err, failed)
}
