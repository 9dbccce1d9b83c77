package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/model"
)

func newForecast() *cobra.Command {
	f := forecasting{output: output{path: "-"}}
	cmd := described("forecast", oneRun, f.run)
	addModel(cmd, &f.model)
	cmd.Flags().StringVarP(&f.data, "data", "d", "", "a table of the past, with the columns of the training table, or - for standard input")
	addQuery(cmd, &f.query)
	cmd.Flags().IntVar(&f.steps, "steps", 0, "how many `steps` to forecast (default: the end of data.horizon)")
	cmd.Flags().Float64Var(&f.level, "interval", 0.9, "the `level` of the intervals; 0: none")
	cmd.Flags().StringVarP(&f.path, "out", "o", "-", "the `file` to write, or - for standard output")
	cmd.Flags().StringVar(&f.figure, "plot", "", "draw the forecast to a `file`, .svg or .png")
	return cmd
}

// forecasting is one `forecast` command.
type forecasting struct {
	output
	model, data, query, figure string
	steps                      int
	level                      float64
}

func (f *forecasting) run(cmd *cobra.Command, args []string) (err error) {
	if f.model, err = namedModel(cmd, args, f.model); err != nil {
		return err
	}
	if err := needed(cmd, "data"); err != nil {
		return err
	}
	f.reads = append(modelFiles(f.model), f.data)
	figure := output{path: f.figure, reads: append(slices.Clone(f.reads), f.path)}
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(f.figure)), ".")
	switch {
	case f.level < 0 || f.level >= 1:
		return message.Usagef("--interval %v: want a level below 1, such as 0.9, or 0", f.level)
	case f.figure != "" && format != "svg" && format != "png":
		return message.Usagef("--plot %s: unknown format: name a file that ends in .svg or .png", f.figure)
	}
	if err := f.check(); err != nil {
		return err
	}
	if err := figure.check(); f.figure != "" && err != nil {
		return err
	}
	m, err := model.Load(f.model)
	if err != nil {
		return err
	}
	if m.Schema.Time != nil && !cmd.Flags().Changed("steps") {
		f.steps = m.Schema.Time.Steps()
	}
	if err := f.chooseLevel(cmd, m); err != nil {
		return err
	}
	in := input(cmd, f.data)
	in.Query = f.query
	all, err := prediction.ForecastTable(cmd.Context(), m, in, f.steps, f.level)
	if err != nil {
		return err
	}
	parts := []part{{f.output, func(w io.Writer) error { return prediction.WriteForecasts(w, m, all) }}}
	if f.figure != "" {
		draw, err := drawForecasts(all, f.level, format)
		if err != nil {
			return err
		}
		parts = append(parts, part{figure, draw})
	}
	return writeAll(cmd, parts...)
}

// chooseLevel leaves the intervals of the default level out where the model has none.
func (f *forecasting) chooseLevel(cmd *cobra.Command, m *model.Model) error {
	if f.steps < 1 && m.Schema.Time != nil {
		return message.Usagef("--steps %d: want at least 1", f.steps)
	}
	if m.Schema.Time == nil || f.level == 0 {
		return nil
	}
	err := prediction.CheckIntervals(m, f.steps, f.level)
	if err != nil && cmd.Flags().Changed("interval") {
		return message.Usage(err)
	}
	if err != nil {
		message.Note(cmd.ErrOrStderr(), "%s", strings.TrimPrefix(fmt.Sprint(err), "model: "))
		f.level = 0
	}
	return nil
}
