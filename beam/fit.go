package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/beam/fit"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

const fitHelp = `Train a model on a table of any number of files, with the configuration of tskgraph train, and write the directory
of a run as it does, with statistics.json beside: exact statistics, and quantiles of stated error, of all rows of
each part.

Workers read the shards of the table. What is trained is --train:

  sample     one worker trains on at most 200,000 random rows of each part, the same that tskgraph train draws from the same
             files; features and targets are scaled by the statistics of all rows
  all        one worker trains on all rows; the model is that of tskgraph train on the same files
  committee  each of --members workers trains a model on at most 200,000 training rows of its own; the members predict together

A table of at most 200,000 rows is trained on as tskgraph train does, except by a committee. No bit of the results depends on the workers,
on the shards, or on their order.`

func newFit() *cobra.Command {
	var f fitFlags
	cmd := &cobra.Command{
		Use:   "fit",
		Short: "Train a model on a table of many files",
		Long:  fitHelp,
		Example: `  tskgraph-beam fit --config config.yaml --input 'parts/*.csv'
  tskgraph-beam fit --config config.yaml --input 'gs://bucket/part-*.parquet' --output gs://bucket/runs \
    --runner dataflow --project p --region r
  tskgraph-beam fit --config config.yaml --input 'parts/*.csv' --train committee --members 8`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.config.Add(cmd.Flags())
	cmd.Flags().StringArrayVarP(&f.input, "input", "i", nil,
		"`files` of the table: a file or a pattern; may be repeated (default: data.path of the configuration, which accepts no gs:// and s3://)")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "`directory` in which the run gets a new directory; the same as --set output.dir=...")
	cmd.Flags().StringVar(&f.train, "train", fit.TrainSample, "what is trained on: sample, all or committee")
	cmd.Flags().IntVar(&f.members, "members", 0, "members of a committee; the same as --set train.members=...")
	cmd.Flags().StringVar(&f.split, "split", "256MiB", "divide larger files into shards of about this `size`; 0: none")
	f.where.Add(cmd)
	return cmd
}

// fitFlags are the flags of `fit`.
type fitFlags struct {
	config               command.Config
	input                []string
	output, train, split string
	members              int
	where                cluster.Options
}

// load reads the configuration, and checks the flags.
func (f *fitFlags) load() (*config.Config, fit.Options, error) {
	o := fit.Options{Train: f.train}
	var err error
	if o.Split, err = splitSize(f.split); err != nil {
		return nil, o, err
	}
	if !slices.Contains(fit.Modes(), f.train) {
		return nil, o, message.Usagef("--train %s: want sample, all or committee", escape.Quote(f.train))
	}
	if f.members != 0 && f.train != fit.TrainCommittee {
		return nil, o, message.Usagef("--members applies with --train committee; train.members in the configuration makes a committee on " +
			"one worker")
	}
	if f.output != "" {
		f.config.Set = append(f.config.Set, "output.dir="+f.output)
	}
	if len(f.input) > 0 {
		o.Input = table.List(f.input)
		f.config.Set = append(f.config.Set, "data.path="+fit.StandIn(o.Input))
	}
	if f.members != 0 {
		f.config.Set = append(f.config.Set, fmt.Sprint("train.members=", f.members))
	}
	c, err := f.config.Load()
	return c, o, err
}

// run plans, trains and prints the summary.
func (f *fitFlags) run(cmd *cobra.Command) error {
	c, o, err := f.load()
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	job, err := fit.New(ctx, c, o, &f.where)
	if err != nil {
		return err
	}
	if f.where.DryRun {
		return job.Plan().Write(cmd.OutOrStdout())
	}
	dir, err := newRunDir(ctx, c)
	if err != nil {
		return err
	}
	counters, err := job.Run(ctx, dir, cmd.OutOrStdout())
	if err != nil {
		if files.IsLocal(dir) {
			_ = os.Remove(dir) // which is empty, or has what an attempt wrote
		}
		return err
	}
	return f.print(cmd, dir, counters)
}

// newRunDir returns the directory of a new run, see runs.NewDir. In an object store, two commands that begin at the same time may
// get the same.
func newRunDir(ctx context.Context, c *config.Config) (string, error) {
	name, root := runs.RunName(c), c.Output.Dir
	if files.IsLocal(root) {
		dir, err := runs.NewDir(root, name)
		if err != nil {
			return "", fmt.Errorf("output.dir: %w", err)
		}
		return dir, nil
	}
	for i := 1; ; i++ {
		dir := files.Join(root, fmt.Sprintf("%s-%03d", name, i))
		_, err := files.Size(ctx, files.Join(dir, runs.ConfigFile))
		if errors.Is(err, os.ErrNotExist) {
			return dir, nil
		}
		if err != nil {
			return "", err
		}
	}
}

// print prints the summary of the run in a directory, and its notes.
func (f *fitFlags) print(cmd *cobra.Command, dir string, counters cluster.Counters) error {
	var statistics fit.Statistics
	if err := readJSON(cmd.Context(), files.Join(dir, fit.StatisticsFile), &statistics); err != nil {
		return err
	}
	w, notes := cmd.OutOrStdout(), cmd.ErrOrStderr()
	for _, note := range statistics.Notes {
		fmt.Fprintln(notes, escape.Text(note))
	}
	if !f.where.JSON {
		if counters["shards"] > 0 {
			message.Note(notes, "%d rows, %s, were read in %d shards", counters["rows"], humanize.IBytes(uint64(counters["bytes"])),
				counters["shards"])
		}
		for _, line := range statistics.Summary {
			fmt.Fprintln(w, line)
		}
		return nil
	}
	summary := map[string]any{}
	if err := readJSON(cmd.Context(), files.Join(dir, runs.SummaryFile), &summary); err != nil {
		return err
	}
	summary["rows_read"], summary["bytes_read"], summary["shards"] = counters["rows"], counters["bytes"], counters["shards"]
	return escape.PrintJSON(w, summary)
}

// readJSON reads a file of any store.
func readJSON(ctx context.Context, path string, v any) error {
	r, err := files.Open(ctx, path)
	if err != nil {
		return err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}
