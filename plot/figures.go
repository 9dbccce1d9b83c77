// Package plot draws every figure of tskgraph, as SVG or as PNG of 300 dots per inch.
// A model and its training are drawn for one column of a paper, 85 mm wide, in type of
// 6 to 7 points; shapes, growth and the study's small multiples for a page, in type of
// 8 to 12 points. Colours are those of Okabe and Ito, and of ColorBrewer's YlGnBu, which
// the colour-blind can tell apart; each colour of a curve has dashes of its own.
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
	// Width of a figure for one column.
	Width = 85 * vg.Millimeter

	resolution = 300 // dots per inch of a PNG
)

// Formats returns the formats of [Figure.Write].
func Formats() []string { return []string{"svg", "png"} }

// Figure is a figure that is ready to be written.
type Figure struct {
	width, height vg.Length
	draw          func(draw.Canvas) // all of it, the background too
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

// portable edits an SVG: a viewer without the font uses another one without serifs, and
// images fill their frames.
var portable = strings.NewReplacer(
	"font-family:Liberation Sans;", "font-family:Liberation Sans,Arial,sans-serif;",
	"<image ", `<image preserveAspectRatio="none" `,
)
