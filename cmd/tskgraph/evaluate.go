package main

import (
	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/report"
)

func newEvaluate() *cobra.Command {
	var modelPath, dataPath, delimiter string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "evaluate",
		Short: "Measure a model's errors on a table that has the target",
		Example: `  tskgraph evaluate --model runs/no2-gaussian-001 --data runs/no2-gaussian-001/test.csv
  tskgraph evaluate --model model.json --data new.csv --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needed(cmd, "model", "data"); err != nil {
				return err
			}
			m, err := model.Load(modelPath)
			if err != nil {
				return err
			}
			d, err := data.ReadCSVAs(dataPath, m.Schema, data.Options{Delimiter: delimiter, Missing: missingPolicy(m)})
			if err != nil {
				return err
			}
			e, err := m.Evaluate(d)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), e)
			}
			return report.WriteMetrics(cmd.OutOrStdout(), e)
		},
	}
	addModel(cmd, &modelPath)
	cmd.Flags().StringVarP(&dataPath, "data", "d", "", "a table with the model's features and target")
	cmd.Flags().StringVar(&delimiter, "delimiter", "auto", "auto, comma, semicolon or tab")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// missingPolicy is how missing features are read for a model: as it was trained.
func missingPolicy(m *model.Model) string {
	if m.ImputeMeans {
		return "mean"
	}
	return "error"
}
