package command

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/model"
)

// Config are the flags of commands that read a configuration.
type Config struct {
	Path            string   // --config, or the configuration of what is resumed
	Run             bool     // see config.Source
	Set             []string // --set
	Memory, Scratch string
}

// Add adds the flags to a command.
func (f *Config) Add(flags *pflag.FlagSet) {
	flags.StringVarP(&f.Path, "config", "c", "", "configuration `file` (default: the defaults of config.yaml)")
	flags.StringArrayVar(&f.Set, "set", nil, "set a key of the configuration, `key=value`; may be repeated")
	flags.StringVar(&f.Memory, "memory", "", "memory for a large table, a `size` such as 512MiB; the same as --set data.memory=...")
	flags.StringVar(&f.Scratch, "scratch", "", "`directory` for what of a large table exceeds it; the same as --set data.scratch=...")
}

// Settings returns the values of keys that the flags set, as config.Source.Set has them.
func (f *Config) Settings() []string {
	set := slices.Clone(f.Set)
	if f.Memory != "" {
		set = append(set, "data.memory="+f.Memory)
	}
	if f.Scratch != "" {
		set = append(set, "data.scratch="+f.Scratch)
	}
	return set
}

// Load reads the configuration: the file, the environment and what the flags set.
func (f *Config) Load() (*config.Config, error) {
	return config.Load(config.Source{Path: f.Path, Run: f.Run, Env: os.Environ(), Set: f.Settings()})
}

// Prediction are the flags of commands that predict: they say what is added to a table.
type Prediction struct {
	model.TableOptions        // all but Explain
	WithExplain        bool   // --explain
	Background         string // --background, a path
}

// Add adds the flags to a command.
func (f *Prediction) Add(flags *pflag.FlagSet) {
	flags.StringVar(&f.Delimiter, "delimiter", "auto", "auto, comma, semicolon or tab")
	flags.BoolVar(&f.Spread, "spread", false, "add the standard deviation over a committee's members")
	flags.Float64Var(&f.Interval, "interval", 0, "add the bounds of the prediction interval of this `level`, such as 0.9")
	AddSide(flags, &f.Side)
	flags.Float64Var(&f.Sets, "sets", 0, "add the prediction set of classes of this `level`")
	flags.Lookup("sets").NoOptDefVal = strconv.FormatFloat(words.UsualLevel, 'g', -1, 64)
	flags.BoolVar(&f.WithExplain, "explain", false, "add the contribution of each column to the prediction")
	AddBackground(flags, &f.Background)
	AddStrict(flags, &f.Strict)
	flags.BoolVar(&f.Firing, "firing", false, "add the normalised firing level of every rule and what it says")
	flags.BoolVar(&f.Flags, "flags", false, "add why to doubt the prediction: cells outside the training range, missing or unknown")
	flags.BoolVar(&f.SafeCells, "safe-cells", false, "put a ' before cells that a spreadsheet would read as formulas")
}

// AddSide adds the flag of the side on which intervals have bounds.
func AddSide(flags *pflag.FlagSet, side *model.Side) {
	flags.StringVar((*string)(side), "side", string(model.BothSides), "on which the interval has bounds: both, lower or upper")
}

// AddBackground adds the flag that names the table that predictions are compared with.
func AddBackground(flags *pflag.FlagSet, background *string) {
	flags.StringVar(background, "background", "",
		"the `table` to compare with, with the model's features and target (default: train.csv in the directory of the run)")
}

// AddStrict adds the flag that refuses cells which are filled in otherwise.
func AddStrict(flags *pflag.FlagSet, strict *bool) {
	flags.BoolVar(strict, "strict", false, "refuse a table with missing cells or categories unknown to the model")
}

// Check returns an error about a wrong use of the flags that were added to a flag set, with a model and the name of an output.
func (f *Prediction) Check(flags *pflag.FlagSet, m *model.Model, out string) error {
	if f.SafeCells && table.Writable(out) != nil {
		return errors.New("--safe-cells is for delimited text: leave it out, no cell of Parquet or of a workbook is a formula")
	}
	if f.Background != "" && !f.WithExplain {
		return errors.New("--background is for --explain")
	}
	if flags.Changed("side") && !flags.Changed("interval") {
		return errors.New("--side is for --interval")
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
