package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/model"
)

func newEvaluate() *cobra.Command {
	var modelPath, dataPath, query, trainPath, delimiter string
	var level float64
	var asJSON, strict bool
	cmd := &cobra.Command{
		Use:   "evaluate",
		Short: "Measure a model's errors on a table that has the target",
		Long: `Measure a model's errors on a table that has the target.

Rows with the features of a training row, whatever their target, are counted, and the errors are also measured without
them: a model may have memorised such rows. The training rows are those of --train, by default of train.csv in the
directory of a run; a model file without --train is measured on all rows only.

A table may be of any size: all its rows are measured, but twins and single rules on a random sample of a large one.`,
		Example: `  tskgraph evaluate --model runs/no2-gaussian-001 --data runs/no2-gaussian-001/test.csv
  tskgraph evaluate --model model.json --data new.csv --train train.csv --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needed(cmd, "model", "data"); err != nil {
				return err
			}
			m, err := model.Load(modelPath)
			if err != nil {
				return err
			}
			parts, err := prediction.LoadTable(cmd.Context(), cmd.ErrOrStderr(), m, dataPath, data.Options{Query: query, Delimiter: delimiter, Lenient: !strict})
			if err != nil {
				return err
			}
			defer parts.Close()
			d := parts.Test
			e, err := newEvaluation(cmd.Context(), m, d)
			if err != nil {
				return err
			}
			if e.Twins, err = measureTwins(cmd, m, modelPath, trainPath, tablePart(d), e.Metrics); err != nil {
				return err
			}
			if cmd.Flags().Changed("interval") {
				if e.Interval, err = words.MeasureInterval(cmd.Context(), m, level, d); err != nil {
					return message.Usagef("--interval: %w", err)
				}
			}
			defer message.WarnOf(cmd.ErrOrStderr(), e.Verdict)
			if asJSON {
				return e.writeJSON(cmd.OutOrStdout())
			}
			return e.write(cmd.OutOrStdout())
		},
	}
	addModel(cmd, &modelPath)
	cmd.Flags().StringVarP(&dataPath, "data", "d", "", "a table with the model's features and target")
	addQuery(cmd, &query)
	cmd.Flags().StringVar(&trainPath, "train", "", "the `table` that the model was trained on, to find rows that repeat one of it (default: train.csv in the directory of the run)")
	cmd.Flags().StringVar(&delimiter, "delimiter", "auto", "auto, comma, semicolon or tab")
	cmd.Flags().Float64Var(&level, "interval", 0, "also measure the prediction intervals of this `level`, such as 0.9; of classes, the prediction sets")
	command.AddStrict(cmd.Flags(), &strict)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// measureTwins measures the rows of a table that have a twin among the training rows, those of the table at trainPath or, if
// it is empty, of the run; nil without either.
func measureTwins(cmd *cobra.Command, m *model.Model, modelPath, trainPath string, table words.Part, all model.Metrics) (*words.Twins, error) {
	var training *data.Dataset
	var err error
	if trainPath != "" {
		training, err = prediction.ReadTable(cmd.Context(), cmd.ErrOrStderr(), m, trainPath, data.Options{Lenient: true})
	} else if path := prediction.TrainingTable(modelPath); path != "" {
		training, err = data.ReadAs(path, m.Schema, data.Options{Delimiter: "auto", Lenient: true, Run: true})
	}
	if err != nil {
		return nil, err
	}
	return words.MeasureTwins(cmd.Context(), m, table, words.Part{Dataset: training}, all)
}

// evaluation is what evaluate prints.
type evaluation struct {
	model.Metrics

	// These hide the fields of Metrics of the same names, which classes do not have: nil.
	RMSE *float64 `json:"rmse,omitempty"`
	MAE  *float64 `json:"mae,omitempty"`
	R2   *float64 `json:"r2,omitempty"`

	Verdict     *baseline.Verdict  `json:"verdict"`
	Missing     data.Missing       `json:"missing"` // missing cells and categories unknown to the model
	Interval    *words.Interval    `json:"interval,omitempty"`
	Twins       *words.Twins       `json:"twins,omitempty"` // nil: no row has a twin, or the training rows are not known
	Readability *words.Readability `json:"readability"`
}

// tablePart is the table that is evaluated.
func tablePart(d *data.Dataset) words.Part { return words.Part{Name: "the table", Dataset: d} }

// newEvaluation measures a model on a table, without its twins and intervals.
func newEvaluation(ctx context.Context, m *model.Model, d *data.Dataset) (e evaluation, err error) {
	e.Missing = d.Missing
	if e.Metrics, err = m.Evaluate(ctx, d); err != nil {
		return e, err
	}
	if e.Readability, err = words.Measure(ctx, m, words.Part{}, tablePart(d)); err != nil {
		return e, err
	}
	constant, err := m.MeasureMean(ctx, d)
	e.Verdict = baseline.Compare("the table", m, e.Metrics, baseline.Errors{Constant: constant})
	return e, err
}

func (e evaluation) writeJSON(w io.Writer) error {
	if e.Classes == nil {
		e.RMSE, e.MAE, e.R2 = &e.Metrics.RMSE, &e.Metrics.MAE, &e.Metrics.R2
	}
	return escape.PrintJSON(w, e)
}

func (e evaluation) write(w io.Writer) error {
	err := text.WriteMetrics(w, e.Metrics)
	if err == nil && e.Twins != nil {
		_, err = fmt.Fprintln(w, e.Twins)
	}
	if err == nil {
		_, err = fmt.Fprintln(w, e.Readability)
	}
	if err == nil && e.Interval != nil {
		_, err = fmt.Fprintln(w, e.Interval)
	}
	return err
}
