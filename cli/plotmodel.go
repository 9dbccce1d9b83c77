//go:build !nofigures

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/plot"
	"github.com/tskgraph/tskgraph/internal/report/page"
	"github.com/tskgraph/tskgraph/model"
)

// manyFeatures is the largest number of features drawn by default: their panels fill a page.
const manyFeatures = 16

// drawing is a `plot` command about a model.
type drawing struct {
	reporting
	name     string // of the figure
	features []string
	member   int
	value    string // to draw, of several that the model predicts
}

// newDrawing returns the command of a figure; draw makes the figure once the model is read.
func newDrawing(name, short, long string, draw func(*drawing) (*plot.Figure, error)) (*cobra.Command, *drawing) {
	d := &drawing{name: name}
	cmd := &cobra.Command{
		Use:   name + " [RUN_DIR]",
		Short: short,
		Long: long + `

The figure is 85 mm wide, for one column of a paper. The extension of --out chooses its format, .svg or .png.`,
		Example: fmt.Sprintf(`  tskgraph plot %[1]s runs/no2-gaussian-001                  # writes runs/no2-gaussian-001/%[1]s.svg
  tskgraph plot %[1]s runs/no2-gaussian-001 --out %[1]s.png`, name),
		Args: oneRun,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := d.reporting.named(cmd, args); err != nil {
				return err
			}
			d.cmd = cmd
			if d.out == "" {
				d.out, d.chosen = filepath.Join(d.dir(), name+".svg"), true
			}
			format := "svg"
			if d.out != "-" {
				format = strings.TrimPrefix(strings.ToLower(filepath.Ext(d.out)), ".")
			}
			if format != "svg" && format != "png" {
				return message.Usagef("--out %s: unknown format: name a file that ends in .svg or .png", d.out)
			}
			if err := d.output().check(); err != nil {
				return err
			}
			f, err := draw(d)
			if unknown := (*plot.FeatureError)(nil); errors.As(err, &unknown) {
				return message.Usagef("--features: %w", err)
			}
			if other := (*plot.TaskError)(nil); errors.As(err, &other) {
				return message.Usagef("%s", other.Message)
			}
			if err != nil {
				return err
			}
			if err := d.output().write(cmd, func(w io.Writer) error { return f.Write(w, format) }); err != nil || d.out == "-" {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), d.out)
			return err
		},
	}
	addModel(cmd, &d.model)
	cmd.Flags().StringVarP(&d.out, "out", "o", "",
		"the `file` to write, or - for standard output (default: "+name+".svg in the directory of the run, or a new file beside the model file)")
	return cmd, d
}

// addData adds the flags of a figure that is drawn from a table.
func (d *drawing) addData(cmd *cobra.Command, part string) {
	addMember(cmd, &d.member)
	cmd.Flags().StringVarP(&d.data, "data", "d", "", "a table with the model's features and target (default: the "+part+" part of the run)")
	cmd.Flags().StringVar(&d.delimiter, "delimiter", "auto", "auto, comma, semicolon or tab")
}

// addFeatures adds the flag --features, which may also be written --feature.
func (d *drawing) addFeatures(cmd *cobra.Command, use string) {
	cmd.Flags().StringSliceVar(&d.features, "features", nil, use)
	completeFlag(cmd, "features", completeFeature)
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "feature" {
			name = "features"
		}
		return pflag.NormalizedName(name)
	})
}

// dir returns the directory of the run, or of the model file.
func (d *drawing) dir() string {
	if info, err := os.Stat(d.model); err == nil && !info.IsDir() {
		return filepath.Dir(d.model)
	}
	return d.model
}

// read returns the model, or the chosen member of a committee, and the table to draw.
func (d *drawing) read() (*model.Model, page.Input, error) {
	in, err := d.input()
	if err != nil {
		return nil, in, err
	}
	m, err := memberOf(in.Model, d.member)
	return m, in, err
}

func newPlotMemberships() *cobra.Command {
	cmd, d := newDrawing("memberships", "Draw the membership functions of each feature over the data",
		`Draw the membership functions of each feature over a histogram of the training part, or of --data. Those of the four
rules that fire most are coloured, and the legend gives their shares of the firing. If there are more than 16 features, the
16 most important are drawn, unless --features names others.`,
		(*drawing).memberships)
	d.addData(cmd, "training")
	d.addFeatures(cmd, "only these `features`")
	return cmd
}

func (d *drawing) memberships() (*plot.Figure, error) {
	m, in, err := d.read()
	if err != nil {
		return nil, err
	}
	if m.Committee() {
		return nil, whichMember(m)
	}
	table := d.background(in)
	features := d.features
	if all := usedColumns(m); len(features) == 0 && m.Components == nil && len(all) > manyFeatures {
		if features, err = important(m, table, manyFeatures); err != nil {
			return nil, err
		}
		message.Note(d.cmd.ErrOrStderr(), "the %d most important of %d features; --features names others", manyFeatures, len(all))
	}
	return plot.Memberships(m, table, features)
}

// background returns the table of the histograms: that of --data, or the training part.
func (d *drawing) background(in page.Input) *data.Dataset {
	if d.data == "" && in.Train != nil {
		return in.Train.Dataset
	}
	return in.Data.Dataset
}

func newPlotSurface() *cobra.Command {
	cmd, d := newDrawing("surface", "Draw the prediction over two features",
		`Draw the prediction over two features, the two most important ones unless --features names others. All other features
are fixed at their median or most frequent level. Dots show the data: elsewhere the surface is extrapolated. A model with
neighbours is drawn with their corrections.`,
		(*drawing).surface)
	d.addData(cmd, "test")
	d.addFeatures(cmd, "these two `features`, such as wind_speed,temperature")
	addOutput(cmd, d, "`target`, class or quantile")
	return cmd
}

func (d *drawing) surface() (*plot.Figure, error) {
	if n := len(d.features); n != 0 && (n != 2 || d.features[0] == d.features[1]) {
		return nil, message.Usagef("--features: name two different features, such as wind_speed,temperature")
	}
	m, in, err := d.read()
	if err != nil {
		return nil, err
	}
	features := d.features
	if len(features) == 0 {
		if features, err = important(m, in.Data.Dataset, 2); err != nil {
			return nil, err
		}
		if len(features) < 2 {
			return nil, errors.New("the model uses only one feature: a surface needs two")
		}
		message.Note(d.cmd.ErrOrStderr(), "over %s and %s; --features names others", features[0], features[1])
	}
	j, err := outputOf(d, m)
	if err != nil {
		return nil, err
	}
	return plot.Surface(m, in.Data.Dataset, features[0], features[1], j)
}

func newPlotResiduals() *cobra.Command {
	cmd, d := newDrawing("residuals", "Draw observed and predicted values, and residuals",
		`Draw the observed over the predicted values of the test part, or of --data, and the residuals (observed minus
predicted) over the predicted values, with the corrections of a model with neighbours.`,
		(*drawing).residuals)
	d.addData(cmd, "test")
	addOutput(cmd, d, "`target` or quantile")
	return cmd
}

func (d *drawing) residuals() (*plot.Figure, error) {
	m, in, err := d.read()
	if err != nil {
		return nil, err
	}
	j, err := outputOf(d, m)
	if err != nil {
		return nil, err
	}
	return plot.Residuals(m, in.Data.Dataset, j)
}

// usedColumns returns the columns that are not constant.
func usedColumns(m *model.Model) []string {
	var names []string
	for _, c := range m.Schema.Columns {
		if !c.Unused {
			names = append(names, c.Name)
		}
	}
	return names
}

// important returns the n most important columns, or all if there are fewer.
func important(m *model.Model, d *data.Dataset, n int) ([]string, error) {
	ranked, _, err := page.Permute(m, d)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, i := range ranked[:min(n, len(ranked))] {
		names = append(names, i.Name)
	}
	return names, nil
}

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
		message.Note(d.cmd.ErrOrStderr(), "the %d most important of %d features with curves; --features names others", manyFeatures,
			len(curves.Of))
	}
	return plot.Curves(one, table, features)
}
