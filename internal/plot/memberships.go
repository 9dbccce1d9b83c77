package plot

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	curvePoints = 201
	panelHeight = 27 * vg.Millimeter
)

// Memberships draws the membership functions of the named features, or of all, over histograms of the data. The first four rules, as
// printed, have colours, the same in every panel, and the legend gives the shares. A rule without a condition on a feature has no
// function there, and a feature without any is not drawn. Categorical columns, and numbers with few distinct values, have points at the
// levels or values. For a model with principal components the functions are those of the components. A committee is an error: draw its
// members.
func Memberships(m *model.Model, d *data.Dataset, features []string) (*Figure, error) {
	if m.Committee() {
		return nil, errors.New("plot: a committee has no membership functions: draw those of a member")
	}
	scaled, err := m.Scale(d.X)
	if err != nil {
		return nil, err
	}
	all := columns(m)
	if m.Components != nil {
		all = components(m)
	}
	if len(features) > 0 {
		chosen := make([]column, len(features))
		for i, name := range features {
			if chosen[i], err = find(all, name); err != nil {
				return nil, err
			}
		}
		all = chosen
	}
	values := &data.Dataset{X: d.X}
	if m.Components != nil {
		values.X = scaled
	}
	var drawn []span
	for _, c := range all {
		if slices.ContainsFunc(c.inputs, func(i int) bool { return mentioned(m, i) }) {
			drawn = append(drawn, spanOf(m, c, c.values(values)))
		}
	}
	if len(drawn) == 0 {
		return nil, errors.New("plot: no rule has a condition on these features: there is no membership function to draw")
	}
	order := byDecision(m)
	slices.Sort(order[:min(len(order), len(strokes))])
	return columnPanels(drawn, "grade", panelHeight, rulesLegend(m, order), func(i int, width vg.Length) (*axes, error) {
		return memberships(m, drawn[i], order, width)
	})
}

// mentioned reports whether a rule has a condition on an input.
func mentioned(m *model.Model, input int) bool {
	for r := range m.Rules {
		if !m.RuleBase.IsFlat(r, input) {
			return true
		}
	}
	return false
}

// columnPanels arranges a panel for each column below a legend, at most two in a row; draw draws one of a width without labels of the axes.
func columnPanels(all []span, y string, height vg.Length, l legend, draw func(i int, width vg.Length) (*axes, error)) (*Figure, error) {
	across := min(2, len(all))
	if across == 1 {
		height = 50 * vg.Millimeter
	}
	width := Width/vg.Length(across) - 9*vg.Millimeter
	titles := make([]string, len(all))
	for i, s := range all {
		titles[i] = s.title()
	}
	titles, y = fit(titles, style(labelSize), width), fit([]string{y}, style(labelSize), height-8*vg.Millimeter)[0]
	if slices.ContainsFunc(all, func(s span) bool { return s.turns(width) }) {
		height += turnedWidth
	}
	var panels []*axes
	for i := range all {
		p, err := draw(i, width)
		if err != nil {
			return nil, err
		}
		p.X.Label.Text = titles[i]
		if i%across == 0 {
			p.Y.Label.Text = y
		}
		panels = append(panels, p)
	}
	return multiples(panels, across, height, l)
}

// components returns the inputs of the rules as columns.
func components(m *model.Model) []column {
	var all []column
	for k, f := range m.Inputs() {
		all = append(all, column{name: f.Name, first: k, width: 1, inputs: []int{k}})
	}
	return all
}

// byDecision returns the rules in the order in which they are printed, see [words.Listed].
func byDecision(m *model.Model) (order []int) {
	d := words.Model(m)
	for _, r := range words.Listed(d) {
		for _, number := range d.Say(r).Numbers {
			order = append(order, number-1)
		}
	}
	return order
}

func rulesLegend(m *model.Model, order []int) legend {
	var l legend
	for i, r := range order[:min(len(order), len(strokes))] {
		l = append(l, entry{fmt.Sprintf("rule %d (%.0f%%)", r+1, 100*m.Rules[r].Share), markOf(i)})
	}
	if more := len(order) - len(strokes); more > 0 {
		l = append(l, entry{fmt.Sprintf("%d more", more), markOf(len(strokes))})
	}
	return l
}

// mark is the style of the grades of a rule: of a line, and of points.
type mark struct {
	plotter.Line
	point draw.GlyphStyle
}

// markOf returns the mark of the i-th rule by share.
func markOf(i int) mark {
	if i >= len(strokes) {
		return mark{plotter.Line{LineStyle: background}, draw.GlyphStyle{Color: faint, Radius: vg.Points(1), Shape: draw.CircleGlyph{}}}
	}
	shape := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{}}[i]
	return mark{plotter.Line{LineStyle: strokes[i]}, draw.GlyphStyle{Color: strokes[i].Color, Radius: vg.Points(1.8), Shape: shape}}
}

// Thumbnail draws the line with a point on it.
func (k mark) Thumbnail(c *draw.Canvas) {
	k.Line.Thumbnail(c)
	c.DrawGlyph(k.point, c.Center())
}

// memberships draws the panel of a column, without its title.
func memberships(m *model.Model, s span, order []int, width vg.Length) (*axes, error) {
	p, x := newPlot("", "", width), []float64(s.places)
	if x == nil {
		x = between(s.low, s.high, curvePoints)
	}
	s.background(p, width, 0, 1)
	u, err := seen(m, s.column, x)
	if err != nil {
		return nil, err
	}
	addGrades(p, m, s.column, x, u, s.places, order)
	p.Y.Min, p.Y.Max = 0, 1.03
	p.Y.Tick.Marker = gonum.ConstantTicks{{Value: 0, Label: "0"}, {Value: 0.5, Label: "0.5"}, {Value: 1, Label: "1"}}
	return p, nil
}

// seen returns the inputs of the rules for values of a column, with all other features at their means.
func seen(m *model.Model, c column, values []float64) ([][]float64, error) {
	rows := make([][]float64, len(values))
	for i, v := range values {
		rows[i] = make([]float64, max(len(m.Features), len(m.Inputs())))
		for j, f := range m.Features {
			rows[i][j] = f.Mean
		}
		c.set(rows[i], v)
	}
	if m.Components != nil {
		return rows, nil
	}
	return m.Scale(rows)
}

// addGrades draws the grades of the rules with a condition on a column at the values x, whose inputs are u: as points side by side at its
// places or, without places, as curves. The rules with the largest shares are drawn last, on top.
func addGrades(p *axes, m *model.Model, c column, x []float64, u [][]float64, at places, order []int) {
	grades := map[int][]float64{} // by index in order
	for i, r := range order {
		if g := columnGrades(m, r, c.inputs, u); g != nil {
			grades[i] = g
		}
	}
	for n, i := range slices.Backward(slices.Sorted(maps.Keys(grades))) {
		if at != nil {
			p.glyphs(at.points(grades[i], 0.7*((float64(n)+0.5)/float64(len(grades))-0.5)), markOf(i).point)
			continue
		}
		p.line(xys(x, grades[i]), markOf(i).LineStyle)
	}
}

// columnGrades returns the grades of a rule over some inputs, joined by the t-norm; nil if the rule has no condition on them.
func columnGrades(m *model.Model, r int, inputs []int, u [][]float64) []float64 {
	var joined []float64
	params, x, grades := make([]float64, len(m.RuleBase.Antecedents)), make([]float64, len(u)), make([]float64, len(u))
	for _, i := range inputs {
		if m.RuleBase.IsFlat(r, i) {
			continue
		}
		for n := range u {
			x[n] = u[n][i]
		}
		m.RuleBase.Shape.Grades(grades, x, m.RuleBase.Function(params, r, i))
		if joined == nil {
			joined = slices.Clone(grades)
			continue
		}
		inference.OrProduct(m.RuleBase.TNorm).Join(joined, grades)
	}
	return joined
}

// Shape draws the grade over x of three membership functions of a shape: two that it places, at -3 with spread 0.5 and at 0 with spread 1,
// and one near 4 whose parameters differ from any placement, as after training. Dots mark the kinks.
func Shape(f membership.Function) (*Figure, error) {
	curves := [][]float64{f.Place(-3, 0.5), f.Place(0, 1), apart(f)}
	from, to := extent(f, curves)
	p := newWide(f.Name(), "x", "grade")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = from, to, 0, 1.42 // room for the legend
	p.Y.Tick.Marker = gonum.ConstantTicks{{Value: 0, Label: "0"}, {Value: 0.25}, {Value: 0.5, Label: "0.5"}, {Value: 0.75},
		{Value: 1, Label: "1"}}
	for i, params := range curves {
		var kinks []float64
		if k, ok := f.(membership.Kinked); ok {
			kinks = slices.DeleteFunc(slices.Clone(k.Kinks(params)), func(x float64) bool { return x < from || x > to })
		}
		p.Legend.Add("  "+values(f, params), p.line(graded(f, params, samples(from, to, kinks)), wideStrokes[i]))
		p.dots(graded(f, params, kinks), wideStrokes[i].Color, 2.8)
	}
	return wide(p)
}

// apart returns a placement at 4 with spread 0.4 whose parameters are changed, later ones more: positions move to the right, slopes are
// divided and other parameters multiplied by their number.
func apart(f membership.Function) []float64 {
	p, positions := f.Place(4, 0.4), 0.0
	for j, param := range f.Params() {
		switch n := float64(j + 1); param.Kind {
		case membership.Position:
			p[j] += 0.5 * positions * positions
			positions++
		case membership.Slope:
			p[j] /= n
		default:
			p[j] *= n
		}
	}
	return p
}

// extent returns the part of [-12, 14] in which the grade of some curve is visible.
func extent(f membership.Function, curves [][]float64) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, params := range curves {
		for _, point := range graded(f, params, samples(-12, 14, nil)) {
			if point.Y > 0.02 {
				from, to = min(from, point.X), max(to, point.X)
			}
		}
	}
	return math.Floor(from), math.Ceil(to)
}

// samples returns 401 evenly spaced values and the kinks, in ascending order.
func samples(from, to float64, kinks []float64) []float64 {
	x := append(between(from, to, 401), kinks...)
	slices.Sort(x)
	return x
}

// graded returns the points of a curve.
func graded(f membership.Function, params, x []float64) plotter.XYs {
	grades := make([]float64, len(x))
	f.Grades(grades, x, params)
	return xys(x, grades)
}

// values formats parameters with their names, to three digits.
func values(f membership.Function, params []float64) string {
	var parts []string
	for j, param := range f.Params() {
		parts = append(parts, fmt.Sprintf("%s = %.3g", param.Name, params[j]))
	}
	return strings.Join(parts, ",  ")
}
