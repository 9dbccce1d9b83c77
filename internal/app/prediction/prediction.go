// Package prediction is what commands, the cluster and the page ask of a saved model: predictions, measures, explanations, descriptions,
// exports and reports, and the tables that they need.
package prediction

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

// ReadTable reads a table for a model, of a large one a sample. If Lenient, missing cells and unknown categories are filled in and
// reported to w.
func ReadTable(ctx context.Context, w io.Writer, m *model.Model, path string, how data.Options) (*data.Dataset, error) {
	parts, err := LoadTable(ctx, w, m, path, how)
	if err != nil {
		return nil, err
	}
	if all := parts.Test.Whole; all != nil {
		message.Note(w, "%s: a random sample of %d of %d rows is read", escape.Text(path), parts.Test.Len(), all.Len())
	}
	return parts.Test.WithoutWhole(), parts.Close()
}

// LoadTable is ReadTable of all rows of a table of any size, the test part.
func LoadTable(ctx context.Context, w io.Writer, m *model.Model, path string, how data.Options) (*data.Parts, error) {
	parts, err := data.LoadAs(ctx, path, m.Schema, how)
	if err != nil {
		return nil, err
	}
	d := parts.Test
	message.Commas(w, path, d.Commas)
	message.Weightless(w, path, d)
	message.Strange(w, m, d.Missing)
	parts.Test = m.Fill(d)
	return parts, nil
}

// InTable returns an error about a sample of a table as one about the table and the row.
func InTable(path string, d *data.Dataset, err error) error {
	fault := (*model.SampleError)(nil)
	if !errors.As(err, &fault) {
		return err
	}
	made := &data.Error{File: path, Message: fault.Message, Err: err}
	if d.Whole == nil && fault.Sample < len(d.Rows) {
		made.Message = fmt.Sprintf("row %d: %s", d.Rows[fault.Sample], fault.Message)
	}
	return made
}

// ErrNoBackground, an error of usage, says that there is no table to compare predictions with.
var ErrNoBackground = message.Usagef("--background is required without train.csv in the directory of a run: a table to compare with, " +
	"such as the training part")

// TrainingTable returns the path of the training part in the directory of a run, which is read with the option Run; "" if there is none.
func TrainingTable(modelPath string) string { return PartTable(modelPath, "train.csv") }

// PartTable is TrainingTable of the part in a file.
func PartTable(modelPath, file string) string {
	path := filepath.Join(modelPath, file)
	if _, err := os.Lstat(path); err != nil {
		return ""
	}
	return path
}

// ReadBackground returns the table to compare predictions with: that at background or, if it is empty, the training part of
// the run, which it also returns as such. Without either the error is ErrNoBackground. Notes go to w.
func ReadBackground(ctx context.Context, w io.Writer, m *model.Model, modelPath, background string) (d, train *data.Dataset, err error) {
	if background != "" {
		d, err := ReadTable(ctx, w, m, background, data.Options{Lenient: true})
		return d, nil, err
	}
	path := TrainingTable(modelPath)
	if path == "" {
		return nil, nil, ErrNoBackground
	}
	train, err = data.ReadAs(path, m.Schema, data.Options{Delimiter: "auto", Lenient: true, Run: true})
	return train, train, err
}

// Background returns the sample of the table of [ReadBackground] that predictions are compared with.
func Background(ctx context.Context, w io.Writer, m *model.Model, modelPath, background string) (b shapley.Background, err error) {
	d, _, err := ReadBackground(ctx, w, m, modelPath, background)
	if err != nil {
		return b, err
	}
	return shapley.Sample(m, d, m.Training.Seed)
}

// Explainer attributes predictions of a model to its columns, against a background of the model's features; those of a model with
// a response by the outputs of its rules.
func Explainer(m *model.Model, b shapley.Background) (model.Explainer, error) {
	if m.Number() {
		return b.Attributor(m, m.Training.Seed)
	}
	var outputs shapley.Outputs
	for c := range m.OutputCount() {
		one := words.OutputModel(m, c)
		a, err := b.Attributor(one, m.Training.Seed)
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, shapley.Output{Name: one.Schema.Target, Attributor: a})
	}
	return outputs, nil
}
