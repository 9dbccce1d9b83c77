package plot

import (
	"cmp"
	"image/color"
	"slices"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// contours draws the contour lines of a grid in a fixed order. plotter.Contour keeps them
// in a map, so that the bytes of its SVG differ from one run to the next.
type contours struct{ *plotter.Contour }

// newContours returns contour lines at the ticks of the colour bar.
func newContours(g *grid, low, high float64) contours {
	var levels []float64
	for _, t := range ticks(6)(low, high) {
		levels = append(levels, t.Value)
	}
	lines := plotter.NewContour(g, levels, nil)
	lines.LineStyles = []draw.LineStyle{{Color: color.White, Width: vg.Points(0.6)}}
	return contours{lines}
}

// Plot implements plotter.Plotter. All lines have the same style, so their order does not
// change the picture.
func (k contours) Plot(c draw.Canvas, p *gonum.Plot) {
	lines := collector{Canvas: c.Canvas}
	k.Contour.Plot(draw.Canvas{Canvas: &lines, Rectangle: c.Rectangle}, p)
	slices.SortFunc(lines.paths, func(a, b vg.Path) int { return slices.CompareFunc(a, b, comparePositions) })
	for _, path := range lines.paths {
		c.Stroke(path)
	}
}

func comparePositions(a, b vg.PathComp) int {
	return cmp.Or(cmp.Compare(a.Pos.X, b.Pos.X), cmp.Compare(a.Pos.Y, b.Pos.Y))
}

// collector is a canvas that collects the paths of strokes instead of drawing them.
type collector struct {
	vg.Canvas
	paths []vg.Path
}

func (c *collector) Stroke(p vg.Path) { c.paths = append(c.paths, p) }
