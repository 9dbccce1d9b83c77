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
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/plot"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

func newPlot() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plot",
		Short: "Draw figures",
		Example: `  tskgraph plot memberships runs/no2-gaussian-001
  tskgraph plot surface runs/no2-gaussian-001 --features wind_speed,temperature --out surface.png
  tskgraph plot learning runs/no2-gaussian-001`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPlotMemberships(), newPlotCurves(), newPlotSurface(), newPlotResiduals(), newPlotQuantiles(), newPlotLearning(),
		newPlotPruning(), newPlotShapes())
	cmd.AddCommand(newPlotClasses()...)
	return cmd
}

func newPlotShapes() *cobra.Command {
	var dir, format string
	cmd := &cobra.Command{
		Use:     "shapes",
		Short:   "Draw every shape of membership function, one figure each",
		Example: `  tskgraph plot shapes --out docs/shapes`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
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
		},
	}
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

// newPlotClasses returns the commands of the figures of classes.
func newPlotClasses() []*cobra.Command {
	var all []*cobra.Command
	for _, f := range []struct {
		name, short, long string
		draw              func(plot.Classified) (*plot.Figure, error)
	}{
		{"confusion", "Draw the confusion matrix of classes",
			`Draw the confusion matrix of the test part, or of --data: rows are the true classes, columns the predicted ones. Of more
than 26 classes the most confused ones are drawn.`, plot.Confusion},
		{"roc", "Draw the receiver operating characteristics of classes",
			`Draw the receiver operating characteristic of each class against all others, of the second class if there are two, on the
test part, or --data, with the areas under the curves. Of more than ten curves those with the least areas are drawn.`, plot.ROC},
		{"calibration", "Draw whether predicted probabilities of classes are calibrated",
			`Draw how often what is predicted with a probability is true, on the test part, or --data: the second class if there are
two, else the most probable class; in bins of equal numbers of rows, with standard errors.`, plot.Calibration},
	} {
		cmd, d := newDrawing(f.name, f.short, f.long, func(d *drawing) (*plot.Figure, error) {
			m, in, err := d.read()
			if err != nil {
				return nil, err
			}
			c, err := plot.Classify(m, in.Data.Dataset)
			if err != nil {
				return nil, err
			}
			return f.draw(c)
		})
		d.addData(cmd, "test")
		all = append(all, cmd)
	}
	return all
}

func newPlotQuantiles() *cobra.Command {
	cmd, d := newDrawing("quantiles", "Draw predicted quantiles and observed values",
		`Draw the predicted quantiles (train.loss: quantile) of the test part, or of --data, in the order of the middle one, with the
observed values, and the outermost interval of each row over its observed value.`,
		drawQuantiles)
	d.addData(cmd, "test")
	return cmd
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

// addOutput adds the flag --output.
func addOutput(cmd *cobra.Command, d *drawing, what string) {
	cmd.Flags().StringVar(&d.value, "output", "",
		"the "+what+" to draw (default: the first, of two classes the second, of quantiles the middle one)")
	completeFlag(cmd, "output", completeOutput)
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

func newPlotLearning() *cobra.Command {
	cmd, d := newDrawing("learning", "Draw the errors over the iterations of a training",
		`Draw the RMSE, or another metric of the loss, of the mini-batches and of the validation part over the iterations of a run, from its metrics.jsonl.`,
		drawLearning)
	addMember(cmd, &d.member)
	return cmd
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

func newPlotPruning() *cobra.Command {
	cmd, _ := newDrawing("pruning", "Draw the pruning of a run",
		`Draw error and fidelity (that of the strongest rule alone over that of the model; a line at 1.15) over the number of rules
of a pruning path (tskgraph prune --path) or, for a run with rounds of pruning, how many rules each round kept, merged and
removed, from its summary.json.`,
		drawPruning)
	return cmd
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
