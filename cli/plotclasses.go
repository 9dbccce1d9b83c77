//go:build !nofigures

package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/plot"
	"github.com/tskgraph/tskgraph/model"
)

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
			if m.Schema.Classes == nil {
				return nil, message.Usagef("the target %s is of numbers, not of classes: tskgraph plot residuals draws its errors", escape.Quote(m.Schema.Target))
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
	if len(m.Response.Quantiles) < 2 {
		return nil, message.Usagef("the model does not predict several quantiles: train with train.loss quantile and train.quantiles")
	}
	q, err := plot.Quantify(m, in.Data.Dataset)
	if err != nil {
		return nil, err
	}
	return plot.Quantiles(q)
}

// addOutput adds the flag --output.
func addOutput(cmd *cobra.Command, d *drawing, what string) {
	cmd.Flags().StringVar(&d.value, "output", "", "the "+what+" to draw (default: the first, of two classes the second, of quantiles the middle one)")
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
