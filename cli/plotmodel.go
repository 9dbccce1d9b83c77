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
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/plot"
	"github.com/tskgraph/tskgraph/internal/report/page"
	"github.com/tskgraph/tskgraph/model"
)

// manyFeatures is the largest number of features drawn by default: their panels fill a page.
const manyFeatures = 16

// figure is a figure of a model, and the flags that it takes.
type figure struct {
	name     string
	draw     func(*drawing) (*plot.Figure, error) // once the model is read
	part     string                               // of the run that it is drawn from unless --data names a table; empty: from none
	members  bool                                 // --member
	features string                               // what --features means; empty: no such flag
	output   string                               // what --output means; empty: no such flag
}

// drawing is a `plot` command about a model.
type drawing struct {
	reporting
	features []string
	member   int
	value    string // to draw, of several that the model predicts
}

// newDrawing returns the command of a figure.
func newDrawing(f figure) *cobra.Command {
	d := &drawing{}
	cmd := described("plot "+f.name, oneRun, func(cmd *cobra.Command, args []string) error {
		if err := d.named(cmd, args); err != nil {
			return err
		}
		return d.run(f)
	})
	cmd.Long += "\n\nThe figure is 85 mm wide, for one column of a paper. The extension of --out chooses its format, .svg or .png."
	cmd.Example = fmt.Sprintf(`  tskgraph plot %[1]s runs/no2-gaussian-001                  # writes runs/no2-gaussian-001/%[1]s.svg
  tskgraph plot %[1]s runs/no2-gaussian-001 --out %[1]s.png`, f.name)
	addModel(cmd, &d.model)
	addOut(cmd, &d.out, f.name+".svg")
	if f.part != "" || f.members {
		addMember(cmd, &d.member)
	}
	if f.part != "" {
		addTable(cmd, &d.data, &d.delimiter, "a table with the model's features and target (default: the "+f.part+" part of the run)")
	}
	if f.features != "" { // which may also be written --feature
		cmd.Flags().StringSliceVar(&d.features, "features", nil, f.features)
		completeFlag(cmd, "features", completeFeature)
		cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
			if name == "feature" {
				name = "features"
			}
			return pflag.NormalizedName(name)
		})
	}
	if f.output != "" {
		cmd.Flags().StringVar(&d.value, "output", "",
			"the "+f.output+" to draw (default: the first, of two classes the second, of quantiles the middle one)")
		completeFlag(cmd, "output", completeOutput)
	}
	return cmd
}

// run draws the figure and writes it.
func (d *drawing) run(f figure) error {
	if d.out == "" {
		d.out, d.chosen = filepath.Join(d.dir(), f.name+".svg"), true
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
	drawn, err := f.draw(d)
	if other := (*plot.TaskError)(nil); errors.As(err, &other) {
		return message.Usagef("%s", other.Message)
	}
	if unknown := (*plot.FeatureError)(nil); errors.As(err, &unknown) {
		return message.Usagef("--features: %w", err)
	}
	if err != nil {
		return err
	}
	if err := d.output().write(d.cmd, func(w io.Writer) error { return drawn.Write(w, format) }); err != nil || d.out == "-" {
		return err
	}
	_, err = fmt.Fprintln(d.cmd.OutOrStdout(), d.out)
	return err
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

func (d *drawing) memberships() (*plot.Figure, error) {
	m, in, err := d.read()
	if err != nil {
		return nil, err
	}
	if m.Committee() {
		return nil, whichMember(m)
	}
	if n := model.CountRules(m); m.Pages != nil && n != m.RuleBase.Rules() {
		return nil, message.Usagef("%s on the page are compiled to %d, by levels, factors and several pages: use show, or plot surface",
			numeric.Counted(n, "rule"), m.RuleBase.Rules())
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
		if features, err = together(m, in.Data.Dataset); err != nil {
			return nil, err
		}
		message.Note(d.cmd.ErrOrStderr(), "over %s and %s, which act together most; --features names others", features[0], features[1])
	}
	j, err := outputOf(d, m)
	if err != nil {
		return nil, err
	}
	return plot.Surface(m, d.background(in), features[0], features[1], j)
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

// together returns the two columns that act together most.
func together(m *model.Model, d *data.Dataset) ([]string, error) {
	ranked, _, err := page.Permute(m, d)
	if err != nil {
		return nil, err
	}
	pairs, err := page.Together(m, d, ranked)
	if err != nil {
		return nil, err
	}
	if len(pairs) == 0 {
		return nil, message.Usagef("among the most important features no two act together: a surface shows no more than each alone; " +
			"name two with --features to draw them anyway")
	}
	return []string{m.Schema.Columns[pairs[0][0]].Name, m.Schema.Columns[pairs[0][1]].Name}, nil
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
