// Package plot draws a model and its training for one column of a paper: 85 mm
// wide, in type of 6 to 7 points, as SVG or as PNG of 300 dots per inch. Colours are
// those of Okabe and Ito, and of ColorBrewer's YlGnBu, which the colour-blind can tell
// apart; dashes say the same as colours do.
package plot

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"strings"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	// Width of every figure.
	Width = 85 * vg.Millimeter

	resolution = 300 // dots per inch of a PNG
)

// Figure is a figure that is ready to be written.
type Figure struct {
	height vg.Length
	draw   func(draw.Canvas)
}

// Write writes the figure as svg or png.
func (f *Figure) Write(w io.Writer, format string) error {
	var canvas vg.CanvasWriterTo
	switch format {
	case "svg":
		canvas = vgsvg.New(Width, f.height)
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(Width, f.height), vgimg.UseDPI(resolution))}
	default:
		return fmt.Errorf("plot: unknown format %q: svg or png", format)
	}
	whole := draw.NewCanvas(canvas, Width, f.height)
	whole.SetColor(color.White)
	whole.Fill(whole.Rectangle.Path())
	f.draw(whole)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	if format == "svg" {
		_, err := portable.WriteString(w, b.String())
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

// portable edits an SVG: a viewer without the font uses another one without serifs, and
// images fill their frames.
var portable = strings.NewReplacer(
	"font-family:Liberation Sans;", "font-family:Liberation Sans,Arial,sans-serif;",
	"<image ", `<image preserveAspectRatio="none" `,
)

// multiples lays panels out in rows of some columns, below a legend.
func multiples(panels []*gonum.Plot, columns int, panelHeight vg.Length, l legend) *Figure {
	rows := (len(panels) + columns - 1) / columns
	grid := make([][]*gonum.Plot, rows)
	for i := range grid {
		grid[i] = make([]*gonum.Plot, columns)
		copy(grid[i], panels[i*columns:])
	}
	above := l.height()
	return &Figure{
		height: above + vg.Length(rows)*panelHeight,
		draw: func(whole draw.Canvas) {
			l.draw(draw.Crop(whole, 0, 0, whole.Max.Y-whole.Min.Y-above, 0))
			below := draw.Crop(whole, vg.Millimeter, -2*vg.Millimeter, vg.Millimeter, -above-vg.Millimeter)
			tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: 2.5 * vg.Millimeter, PadY: 2 * vg.Millimeter}
			for r, canvases := range gonum.Align(grid, tiles, below) {
				for c, canvas := range canvases {
					if grid[r][c] != nil {
						grid[r][c].Draw(canvas)
					}
				}
			}
		},
	}
}
