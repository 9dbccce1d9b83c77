// Package plot draws every figure of tskgraph, as SVG or as PNG of 300 dots per inch.
// Figures of a model and its training have the width of a column of a paper, 85 mm, and
// type of 6 to 7 points; shapes, growth and the study's small multiples have the width of a
// page, and type of 8 to 12 points. The colours, by Okabe and Ito and ColorBrewer's YlGnBu,
// are safe for colour-blind readers; each colour of a curve has its own dash pattern. The
// same input gives the same bytes.
package plot

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	// Width is the width of a figure for one column.
	Width = 85 * vg.Millimeter

	resolution = 300 // dots per inch of a PNG
)

// Formats returns the formats of [Figure.Write].
func Formats() []string { return []string{"svg", "png"} }

// Figure is a figure to be written by [Figure.Write].
type Figure struct {
	width, height vg.Length
	draw          func(draw.Canvas) // draws everything, including the background
}

// Write writes the figure in one of [Formats].
func (f *Figure) Write(w io.Writer, format string) error {
	var canvas vg.CanvasWriterTo
	switch format {
	case "svg":
		canvas = vgsvg.New(f.width, f.height)
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(resolution))}
	default:
		return fmt.Errorf("plot: unknown format %q: svg or png", format)
	}
	f.draw(draw.NewCanvas(canvas, f.width, f.height))
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

// portable adds fallback fonts without serifs to an SVG, and makes images fill their frames.
var portable = strings.NewReplacer(
	"font-family:Liberation Sans;", "font-family:Liberation Sans,Arial,sans-serif;",
	"<image ", `<image preserveAspectRatio="none" `,
)
