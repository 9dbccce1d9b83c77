package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

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
				return nil, fmt.Errorf("plot: figure %q: %s has the point (%v, %v), which a logarithmic axis does not show", title, c.Name, point.X, point.Y)
			}
			tick := gonum.Tick{Value: point.X, Label: shortNumber(point.X)}
			if !slices.Contains(marks, tick) {
				marks = append(marks, tick)
			}
			points[k] = plotter.XY(point)
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, fmt.Errorf("plot: figure %q: %s: %w", title, c.Name, err)
		}
		line.LineStyle = wideStrokes[i%len(wideStrokes)]
		dots.GlyphStyle = draw.GlyphStyle{Color: line.Color, Radius: vg.Points(2.2), Shape: draw.CircleGlyph{}}
		p.Add(line, dots)
		p.Legend.Add("  "+c.Name, line)
	}
	p.X.Tick.Marker = marks
	lo, hi := p.Y.Min, p.Y.Max
	p.Y.Min, p.Y.Max = math.Pow(10, math.Floor(math.Log10(lo))), hi*math.Pow(hi/lo, 0.5) // room for the legend
	return wide(p), nil
}

// shortNumber writes large powers of ten as 1e6, so that the label at the end of the axis is not cut off.
func shortNumber(v float64) string {
	if v < 1e6 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e+")
	return mantissa + "e" + strings.TrimLeft(exponent, "0")
}
