//go:build !nofigures

package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/experiment"
	"github.com/tskgraph/tskgraph/internal/app/message"
)

const experimentHelp = `Run the algorithms that the paper compares on its ten data sets, over random splits into 70% for training and 30% for
testing, and write the paper's tables and figures, with intervals and tests, to a directory: report.md, tables, figures, and
summary.json. The directory also keeps each result: an interrupted study continues where it stopped, and no run is repeated.
A shard (--shard 1/4) runs only its part of the study; to combine shards, copy their results into one directory and run
without --shard. docs/datasets.md says where to get the data sets.

If --data names CSV files, or a directory with CSV files but none of the ten, the study runs on these tables: with the same
splits, algorithms, tables and tests. Each is named after its file; all start with 32 rules, and those with at most 2000 rows
take part in the comparison with ANFIS.

With --classifiers it compares trainings of classifiers instead, on the built-in iris and on tables of --data whose target
is a class: mini-batch gradient descent with AdaBound (MBGD), with Rule Dropout, with uniform regularisation and batch
normalisation (MBGD-UR, MBGD-UR-BN), with DropRule (MBGD-RDA), and the default preset. It prints means over the splits.`

func newExperiment() *cobra.Command {
	var flags experiment.Flags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "experiment",
		Short: "Repeat the study of the paper, on its data sets or on your own",
		Long:  experimentHelp,
		Example: `  tskgraph experiment --data data --out study
  tskgraph experiment --data data --datasets no2,concrete --algorithms 'vMBGD-RDA[R0],vMBGD-RDA[R0->R]' --repeats 5 --json
  tskgraph experiment --data data --curves --shard 1/2
  tskgraph experiment --data mine.csv,yours.csv --target y --repeats 10 --out mine
  tskgraph experiment --classifiers --repeats 5`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.Classifiers {
				return compareClassifiers(cmd, flags, asJSON)
			}
			if err := needed(cmd, "data", "out"); err != nil {
				return err
			}
			if err := exclusive(cmd, "shard", "json"); err != nil {
				return err
			}
			plan, err := flags.Plan()
			if err != nil {
				return err
			}
			if err := experiment.Own(flags.Out); err != nil {
				return message.Usage(err)
			}
			plan.OnNote = func(note string) { fmt.Fprintf(cmd.ErrOrStderr(), "note: %s\n", note) }
			bar := newStudyProgress(cmd.ErrOrStderr())
			plan.OnProgress = bar.show
			results, err := plan.Run(cmd.Context())
			bar.stop()
			if cmd.Context().Err() != nil {
				return fmt.Errorf("%w\ncontinue with: %s", err, experiment.Command(cmd.CommandPath(), cmd.Flags()))
			}
			if err != nil {
				return err
			}
			return experiment.Write(cmd.OutOrStdout(), results, flags.Out, asJSON)
		},
	}
	flags.Add(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the averages as one JSON array")
	return cmd
}
