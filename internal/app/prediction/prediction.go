// Package prediction is what the commands that predict share, `tskgraph predict` and `tskgraph-beam score`: flags, tables, the background of
// explanations, and the formats of the output.
package prediction

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/data/table"
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
	message.Strange(w, m.ImputeMeans, d.Missing)
	parts.Test = m.Fill(d)
	return parts, nil
}

// ErrNoBackground says that there is no table to compare predictions with.
var ErrNoBackground = errors.New("--background is required without train.csv in the directory of a run: a table to compare with, such as the training part")

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

// Flags are the flags that say what is added to a table.
type Flags struct {
	model.TableOptions        // all but Explain
	WithExplain        bool   // --explain
	Background         string // --background, a path
}

// Add adds the flags to a command.
func (f *Flags) Add(flags *pflag.FlagSet) {
	flags.StringVar(&f.Delimiter, "delimiter", "auto", "auto, comma, semicolon or tab")
	flags.BoolVar(&f.Spread, "spread", false, "add the standard deviation over a committee's members")
	flags.Float64Var(&f.Interval, "interval", 0, "add the bounds of the prediction interval of this `level`, such as 0.9")
	flags.Float64Var(&f.Sets, "sets", 0, "add the prediction set of classes of this `level`")
	flags.Lookup("sets").NoOptDefVal = strconv.FormatFloat(words.UsualLevel, 'g', -1, 64)
	flags.BoolVar(&f.WithExplain, "explain", false, "add the contribution of each column to the prediction")
	AddBackground(flags, &f.Background)
	AddStrict(flags, &f.Strict)
	flags.BoolVar(&f.Firing, "firing", false, "add the normalised firing level of every rule and what it says")
	flags.BoolVar(&f.SafeCells, "safe-cells", false, "put a ' before cells that a spreadsheet would read as formulas")
}

// AddBackground adds the flag that names the table that predictions are compared with.
func AddBackground(flags *pflag.FlagSet, background *string) {
	flags.StringVar(background, "background", "", "the `table` to compare with, with the model's features and target (default: train.csv in the directory of the run)")
}

// AddStrict adds the flag that refuses cells which are filled in otherwise.
func AddStrict(flags *pflag.FlagSet, strict *bool) {
	flags.BoolVar(strict, "strict", false, "refuse a table with missing cells or categories unknown to the model")
}

// Check returns an error about a wrong use of the flags that were added to a flag set, with a model and the name of an output.
func (f *Flags) Check(flags *pflag.FlagSet, m *model.Model, out string) error {
	if f.SafeCells && table.Writable(out) != nil {
		return errors.New("--safe-cells is for delimited text: leave it out, no cell of Parquet is a formula")
	}
	if f.Background != "" && !f.WithExplain {
		return errors.New("--background is for --explain")
	}
	for _, level := range []struct {
		name  string
		value float64
	}{{"interval", f.Interval}, {"sets", f.Sets}} {
		if flags.Changed(level.name) && level.value == 0 {
			return fmt.Errorf("--%s 0: must lie between 0 and 1, such as 0.9", level.name)
		}
	}
	_, err := f.Columns(m)
	return err
}
