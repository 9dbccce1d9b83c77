// Package plot draws every figure of tskgraph, as SVG or as PNG of 300 dots per inch. Figures of a model and its training have the width of
// a column of a paper, 85 mm, and type of 6 to 7 points; shapes, growth and the study's small multiples have the width of a page, and type
// of 8 to 12 points. The colours, by Okabe and Ito and ColorBrewer's YlGnBu, are safe for colour-blind readers; each colour of a curve has
// its own dash pattern. The same input gives the same bytes.
package plot

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"io"
	"strings"
	"unicode/utf8"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
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

// axes is a plot that collects the errors of what is drawn in it, in the order of drawing.
type axes struct {
	*gonum.Plot
	err error
}

// xys returns the points with some coordinates.
func xys(x, y []float64) plotter.XYs {
	points := make(plotter.XYs, len(x))
	for i := range x {
		points[i] = plotter.XY{X: x[i], Y: y[i]}
	}
	return points
}

// line draws a line, and returns it for the legend.
func (a *axes) line(points plotter.XYs, style draw.LineStyle) *plotter.Line {
	l, err := plotter.NewLine(points)
	if err != nil {
		a.err = errors.Join(a.err, err)
		return &plotter.Line{}
	}
	l.LineStyle = style
	a.Add(l)
	return l
}

// dots draws points as circles of a radius in points, and returns them for the legend.
func (a *axes) dots(points plotter.XYs, c color.Color, radius float64) *plotter.Scatter {
	return a.glyphs(points, draw.GlyphStyle{Color: c, Radius: vg.Points(radius), Shape: draw.CircleGlyph{}})
}

func (a *axes) glyphs(points plotter.XYs, style draw.GlyphStyle) *plotter.Scatter {
	s, err := plotter.NewScatter(points)
	if err != nil {
		a.err = errors.Join(a.err, err)
		return &plotter.Scatter{}
	}
	s.GlyphStyle = style
	a.Add(s)
	return s
}

// errorBars draws the errors of points as bars.
func (a *axes) errorBars(points plotter.XYs, errs plotter.YErrors, width float64) {
	bars, err := plotter.NewYErrorBars(struct {
		plotter.XYs
		plotter.YErrors
	}{points, errs})
	if err != nil {
		a.err = errors.Join(a.err, err)
		return
	}
	bars.LineStyle, bars.CapWidth = draw.LineStyle{Color: blue, Width: vg.Points(width)}, vg.Points(3)
	a.Add(bars)
}

// area fills the inside of some points.
func (a *axes) area(points plotter.XYs, c color.Color) {
	p, err := plotter.NewPolygon(points)
	if err != nil {
		a.err = errors.Join(a.err, err)
		return
	}
	p.Color, p.LineStyle.Width = c, 0
	a.Add(p)
}

// multiples arranges panels in rows of some columns, below a legend.
func multiples(panels []*axes, columns int, panelHeight vg.Length, l legend) (*Figure, error) {
	grid, err := inRows(panels, columns)
	if err != nil {
		return nil, err
	}
	above := l.height()
	return &Figure{
		width: Width, height: above + vg.Length(len(grid))*panelHeight,
		draw: func(whole draw.Canvas) {
			fill(whole)
			l.draw(draw.Crop(whole, 0, 0, whole.Max.Y-whole.Min.Y-above, 0))
			below := draw.Crop(whole, vg.Millimeter, -2*vg.Millimeter, vg.Millimeter, -above-vg.Millimeter)
			drawGrid(grid, below, 2.5*vg.Millimeter, 2*vg.Millimeter)
		},
	}, nil
}

// inRows splits panels into rows of some columns; nil pads the last row.
func inRows(panels []*axes, columns int) ([][]*gonum.Plot, error) {
	grid, err := make([][]*gonum.Plot, (len(panels)+columns-1)/columns), error(nil)
	for i := range grid {
		grid[i] = make([]*gonum.Plot, columns)
	}
	for i, p := range panels {
		grid[i/columns][i%columns], err = p.Plot, errors.Join(err, p.err)
	}
	return grid, err
}

// fill fills a canvas with white.
func fill(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
}

// drawGrid draws rows of panels with aligned axes and gaps between columns and rows.
func drawGrid(grid [][]*gonum.Plot, c draw.Canvas, between, below vg.Length) {
	tiles := draw.Tiles{Rows: len(grid), Cols: len(grid[0]), PadX: between, PadY: below}
	for r, canvases := range gonum.Align(grid, tiles, c) {
		for k, canvas := range canvases {
			if grid[r][k] != nil {
				grid[r][k].Draw(canvas)
			}
		}
	}
}

const ellipsis = "\u2026"

// fit shortens texts that exceed a width: at the end or, if different texts would become equal, at their common beginning, or in the
// middle. So southeasterly and southwesterly become …east… and …wes…. Different texts stay different, even if they must
// exceed the width.
func fit(texts []string, st text.Style, width vg.Length) []string {
	var wide []string
	longest := 0
	for _, s := range texts {
		if st.Width(s) > width {
			wide = append(wide, s)
			longest = max(longest, utf8.RuneCountInString(s))
		}
	}
	short, ok := fitBy(texts, st, width, func(s string) (string, string) { return s, "" })
	if ok {
		return short
	}
	same := len(commonBeginning(wide))
	short, ok = fitBy(texts, st, width, func(s string) (string, string) { return ellipsis + s[same:], "" })
	for tail := 1; !ok && tail < longest; tail++ {
		short, ok = fitBy(texts, st, width, func(s string) (string, string) {
			runes := []rune(s)
			at := max(1, len(runes)-tail)
			return string(runes[:at]), string(runes[at:])
		})
	}
	return short
}

// fitBy shortens the first of the two parts into which divide splits a text that exceeds
// the width. ok reports whether different texts stay different.
func fitBy(texts []string, st text.Style, width vg.Length, divide func(string) (begin, end string)) (short []string, ok bool) {
	whole := map[string]string{}
	ok = true
	for _, s := range texts {
		cut := s
		if st.Width(s) > width {
			begin, end := divide(s)
			cut = cutEnd(begin, end, st, width)
		}
		if other, taken := whole[cut]; taken && other != s {
			ok = false
		}
		whole[cut] = s
		short = append(short, cut)
	}
	return short, ok
}

// cutEnd shortens begin, to one character at least, until begin and end fit the width.
func cutEnd(begin, end string, st text.Style, width vg.Length) string {
	if st.Width(begin+end) <= width {
		return begin + end
	}
	runes := []rune(begin)
	for len(runes) > 1 && st.Width(string(runes)+ellipsis+end) > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + ellipsis + end
}

// commonBeginning returns the common prefix of texts, at most the shortest text without its last character.
func commonBeginning(texts []string) string {
	first := []rune(texts[0])
	n := len(first) - 1
	for _, s := range texts[1:] {
		runes := []rune(s)
		n = min(n, len(runes)-1)
		for i := range n {
			if runes[i] != first[i] {
				n = i
				break
			}
		}
	}
	return string(first[:max(0, n)])
}
