package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/model"
)

func newEvaluate() *cobra.Command {
	var modelPath, train string
	var how data.Options
	var table string
	var in prediction.Intervals
	var asJSON, strict bool
	cmd := described("evaluate", noArgs, func(cmd *cobra.Command, _ []string) error {
		if err := needed(cmd, "model", "data"); err != nil {
			return err
		}
		for _, flag := range []string{"side", "adapt"} {
			if cmd.Flags().Changed(flag) && !cmd.Flags().Changed("interval") {
				return message.Usagef("--%s is for --interval", flag)
			}
		}
		m, err := model.Load(modelPath)
		if err != nil {
			return err
		}
		how.Lenient = !strict
		parts, err := prediction.LoadTable(cmd.Context(), cmd.ErrOrStderr(), m, table, how)
		if err != nil {
			return err
		}
		defer parts.Close()
		measured := &in
		if !cmd.Flags().Changed("interval") {
			measured = nil
		}
		e, err := prediction.Evaluate(cmd.Context(), cmd.ErrOrStderr(), m, parts.Test, modelPath, train, measured)
		if err != nil {
			return prediction.InTable(table, parts.Test, err)
		}
		defer message.WarnOf(cmd.ErrOrStderr(), e.Verdict)
		return printed(cmd, asJSON, e, writeEvaluation)
	})
	addModel(cmd, &modelPath)
	addTable(cmd, &table, &how.Delimiter, "a table with the model's features and target")
	addQuery(cmd, &how.Query)
	cmd.Flags().StringVar(&train, "train", "", "the `table` that the model was trained on, to find rows that repeat one of it (default: "+
		"train.csv in the directory of the run)")
	cmd.Flags().Float64Var(&in.Level, "interval", 0,
		"also measure the prediction intervals of this `level`, such as 0.9; of classes, the prediction sets")
	command.AddSide(cmd.Flags(), &in.Side)
	cmd.Flags().Float64Var(&in.Rate, "adapt", 0,
		"also let the level follow the rows in their order, at this `rate`, such as 0.005 (adaptive conformal inference)")
	command.AddStrict(cmd.Flags(), &strict)
	addJSON(cmd, &asJSON, "print one JSON object")
	return cmd
}

func writeEvaluation(w io.Writer, e *prediction.Evaluation) error {
	err := text.WriteMetrics(w, e.Metrics)
	if err == nil && e.Twins != nil {
		_, err = fmt.Fprintln(w, e.Twins)
	}
	if err == nil {
		_, err = fmt.Fprintln(w, e.Readability)
	}
	if err == nil && e.Interval != nil {
		err = text.WriteInterval(w, *e.Interval)
	}
	if err == nil && e.Adapted != nil {
		_, err = fmt.Fprintln(w, e.Adapted)
	}
	return err
}
