package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/dustin/go-humanize"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/beam/shard"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/config"
)

// Options say how a model is trained.
type Options struct {
	Input string // the table; empty: data.path, which else is its StandIn
	Train string // one of Modes
	Split int64  // see shard.Options
}

// Fit is a training that was planned.
type Fit struct {
	job     Job
	cluster *cluster.Options
	files   []files.Info
	split   int64 // see shard.Options
}

// New plans a training by a configuration: it finds the files, and reads the header of the
// first.
func New(ctx context.Context, c *config.Config, o Options, where *cluster.Options) (*Fit, error) {
	f := &Fit{cluster: where, split: o.Split, job: Job{Config: c.YAML(), Input: cmp.Or(o.Input, c.Data.Path), Train: o.Train}}
	if o.Train == TrainCommittee {
		f.job.Members = c.Recipe.Train.Members
		if f.job.Members < 2 {
			return nil, message.Usagef("--train committee: want at least 2 members: give --members, or train.members in the configuration")
		}
	}
	if f.job.Input == "" {
		return nil, message.Usagef("--input is required: the files of a table (or data.path in the configuration)")
	}
	var err error
	if f.files, err = find(ctx, f.job.Input); err != nil {
		return nil, err
	}
	paths := []string{c.Output.Dir}
	for _, file := range f.files {
		paths = append(paths, file.Path)
	}
	if c.Data.TestPath != "" {
		paths = append(paths, c.Data.TestPath)
	}
	if err := where.Check(paths...); err != nil {
		return nil, err
	}
	return f, f.begin(ctx, c)
}

// begin reads the beginning of the table.
func (f *Fit) begin(ctx context.Context, c *config.Config) error {
	first := f.files[0]
	in, file, err := shard.Shard{File: first.Path, Size: first.Size, Of: 1, End: first.Size}.Open(ctx)
	if err != nil {
		return err
	}
	table, err := data.NewSharded(ctx, c.Data, data.Piece{Input: in})
	if err = errors.Join(err, file.Close()); err == nil {
		f.job.Table = *table
	}
	return err
}

// Plan says what the job does.
func (f *Fit) Plan() cluster.Plan {
	size := int64(0)
	for _, file := range f.files {
		size += file.Size
	}
	lines := [][2]string{{"input", fmt.Sprintf("%d files, %s", len(f.files), humanize.IBytes(uint64(size)))}, {"shards", f.shards()}}
	if f.job.Table.Outlined {
		lines = append(lines, [2]string{"passes", "2, since the parts depend on the number of rows, groups or categories of the whole table"})
	}
	what := map[string]string{
		TrainSample:    fmt.Sprintf("on a random sample of at most %d rows of each part, by one worker", data.SampleRows),
		TrainAll:       "on all rows, by one worker that reads all files",
		TrainCommittee: fmt.Sprintf("%d members, each on at most %d rows of its own", f.job.Members, data.SampleRows),
	}[f.job.Train]
	return cluster.Plan{Job: "fit", Lines: append(lines, [2]string{"training", what})}
}

// shards describes the shards.
func (f *Fit) shards() string {
	if f.split == 0 {
		return "a file each"
	}
	return "of " + humanize.IBytes(uint64(f.split)) + " of a file each, at most"
}

// Run trains, and writes the directory of the run. It prints the plan in a dry run.
func (f *Fit) Run(ctx context.Context, dir string, w io.Writer) (cluster.Counters, error) {
	f.job.Dir = dir
	for {
		p, s := beam.NewPipelineWithRoot()
		if err := f.pipeline(s); err != nil {
			return nil, err
		}
		counters, err := f.cluster.Run(ctx, p, f.Plan(), w)
		if err != nil || counters[scarce] == 0 {
			return counters, err
		}
		if f.job.Complete {
			return nil, data.ErrScarce
		}
		f.job.Complete = true
	}
}
