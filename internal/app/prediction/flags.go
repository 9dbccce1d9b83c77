package prediction

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/model"
)

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
