package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/describe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/shapley"
)

// addBackground adds the flag that names the table that predictions are compared with.
func addBackground(cmd *cobra.Command, background *string) {
	cmd.Flags().StringVar(background, "background", "", "the `table` to compare with, with the model's features and target (default: train.csv in the directory of the run)")
}

// newExplainer attributes predictions of a model to its columns, those of a model with a response by the outputs of its rules, see
// readBackground.
func newExplainer(cmd *cobra.Command, m *model.Model, modelPath, background string) (model.Explainer, error) {
	d, _, err := readBackground(cmd, m, modelPath, background)
	if err != nil {
		return nil, err
	}
	if m.Response == nil {
		return shapley.New(m, d, m.Training.Seed)
	}
	var outputs shapley.Outputs
	for c := range m.OutputCount() {
		one := describe.OutputModel(m, c)
		a, err := shapley.New(one, d, m.Training.Seed)
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, shapley.Output{Name: one.Schema.Target, Attributor: a})
	}
	return outputs, nil
}

// readBackground returns the table to compare predictions with: that at background or, if it is empty, the training part of
// the run, which it also returns as such.
func readBackground(cmd *cobra.Command, m *model.Model, modelPath, background string) (d, train *data.Dataset, err error) {
	if background != "" {
		d, err := readTable(cmd, m, background, data.Options{Lenient: true})
		return d, nil, err
	}
	path := trainingTable(modelPath)
	if path == "" {
		return nil, nil, usageError{errors.New("--background is required without train.csv in the directory of a run: a table to compare with, such as the training part")}
	}
	train, err = data.ReadAs(path, m.Schema, data.Options{Delimiter: "auto", Lenient: true})
	return train, train, err
}
