package plot

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panels describes small multiples over the iterations: a panel per data set with a curve per series.
type Panels struct {
	Label  string // of the y axis
	Series []Series
	Panels []Panel
	Zero   bool // draw the line at zero
	Log    bool // the y axis is logarithmic
}

// Series is the name and the stroke of one curve in every panel.
type Series struct {
	Name      string
	Stroke    int  // index of one of four strokes
	Reference bool // drawn as grey dots, whatever Stroke is: the others are compared with it
}

// Panel has the curves of one data set by series, the values of a curve by iteration from 1; nil for a series without a curve.
type Panel struct {
	Title  string
	Curves [][]float64
}

// Dimensions of small multiples.
const (
	multipleWidth  = 5.6 * vg.Centimeter
	multipleHeight = 4.6 * vg.Centimeter
	multipleLegend = 0.9 * vg.Centimeter // above the panels
	multipleMargin = 0.2 * vg.Centimeter
)

// Multiples draws panels, at most five in a row. Only the panels at the left and at the bottom have labels of the axes.
func Multiples(f Panels) (*Figure, error) {
	if len(f.Panels) == 0 {
		return nil, errors.New("plot: small multiples without a panel")
	}
	columns := min(len(f.Panels), 5)
	if len(f.Panels) == 6 {
		columns = 3
	}
	var plots []*axes
	for i, of := range f.Panels {
		p := f.panel(of)
		if p.err != nil {
			return nil, fmt.Errorf("plot: %s: %w", of.Title, p.err)
		}
		if i%columns == 0 {
			p.Y.Label.Text = f.Label
		}
		if i+columns >= len(f.Panels) {
			p.X.Label.Text = "iteration"
		}
		plots = append(plots, p)
	}
	grid, _ := inRows(plots, columns)
	height := vg.Length(len(grid))*multipleHeight + multipleLegend + multipleMargin
	return &Figure{
		width: vg.Length(max(columns, len(f.Series))) * multipleWidth, height: height,
		draw: func(whole draw.Canvas) {
			fill(whole)
			f.legend(draw.Crop(whole, 0, 0, height-multipleLegend, 0))
			below := draw.Crop(whole, multipleMargin, -2*multipleMargin, multipleMargin, -multipleLegend)
			drawGrid(grid, below, 3*vg.Millimeter, 3*vg.Millimeter)
		},
	}, nil
}

// panel draws the panel of a data set, without labels of the axes.
func (f *Panels) panel(of Panel) *axes {
	p := newWide(of.Title, "", "")
	p.Title.TextStyle.Font.Size, p.Title.Padding = 10, vg.Points(2)
	p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = 8, 8
	p.X.Label.TextStyle.Font.Size, p.Y.Label.TextStyle.Font.Size = 9, 9
	longest := 0
	for i, curve := range of.Curves {
		if curve == nil {
			continue
		}
		p.line(xys(between(1, float64(len(curve)), len(curve)), curve), f.Series[i].lineStyle())
		longest = max(longest, len(curve))
	}
	if f.Zero {
		p.line(plotter.XYs{{X: 0, Y: 0}, {X: float64(longest), Y: 0}}, draw.LineStyle{Color: color.Black, Width: vg.Points(0.7)})
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, float64(longest), ticks(5)
	p.Y.Min, p.Y.Max = of.extent(f.Log)
	if f.Log && p.Y.Min > 0 {
		p.Y.Scale, p.Y.Tick.Marker = gonum.LogScale{}, gonum.TickerFunc(logTicks)
	}
	return p
}

// extent returns the range of the curves with a margin, without the first tenth of the iterations, in which errors fall steeply.
func (of Panel) extent(log bool) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, curve := range of.Curves {
		for _, v := range curve[len(curve)/10:] {
			low, high = min(low, v), max(high, v)
		}
	}
	if log && low > 0 {
		margin := max(math.Pow(high/low, 0.05), 1.01)
		return low / margin, high * margin
	}
	margin := 0.05 * (high - low)
	if margin == 0 {
		margin = max(0.01*math.Abs(high), 1e-9)
	}
	return low - margin, high + margin
}

// lineStyle returns the stroke of the series.
func (s Series) lineStyle() draw.LineStyle {
	if s.Reference {
		return draw.LineStyle{Color: color.RGBA{R: 0x55, G: 0x55, B: 0x55, A: 0xff}, Width: vg.Points(1.3),
			Dashes: []vg.Length{vg.Points(1.5), vg.Points(1.5)}}
	}
	return wideStrokes[s.Stroke%len(wideStrokes)]
}

// legend draws the names of the series that have curves, side by side.
func (f *Panels) legend(strip draw.Canvas) {
	slot := strip.Size().X / vg.Length(len(f.Series))
	for i, s := range f.Series {
		if !slices.ContainsFunc(f.Panels, func(p Panel) bool { return p.Curves[i] != nil }) {
			continue
		}
		legend := newWide("", "", "").Legend
		legend.YOffs, legend.XOffs = -vg.Points(6), vg.Points(10)
		legend.Add("  "+s.Name, &plotter.Line{LineStyle: s.lineStyle()})
		legend.Draw(draw.Crop(strip, vg.Length(i)*slot, -vg.Length(len(f.Series)-1-i)*slot, 0, 0))
	}
}

// Curve is a line of a figure, through its points in order of x.
type Curve struct {
	Name   string
	Points []Point
}

// Point is a point of a [Curve].
type Point struct{ X, Y float64 }

// Growth draws curves on two logarithmic axes, on which x to the power p has the slope p.
// The x axis has ticks at the points. All coordinates must be positive and finite.
func Growth(title, x, y string, curves []Curve) (*Figure, error) {
	if len(curves) == 0 {
		return nil, fmt.Errorf("plot: figure %q has no curves", title)
	}
	p := newWide(title, x, y)
	p.X.Scale, p.Y.Scale = gonum.LogScale{}, gonum.LogScale{}
	p.Y.Tick.Marker = gonum.LogTicks{Prec: -1}
	var marks gonum.ConstantTicks
	for i, c := range curves {
		if len(c.Points) == 0 {
			return nil, fmt.Errorf("plot: figure %q: %s has no points", title, c.Name)
		}
		points := make(plotter.XYs, len(c.Points))
		for k, point := range slices.SortedFunc(slices.Values(c.Points), func(a, b Point) int { return cmp.Compare(a.X, b.X) }) {
			if !(point.X > 0 && point.Y > 0) || math.IsInf(point.X+point.Y, 0) {
				return nil, fmt.Errorf("plot: figure %q: %s has the point (%v, %v), which a logarithmic axis does not show", title, c.Name,
					point.X, point.Y)
			}
			tick := gonum.Tick{Value: point.X, Label: shortNumber(point.X)}
			if !slices.Contains(marks, tick) {
				marks = append(marks, tick)
			}
			points[k] = plotter.XY(point)
		}
		style := wideStrokes[i%len(wideStrokes)]
		p.Legend.Add("  "+c.Name, p.line(points, style))
		p.dots(points, style.Color, 2.2)
	}
	p.X.Tick.Marker = marks
	lo, hi := p.Y.Min, p.Y.Max
	p.Y.Min, p.Y.Max = math.Pow(10, math.Floor(math.Log10(lo))), hi*math.Pow(hi/lo, 0.5) // room for the legend
	return wide(p)
}

// shortNumber writes large powers of ten as 1e6, so that the label at the end of the axis is not cut off.
func shortNumber(v float64) string {
	if v < 1e6 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e+")
	return mantissa + "e" + strings.TrimLeft(exponent, "0")
}
