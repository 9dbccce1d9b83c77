package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/score"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

const scoreHelp = `Append a model's predictions to many tables, as tskgraph predict does to one: the same options add the same
columns, and the output of a file has the bytes that tskgraph predict writes. A table is a file of its own, with a
header; --input may be repeated, and names files or patterns (part-*.csv). CSV, Parquet and text compressed by gzip
or zstd are read.

With --output DIRECTORY, each output has the name of its file below the directory that all files share, and with it the format:
Parquet for .parquet, compressed text for .gz and .zst. With a pattern such as out/*.parquet, the name of the file without extensions
stands for the star.

A file of more than --split bytes is divided at the ends of records, or at row groups of Parquet, and its output is in parts,
NAME-00001-of-00012.csv and so on, each with the header. Compressed text is not divided; nor is a Parquet file with whole
numbers or decimals, of which the statistics do not say that a 64-bit floating-point number has them exactly.

Outputs are complete or not there; outputs of that name are replaced. A bad row ends the job with an error that names the file and the
line; shards that were scored before stay. score.json beside the outputs has the counts of each file.`

func newScore() *cobra.Command {
	var o score.Options
	var where cluster.Options
	var split string
	cmd := &cobra.Command{
		Use:   "score",
		Short: "Append a model's predictions to many tables",
		Long:  scoreHelp,
		Example: `  tskgraph-beam score --model runs/no2-gaussian-001 --input 'new/part-*.csv' --output predicted
  tskgraph-beam score --runner flink --endpoint flink:8099 --model s3://b/model.json --input 's3://b/*.parquet' --output s3://b/predicted`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.Split, err = splitSize(split); err != nil {
				return err
			}
			return runScore(cmd, o, &where)
		},
	}
	cmd.Flags().StringVarP(&o.Model, "model", "m", "", "model `file`, or the directory of a run")
	cmd.Flags().StringArrayVarP(&o.Input, "input", "i", nil, "`tables` with the model's features: a file or a pattern; may be repeated")
	cmd.Flags().StringVarP(&o.Output, "output", "o", "", "a `directory`, or a pattern with a * for the names of the inputs")
	cmd.Flags().StringVar(&split, "split", "256MiB", "divide larger files into parts of about this `size`; 0: none")
	o.Flags.Add(cmd.Flags())
	where.Add(cmd)
	return cmd
}

func runScore(cmd *cobra.Command, o score.Options, where *cluster.Options) error {
	for _, missing := range []struct {
		flag string
		yes  bool
	}{{"model", o.Model == ""}, {"input", len(o.Input) == 0}, {"output", o.Output == ""}} {
		if missing.yes {
			return message.Usagef("--%s is required (see %s --help)", missing.flag, cmd.CommandPath())
		}
	}
	r, err := score.Run(cmd.Context(), o, where, cmd.Flags(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	if err != nil || r == nil {
		return err
	}
	if where.JSON {
		return escape.PrintJSON(cmd.OutOrStdout(), r)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s; files: %d\n", message.Counts(r.TableCounts), len(r.Files))
	return nil
}
