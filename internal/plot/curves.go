package plot

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Curves draws the curves of the THEN parts over histograms of the data, a panel for each of the named features, or of all that have one.
// All panels have the same vertical scale, in the unit of the target. A panel shows the curve that the rules share, or the mean of their
// own curves with these behind it, and its sum with the mean slope of the rules. It is an error if a feature has no curve, and of a
// committee: draw its members.
func Curves(m *model.Model, d *data.Dataset, features []string) (*Figure, error) {
	if m.Committee() {
		return nil, errors.New("plot: a committee has no curves: draw those of a member")
	}
	described := words.Model(m)
	if described.Curves == nil {
		return nil, errors.New("plot: the rules have no curves: train with model.curves shared or own")
	}
	all, err := curvePanels(m, described, d, features)
	if err != nil {
		return nil, err
	}
	low, high := 0.0, 0.0
	for _, p := range all {
		for _, y := range append(p.own, p.common.Y, p.common.Total()) {
			low, high = min(low, slices.Min(y)), max(high, slices.Max(y))
		}
	}
	drawn := make([]span, len(all))
	for i, p := range all {
		drawn[i] = p.span
	}
	return columnPanels(drawn, label(m.Schema.Target, m.Schema.TargetUnit), 1.2*panelHeight, curvesLegend(described.Curves.Own),
		func(i int, width vg.Length) (*axes, error) { return all[i].plot(width, low, high), nil })
}

// curvePanel is the content of a panel of [Curves].
type curvePanel struct {
	span
	x      []float64   // of the points
	own    [][]float64 // values of each rule at x; nil if all share the curve
	common words.CommonCurve
}

// curvePanels returns the panels of the named features, or of all that have a curve.
func curvePanels(m *model.Model, d words.Description, table *data.Dataset, features []string) ([]curvePanel, error) {
	cols := columns(m)
	if m.Components != nil {
		scaled, err := m.Scale(table.X)
		if err != nil {
			return nil, err
		}
		cols, table = components(m), &data.Dataset{X: scaled}
	}
	var all []curvePanel
	for i, c := range d.Curves.Of {
		at := slices.IndexFunc(cols, func(col column) bool { return slices.Contains(col.inputs, c.Input) })
		p := curvePanel{span: spanOf(m, cols[at], cols[at].values(table)), common: c, x: slices.Clone(c.X)}
		for k := range p.x {
			if p.levels != nil {
				p.x[k]-- // levels count from 1
			}
		}
		for _, r := range d.Rules {
			if r.Then.Curves != nil {
				p.own = append(p.own, r.Then.Curves[i].Y)
			}
		}
		all = append(all, p)
	}
	if len(features) == 0 {
		return all, nil
	}
	chosen := make([]curvePanel, len(features))
	for i, name := range features {
		if _, err := find(cols, name); err != nil {
			return nil, err
		}
		at := slices.IndexFunc(all, func(p curvePanel) bool { return p.name == name })
		if at < 0 {
			return nil, fmt.Errorf("plot: the rules have no curve of %s: it has categories, or fewer than three values", escape.Quote(name))
		}
		chosen[i] = all[at]
	}
	return chosen, nil
}

// Strokes of curves.
var (
	curveStroke = strokes[0] // of the curve itself
	totalStroke = strokes[1] // with the mean slope
)

func curvesLegend(own bool) legend {
	if own {
		return legend{{"mean of the curves", &plotter.Line{LineStyle: curveStroke}},
			{"with the mean slope", &plotter.Line{LineStyle: totalStroke}},
			{"each rule", &plotter.Line{LineStyle: background}}}
	}
	return legend{{"curve", &plotter.Line{LineStyle: curveStroke}},
		{"with the mean slope of the rules", &plotter.Line{LineStyle: totalStroke}}}
}

// plot draws the panel, without labels of the axes, with values from low to high above the histogram.
func (c curvePanel) plot(width vg.Length, low, high float64) *axes {
	if high == low {
		low, high = low-1, high+1
	}
	p, foot := newPlot("", "", width), (high-low)/4
	c.background(p, width, low-float64(1.2*foot), foot)
	p.line(plotter.XYs{{X: c.low, Y: 0}, {X: c.high, Y: 0}}, background)
	for _, y := range c.own {
		c.curve(p, c.x, y, background, markOf(len(strokes)).point)
	}
	c.curve(p, c.x, c.common.Total(), totalStroke, markOf(1).point)
	c.curve(p, c.x, c.common.Y, curveStroke, markOf(0).point)
	p.Y.Min, p.Y.Max = low-float64(1.2*foot), high+foot/5
	return p
}

// Outputs returns the names of the values that a model predicts for a sample: several targets, classes, or levels of
// quantiles; nil for a single number.
func Outputs(m *model.Model) []string {
	values := m.Values()
	if len(values) == 1 && values[0].Level == 0 {
		return nil
	}
	var names []string
	for _, v := range values {
		names = append(names, v.Choice())
	}
	return names
}

// output is a value that a model predicts: number j of Outputs, or the only one.
type output struct {
	m *model.Model
	j int
}

// of returns the values in predictions [N].
func (o output) of(p model.Predictions) []float64 { return p.All()[o.j] }

// label returns the name of the value with its unit, escaped for people.
func (o output) label() string {
	v := o.m.Values()[o.j]
	return label(v.Title, v.Unit)
}
