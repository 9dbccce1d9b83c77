package plot

import (
	"image/color"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// wideStrokes are the line styles of the curves in figures for a page, in the colours of
// strokes.
var wideStrokes = []draw.LineStyle{
	{Color: blue, Width: vg.Points(1.8)},
	{Color: vermillion, Width: vg.Points(1.8), Dashes: []vg.Length{vg.Points(7), vg.Points(3)}},
	{Color: green, Width: vg.Points(1.8), Dashes: []vg.Length{vg.Points(2), vg.Points(2)}},
	{Color: purple, Width: vg.Points(1.8), Dashes: []vg.Length{vg.Points(7), vg.Points(2), vg.Points(2), vg.Points(2)}},
}

// wide returns a plot as a figure for a page, 16 cm wide and 9 cm high.
func wide(p *gonum.Plot) *Figure {
	return &Figure{width: 16 * vg.Centimeter, height: 9 * vg.Centimeter, draw: p.Draw}
}

// newWide returns an empty plot for a page, with a grid and the legend in its upper
// left corner.
func newWide(title, x, y string) *gonum.Plot {
	p := gonum.New()
	p.BackgroundColor = color.White
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	for _, f := range []*font.Font{
		&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font,
		&p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font,
	} {
		*f = sans(10)
	}
	p.Title.TextStyle.Font.Size = 12
	p.Title.Padding = vg.Points(6)
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.ThumbnailWidth, p.Legend.XOffs, p.Legend.Padding = vg.Points(30), vg.Points(6), vg.Points(2)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{Y: 0xdd}, color.Gray{Y: 0xdd}
	p.Add(grid)
	return p
}
