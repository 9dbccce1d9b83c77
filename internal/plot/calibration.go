package plot

import (
	"fmt"
	"image/color"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/metric"
)

// Calibration draws how often what is predicted with a probability is true: the second class if there are two, else the most
// probable class. Bars are one standard error to either side; at the bottom is a histogram of the probabilities.
func Calibration(c Classified) (*Figure, error) {
	measures, err := c.measure()
	if err != nil {
		return nil, err
	}
	of, chance := "the most probable class", make([]float64, len(c.Y))
	for n := range chance {
		chance[n] = c.P[metric.MostProbable(c.P, n)][n]
	}
	if len(c.P) == 2 {
		of, chance = escape.Text(c.Names[1]), c.P[1]
	}
	p := newPlot("predicted probability of "+of, "observed share", 66*vg.Millimeter)
	if err := addHistogram(p, chance, 0, 1, 0, 0.2); err != nil {
		return nil, err
	}
	if err := addDiagonal(p); err != nil {
		return nil, err
	}
	points := binPoints(measures.Calibration)
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return nil, err
	}
	line.LineStyle = strokes[0]
	dots.GlyphStyle = draw.GlyphStyle{Color: blue, Radius: vg.Points(1.8), Shape: draw.CircleGlyph{}}
	errorBars, err := plotter.NewYErrorBars(points)
	if err != nil {
		return nil, err
	}
	errorBars.LineStyle, errorBars.CapWidth = draw.LineStyle{Color: blue, Width: vg.Points(0.7)}, vg.Points(3)
	p.Add(errorBars, line, dots)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.01, 1.01, -0.01, 1.01
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(6), ticks(6)
	l := legend{
		{text: fmt.Sprintf("%s: calibration error %.3g", samplesText(measures), measures.CalibrationError)},
		{"\u00b1 1 standard error", line}, {"probabilities", swatch{bars}},
	}
	return multiples([]*gonum.Plot{p}, 1, 66*vg.Millimeter, l), nil
}

// calibrationBins are the points of the bins of a calibration curve with standard errors that stay within the unit interval.
type calibrationBins struct {
	plotter.XYs
	plotter.YErrors
}

func binPoints(of []metric.Bin) calibrationBins {
	var b calibrationBins
	for _, bin := range of {
		b.XYs = append(b.XYs, plotter.XY{X: bin.Predicted, Y: bin.Observed})
		b.YErrors = append(b.YErrors, struct{ Low, High float64 }{min(bin.SE, bin.Observed), min(bin.SE, 1-bin.Observed)})
	}
	return b
}

// swatch is the thumbnail of an area.
type swatch struct{ fill color.Color }

func (s swatch) Thumbnail(c *draw.Canvas) {
	c.SetColor(s.fill)
	c.Fill(c.Rectangle.Path())
}
