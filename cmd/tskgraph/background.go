package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/shapley"
)

// addBackground adds the flag that names the table that predictions are compared with.
func addBackground(cmd *cobra.Command, background *string) {
	cmd.Flags().StringVar(background, "background", "", "the `table` to compare with, with the model's features and target (default: train.csv in the directory of the run)")
}

// newAttributor attributes predictions of a model of one target to its columns, see readBackground.
func newAttributor(cmd *cobra.Command, m *model.Model, modelPath, background string) (a *shapley.Attributor, train *data.Dataset, err error) {
	d, train, err := readBackground(cmd, m, modelPath, background)
	if err != nil {
		return nil, nil, err
	}
	a, err = shapley.New(m, d, m.Training.Seed)
	return a, train, err
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
