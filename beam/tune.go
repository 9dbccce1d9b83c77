package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/search"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

const tuneHelp = `Search for better settings as tskgraph tune does, whose options and results it has: the same configuration, data and seed
give the same trials, the same choice, and the same directory, which either command continues. The fits of a step, one for each trial
and fold, are made by the workers of a cluster; the steps follow one another, since each depends on the results of those before it.

The command itself reads the table and keeps --out, so both are of this machine. Workers get the training part, and keep each result, in
the directory --state, which workers on other machines must reach: gs://BUCKET/DIRECTORY or s3://BUCKET/DIRECTORY. Whatever ends a
job, the same command continues it, and makes no fit again.`

func newTune() *cobra.Command {
	var flags command.TuneFlags
	var where cluster.Options
	driver := &search.Driver{Cluster: &where}
	cmd := &cobra.Command{
		Use:   "tune",
		Short: "Choose settings by cross-validation, with many workers",
		Long:  tuneHelp,
		Example: `  tskgraph-beam tune --config config.yaml --trials 100 --out tuned
  tskgraph-beam tune --config config.yaml --out tuned --runner flink --endpoint flink:8099 --state s3://bucket/state
  tskgraph-beam tune --resume tuned --trials 200`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flags.Check(cmd.Flags()); err != nil {
				return message.Usage(err)
			}
			driver.Out = cmd.OutOrStdout()
			return runTune(cmd, &flags, driver)
		},
	}
	flags.Add(cmd.Flags())
	cmd.Flags().StringVar((*string)(&driver.State), "state", "",
		"`directory` for what workers read and write (default: state in that of the results, as long as the search runs)")
	where.Add(cmd)
	return cmd
}

// errPlanned ends a command that only prints its plan.
var errPlanned = errors.New("planned")

func runTune(cmd *cobra.Command, flags *command.TuneFlags, driver *search.Driver) error {
	if strings.Contains(flags.Out, "://") {
		return message.Usagef("--out %s: the results are kept on this machine: name a directory of it, and --state for the workers", flags.Out)
	}
	command := command.Tune{
		Flags: flags, Notes: cmd.ErrOrStderr(),
		Again: func(dir string) string { return againTune(cmd, dir) },
		Planned: func(ctx context.Context, train *data.Dataset, c *config.Config, o tune.Options) error {
			plan, err := driver.Plan(ctx, train, c, o)
			if err != nil || !driver.Cluster.DryRun {
				return errors.Join(err, driver.Cluster.Check(driver.State.In(o.Dir)))
			}
			return errors.Join(plan.Write(cmd.OutOrStdout()), errPlanned)
		},
		Elsewhere: driver.Measure,
	}
	summary, err := command.Run(cmd.Context())
	if errors.Is(err, errPlanned) {
		return nil
	}
	if err != nil {
		if errors.Is(err, tune.ErrFailed) {
			err = errors.Join(err, driver.State.Clear(flags.Out))
		}
		return err
	}
	if err := driver.State.Clear(summary.Dir); err != nil {
		return err
	}
	if driver.Cluster.JSON {
		return escape.PrintJSON(cmd.OutOrStdout(), summary)
	}
	if err := text.WriteTuning(cmd.OutOrStdout(), summary); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "chosen: %s\n", summary.Config)
	return err
}

// againTune returns the command that resumes a search.
func againTune(cmd *cobra.Command, dir string) string {
	words := []string{"tskgraph-beam", "tune", "--resume", dir}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains([]string{"resume", "out", "config", "set", "group"}, f.Name) {
			words = append(words, "--"+f.Name+"="+f.Value.String())
		}
	})
	return escape.ShellLine(words...)
}
