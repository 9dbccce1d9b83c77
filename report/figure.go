package report

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tskgraph/tskgraph/membership"
)

// FigureFormats are the formats of [WriteFigure].
func FigureFormats() []string { return []string{"svg", "png"} }

// WriteFigure writes a figure, 16 cm wide and 9 cm high.
func WriteFigure(w io.Writer, p *plot.Plot, format string) error {
	to, err := p.WriterTo(16*vg.Centimeter, 9*vg.Centimeter, format)
	if err != nil {
		return fmt.Errorf("report: figure: %w", err)
	}
	var b bytes.Buffer
	if _, err := to.WriteTo(&b); err != nil {
		return fmt.Errorf("report: figure: %w", err)
	}
	_, err = w.Write(withFonts(b.Bytes()))
	return err
}

// withFonts makes a viewer without the font of an SVG take another one without
// serifs.
func withFonts(figure []byte) []byte {
	return bytes.ReplaceAll(figure, []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,sans-serif;"))
}

// ShapeFigure draws the grade over x of three membership functions of a shape: two
// as it places them, at -3 with spread 0.5 and at 0 with spread 1, and one near 4
// whose parameters have gone different ways, as they do in training. Dots mark the
// kinks.
func ShapeFigure(f membership.Function) (*plot.Plot, error) {
	curves := [][]float64{f.Place(-3, 0.5), f.Place(0, 1), apart(f)}
	from, to := extent(f, curves)
	p := newFigure(f.Name(), "x", "grade")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = from, to, 0, 1.42 // room for the legend
	p.Y.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 0.25}, {Value: 0.5, Label: "0.5"}, {Value: 0.75}, {Value: 1, Label: "1"}}
	for i, params := range curves {
		var kinks []float64
		if k, ok := f.(membership.Kinked); ok {
			kinks = slices.DeleteFunc(slices.Clone(k.Kinks(params)), func(x float64) bool { return x < from || x > to })
		}
		line, err := plotter.NewLine(graded(f, params, samples(from, to, kinks)))
		if err != nil {
			return nil, err
		}
		line.LineStyle = strokes[i]
		dots, err := plotter.NewScatter(graded(f, params, kinks))
		if err != nil {
			return nil, err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: strokes[i].Color, Radius: vg.Points(2.8), Shape: draw.CircleGlyph{}}
		p.Add(line, dots)
		p.Legend.Add("  "+values(f, params), line)
	}
	return p, nil
}

// strokes tell curves apart by colour (Okabe and Ito's, safe for the colour-blind)
// and by dashes.
var strokes = []draw.LineStyle{
	{Color: color.RGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, Width: vg.Points(1.8)},
	{Color: color.RGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, Width: vg.Points(1.8), Dashes: []vg.Length{vg.Points(7), vg.Points(3)}},
	{Color: color.RGBA{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, Width: vg.Points(1.8), Dashes: []vg.Length{vg.Points(2), vg.Points(2)}},
	{Color: color.RGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, Width: vg.Points(1.8), Dashes: []vg.Length{vg.Points(7), vg.Points(2), vg.Points(2), vg.Points(2)}},
}

// newFigure returns an empty plot in our style, with the legend on top.
func newFigure(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	for _, f := range []*font.Font{
		&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font,
		&p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font,
	} {
		f.Variant, f.Size = "Sans", 10
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

// apart returns a placement at 4 with spread 0.4 whose later parameters are moved
// more than the first: positions to the right, the others to wider, flatter or
// steeper ones.
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

// extent returns the stretch of [-12, 14] on which some curve's grade is visible.
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

// samples returns 401 values from one to another, and the kinks.
func samples(from, to float64, kinks []float64) []float64 {
	var x []float64
	for i := range 401 {
		x = append(x, from+(to-from)*float64(i)/400)
	}
	x = append(x, kinks...)
	slices.Sort(x)
	return x
}

// graded returns the points of a curve.
func graded(f membership.Function, params, x []float64) plotter.XYs {
	grades, points := make([]float64, len(x)), make(plotter.XYs, len(x))
	f.Grades(grades, x, params)
	for i := range x {
		points[i] = plotter.XY{X: x[i], Y: grades[i]}
	}
	return points
}

// values shows parameters by name, to three digits.
func values(f membership.Function, params []float64) string {
	var parts []string
	for j, param := range f.Params() {
		parts = append(parts, fmt.Sprintf("%s = %.3g", param.Name, params[j]))
	}
	return strings.Join(parts, ",  ")
}
