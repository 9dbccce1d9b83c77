package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Curve is a line of a figure, through its points in order of x.
type Curve struct {
	Name   string
	Points plotter.XYs
}

// GrowthFigure draws how something grows: both axes are logarithmic, so that what
// grows as x to the power p has the slope p, and those of x are marked where there
// are points. All coordinates must be positive and finite.
func GrowthFigure(title, x, y string, curves []Curve) (*plot.Plot, error) {
	if len(curves) == 0 {
		return nil, fmt.Errorf("report: figure %q has no curves", title)
	}
	p := newFigure(title, x, y)
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.Y.Tick.Marker = plot.LogTicks{Prec: -1}
	var ticks plot.ConstantTicks
	for i, c := range curves {
		if len(c.Points) == 0 {
			return nil, fmt.Errorf("report: figure %q: %s has no points", title, c.Name)
		}
		points := slices.Clone(c.Points)
		slices.SortFunc(points, func(a, b plotter.XY) int { return int(math.Copysign(1, a.X-b.X)) })
		for _, point := range points {
			if !(point.X > 0 && point.Y > 0) || math.IsInf(point.X+point.Y, 0) {
				return nil, fmt.Errorf("report: figure %q: %s has the point (%v, %v), which a logarithmic axis does not show", title, c.Name, point.X, point.Y)
			}
			tick := plot.Tick{Value: point.X, Label: strconv.FormatFloat(point.X, 'f', -1, 64)}
			if !slices.Contains(ticks, tick) {
				ticks = append(ticks, tick)
			}
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, fmt.Errorf("report: figure %q: %s: %w", title, c.Name, err)
		}
		line.LineStyle = strokes[i%len(strokes)]
		dots.GlyphStyle = draw.GlyphStyle{Color: line.Color, Radius: vg.Points(2.2), Shape: draw.CircleGlyph{}}
		p.Add(line, dots)
		p.Legend.Add("  "+c.Name, line)
	}
	p.X.Tick.Marker = ticks
	lo, hi := p.Y.Min, p.Y.Max
	p.Y.Min, p.Y.Max = math.Pow(10, math.Floor(math.Log10(lo))), hi*math.Pow(hi/lo, 0.5) // room for the legend
	return p, nil
}
