package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/study"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
)

const experimentHelp = `Repeat the study of the paper as tskgraph experiment does, whose options, results, tables and figures it has:
either command continues what the other has begun. The runs of one repeat on one data set with one membership
function are an element of the job, which one worker computes.

The command itself reads the tables and keeps --out, so both are of this machine. Workers get the data sets, and keep each result, in the
directory --state, which workers on other machines must reach: gs://BUCKET/DIRECTORY or s3://BUCKET/DIRECTORY. Whatever ends a job,
the same command continues it, and no run that ended is repeated.`

func newExperiment() *cobra.Command {
	var flags command.ExperimentFlags
	var where cluster.Options
	driver := &study.Driver{Cluster: &where}
	cmd := &cobra.Command{
		Use:   "experiment",
		Short: "Repeat the study of the paper with many workers, on its data sets or on your own",
		Long:  experimentHelp,
		Example: `  tskgraph-beam experiment --data data --out study
  tskgraph-beam experiment --data mine.csv --target y --out mine --runner flink --endpoint flink:8099 --state s3://bucket/state`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			driver.Out = cmd.OutOrStdout()
			return runExperiment(cmd, &flags, driver)
		},
	}
	flags.Add(cmd.Flags())
	cmd.Flags().StringVar((*string)(&driver.State), "state", "",
		"`directory` for what workers read and write (default: state in that of the results, as long as the study runs)")
	where.Add(cmd)
	return cmd
}

func runExperiment(cmd *cobra.Command, flags *command.ExperimentFlags, driver *study.Driver) error {
	if err := checkExperiment(cmd, flags); err != nil {
		return message.Usage(err)
	}
	plan, err := flags.Plan()
	if err != nil {
		return err
	}
	if err := command.OwnExperiment(flags.Out); err != nil {
		return message.Usage(err)
	}
	if driver.Cluster.DryRun {
		return driver.Plan(plan).Write(cmd.OutOrStdout())
	}
	if err := driver.Cluster.Check(driver.State.In(flags.Out)); err != nil {
		return err
	}
	if err := driver.Attach(cmd.Context(), &plan, flags.Out); err != nil {
		return err
	}
	plan.OnNote = func(note string) { message.Note(cmd.ErrOrStderr(), "%s", note) }
	results, err := plan.Run(cmd.Context())
	if cmd.Context().Err() != nil {
		return fmt.Errorf("%w\ncontinue with: %s", err, command.ExperimentLine(cmd.CommandPath(), cmd.Flags()))
	}
	if err != nil {
		return err
	}
	if err := driver.State.Clear(flags.Out); err != nil {
		return err
	}
	return command.WriteExperiment(cmd.OutOrStdout(), results, flags.Out, driver.Cluster.JSON)
}

// checkExperiment returns an error about a wrong use of the flags.
func checkExperiment(cmd *cobra.Command, flags *command.ExperimentFlags) error {
	given := cmd.Flags().Changed
	switch {
	case given("workers"):
		return fmt.Errorf("--workers: the runner says how many runs there are at a time: leave it out, and see the options of %s --help",
			cmd.CommandPath())
	case given("classifiers"):
		return fmt.Errorf("--classifiers: its trainings take seconds: use tskgraph experiment --classifiers")
	case len(flags.Data) == 0:
		return fmt.Errorf("--data is required: directory of the data sets, or tables of your own (see %s --help)", cmd.CommandPath())
	case flags.Out == "":
		return fmt.Errorf("--out is required: directory for results, tables and figures (see %s --help)", cmd.CommandPath())
	case given("shard") && given("json"):
		return fmt.Errorf("--shard and --json cannot be combined")
	case strings.Contains(flags.Out, "://"):
		return fmt.Errorf("--out %s: the results are kept on this machine: name a directory of it, and --state for the workers", flags.Out)
	}
	return nil
}
