//go:build !nofigures

package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/plot"
)

func newPlotCurves() *cobra.Command {
	cmd, d := newDrawing("curves", "Draw the curves in the THEN parts over the data",
		`Draw the curves in the THEN parts (model.curves) over a histogram of the training part, or of --data: a panel for each
feature that has one, all on the same vertical scale, with zero as the mean over the training part. The dashed line adds the
mean slope of the feature in the formulas of the rules. If each rule has curves of its own, these are grey, and the other
lines are their means. If there are more than 16 curves, those of the 16 most important features are drawn, unless --features
names others. Of a model of several targets, quantiles or classes, they are those of one, --output; of classes in their
scores, of two in the log odds of the second, of counts and costs in the logarithm.`,
		(*drawing).curves)
	d.addData(cmd, "training")
	d.addFeatures(cmd, "only these `features`")
	addOutput(cmd, d, "`target`, class or quantile")
	return cmd
}

func (d *drawing) curves() (*plot.Figure, error) {
	m, in, err := d.read()
	if err != nil {
		return nil, err
	}
	if m.Committee() {
		return nil, whichMember(m)
	}
	j, err := outputOf(d, m)
	if err != nil {
		return nil, err
	}
	one := words.OutputModel(m, min(j, m.OutputCount()-1)) // of two classes there is one output
	curves := words.Model(one).Curves
	if curves == nil {
		return nil, message.Usagef("the rules of this model have no curves: train with model.curves shared or own")
	}
	table, features := d.background(in), d.features
	if len(features) == 0 && m.Components == nil && len(curves.Of) > manyFeatures {
		ranked, err := important(m, table, len(usedColumns(m)))
		if err != nil {
			return nil, err
		}
		for _, name := range ranked {
			if slices.ContainsFunc(curves.Of, func(c words.CommonCurve) bool { return c.Feature == name }) && len(features) < manyFeatures {
				features = append(features, name)
			}
		}
		message.Note(d.cmd.ErrOrStderr(), "the %d most important of %d features with curves; --features names others", manyFeatures, len(curves.Of))
	}
	return plot.Curves(one, table, features)
}
