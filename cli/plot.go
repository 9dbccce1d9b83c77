//go:build !nofigures

package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/plot"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

func newPlot() *cobra.Command {
	cmd := described("plot", noArgs, withHelp)
	cmd.AddCommand(newPlotShapes())
	for _, f := range []figure{
		{name: "memberships", draw: (*drawing).memberships, part: "training", features: "only these `features`"},
		{name: "curves", draw: (*drawing).curves, part: "training", features: "only these `features`", output: "`target`, class or quantile"},
		{name: "surface", draw: (*drawing).surface, part: "test",
			features: "these two `features`, such as wind_speed,temperature", output: "`target`, class or quantile"},
		{name: "residuals", draw: (*drawing).residuals, part: "test", output: "`target` or quantile"},
		{name: "quantiles", draw: drawQuantiles, part: "test"},
		{name: "confusion", draw: ofClasses(plot.Confusion), part: "test"},
		{name: "roc", draw: ofClasses(plot.ROC), part: "test"},
		{name: "calibration", draw: ofClasses(plot.Calibration), part: "test"},
		{name: "learning", draw: drawLearning, members: true},
		{name: "pruning", draw: drawPruning},
	} {
		cmd.AddCommand(newDrawing(f))
	}
	return cmd
}

func newPlotShapes() *cobra.Command {
	var dir, format string
	cmd := described("plot shapes", noArgs, func(cmd *cobra.Command, _ []string) error {
		if err := needed(cmd, "out"); err != nil {
			return err
		}
		if !slices.Contains(plot.Formats(), format) {
			return message.Usagef("--format: unknown format %q: choose %s", format, strings.Join(plot.Formats(), " or "))
		}
		d, err := safefile.MakeDir(dir)
		if err != nil {
			return err
		}
		defer d.Close()
		for _, name := range membership.Names() {
			file := name + "." + format
			if err := plotShape(d, file, name, format); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), d.Path(file))
		}
		return nil
	})
	cmd.Flags().StringVarP(&dir, "out", "o", "", "`directory` for the figures; created if it does not exist")
	cmd.Flags().StringVar(&format, "format", "svg", "`format` of the figures: "+strings.Join(plot.Formats(), " or "))
	completeFlag(cmd, "format", cobra.FixedCompletions(plot.Formats(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func plotShape(d *safefile.Dir, file, name, format string) error {
	f, err := membership.Lookup(name)
	if err != nil {
		return err
	}
	figure, err := plot.Shape(f)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := figure.Write(&b, format); err != nil {
		return err
	}
	return d.Write(file, b.Bytes(), 0o666)
}

// ofClasses returns what draws a figure of classes.
func ofClasses(draw func(plot.Classified) (*plot.Figure, error)) func(*drawing) (*plot.Figure, error) {
	return func(d *drawing) (*plot.Figure, error) {
		m, in, err := d.read()
		if err != nil {
			return nil, err
		}
		c, err := plot.Classify(m, in.Data.Dataset)
		if err != nil {
			return nil, err
		}
		return draw(c)
	}
}

func drawQuantiles(d *drawing) (*plot.Figure, error) {
	m, in, err := d.read()
	if err != nil {
		return nil, err
	}
	q, err := plot.Quantify(m, in.Data.Dataset)
	if err != nil {
		return nil, err
	}
	return plot.Quantiles(q)
}

// outputOf returns the index of the output that --output names, or of the default one, which it says.
func outputOf(d *drawing, m *model.Model) (int, error) {
	names := plot.Outputs(m)
	switch {
	case names == nil && d.value != "":
		return 0, message.Usagef("--output: the model predicts a single number, %s", escape.Quote(m.Schema.Target))
	case names == nil:
		return 0, nil
	case d.value != "":
		j := slices.Index(names, d.value)
		if j < 0 {
			return 0, message.Usagef("--output: there is no %s: choose %s", escape.Quote(d.value), escape.List(names))
		}
		return j, nil
	}
	j := m.Words().Start
	message.Note(d.cmd.ErrOrStderr(), "of %s; --output names another: %s", escape.Text(names[j]), escape.List(names))
	return j, nil
}

func drawLearning(d *drawing) (*plot.Figure, error) {
	m, err := loadMember(d.model, d.member)
	if err != nil {
		return nil, err
	}
	metrics, err := runs.ReadMetrics(d.dir())
	if err != nil {
		return nil, err
	}
	if len(metrics) == 0 {
		return nil, message.Usagef("%[2]s has no %[1]s: name the directory of a run", runs.MetricsFile, d.dir())
	}
	s, err := runs.ReadSummary(d.dir())
	if err != nil {
		return nil, err
	}
	target, unit := model.Measured(m)
	return plot.Learning(metrics, d.member, prunedAfter(s), target, unit)
}

// prunedAfter returns the iterations of a run after which a round of pruning took place.
func prunedAfter(s *report.Summary) []int {
	if s == nil {
		return nil
	}
	var after []int
	at := s.Iterations
	for _, round := range slices.Backward(s.Prune) {
		if at -= round.Refinement.Iterations; at > 0 { // a saved model is pruned before the first
			after = append(after, at)
		}
	}
	return after
}

func drawPruning(d *drawing) (*plot.Figure, error) {
	m, err := model.Load(d.model)
	if err != nil {
		return nil, err
	}
	s, err := runs.ReadSummary(d.dir())
	switch {
	case err != nil:
		return nil, err
	case s == nil || len(s.Path) == 0 && len(s.Prune) == 0:
		return nil, message.Usagef("%s has no record of pruning: name a run of tskgraph prune, or of a training with prune.rounds", d.dir())
	case len(s.Path) > 0:
		target, unit := model.Measured(m)
		return plot.PruningPath(s.Path, s.Rules, target, unit)
	}
	return plot.PruningRounds(s.Prune)
}

// drawPath writes the figures of a path to the directory of the run: path.svg and path.png.
func drawPath(_ io.Writer, r *runs.Run, s *report.Summary, m *model.Model) error {
	target, unit := model.Measured(m)
	figure, err := plot.PruningPath(s.Path, s.Rules, target, unit)
	if err != nil {
		return err
	}
	for _, format := range plot.Formats() {
		var drawn bytes.Buffer
		if err := figure.Write(&drawn, format); err != nil {
			return err
		}
		if err := r.Write("path."+format, drawn.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// completeOutput completes a target, class or quantile, if the command line names a model.
func completeOutput(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	m, err := modelOf(cmd, args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return plot.Outputs(m), cobra.ShellCompDirectiveNoFileComp
}

// completeFeature completes the last feature of a list, if the command line names a model.
func completeFeature(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	m, err := modelOf(cmd, args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	before := text[:strings.LastIndex(text, ",")+1]
	var ways []string
	for _, name := range usedColumns(m) {
		if !slices.Contains(strings.Split(before, ","), name) {
			ways = append(ways, before+name)
		}
	}
	return ways, cobra.ShellCompDirectiveNoFileComp
}

// drawForecasts draws forecasts with their intervals of a level, and returns what writes them in a format.
func drawForecasts(all []*prediction.Forecast, level float64, format string) (func(io.Writer) error, error) {
	var series []plot.Forecast
	for _, f := range all {
		series = append(series, plot.Forecast{Series: f.Series, Target: f.Name, Unit: f.Unit, Level: level,
			Times: slices.Concat(f.PastTimes, f.Times), Past: f.Past, Values: f.Values, Lower: f.Lower, Upper: f.Upper})
	}
	drawn, err := plot.Forecasts(series)
	if err != nil {
		return nil, err
	}
	return func(w io.Writer) error { return drawn.Write(w, format) }, nil
}
