package plot

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// maxDots limits the size of a figure.
const maxDots = 2000

// Residuals draws the observed target and the residual, observed minus predicted, over the
// predicted target, number j of [Outputs] (0 for a single number). It draws at most 2000
// samples, chosen at random. Classes have no residuals.
func Residuals(m *model.Model, d *data.Dataset, j int) (*Figure, error) {
	of := output{m, j}
	predictions, d, err := predict(m, d)
	if err != nil {
		return nil, err
	}
	target, err := of.observed(d)
	if err != nil {
		return nil, err
	}
	predicted := of.of(predictions)
	chosen := rand.New(rand.NewPCG(1, 2)).Perm(d.Len())[:min(d.Len(), maxDots)]
	slices.Sort(chosen)
	observed, residual := make(plotter.XYs, len(chosen)), make(plotter.XYs, len(chosen))
	low, high, widest := math.Inf(1), math.Inf(-1), 0.0
	for i, n := range chosen {
		v, y := predicted[n], target[n]
		observed[i], residual[i] = plotter.XY{X: v, Y: y}, plotter.XY{X: v, Y: y - v}
		low, high, widest = min(low, v, y), max(high, v, y), max(widest, math.Abs(y-v))
	}
	if low == high {
		low, high = low-0.5, high+0.5
	}
	if widest == 0 {
		widest = 0.5
	}
	room := 0.03 * (high - low)
	low, high = low-room, high+room
	t := of.label()
	wide := Width/2 - 12*vg.Millimeter
	left, right := newPlot("predicted "+t, "observed", wide), newPlot("predicted "+t, "residual", wide)
	if err := scatter(left, observed, plotter.XYs{{X: low, Y: low}, {X: high, Y: high}}); err != nil {
		return nil, err
	}
	if err := scatter(right, residual, plotter.XYs{{X: low, Y: 0}, {X: high, Y: 0}}); err != nil {
		return nil, err
	}
	left.Y.Min, left.Y.Max = low, high
	right.Y.Min, right.Y.Max = -1.05*widest, 1.05*widest
	left.X.Tick.Marker, right.X.Tick.Marker = ticks(3), ticks(3)
	says := model.MeasureValues(predicted, target, d.Weights).String()
	if len(chosen) < d.Len() {
		says += fmt.Sprintf("; %d are drawn", len(chosen))
	}
	return multiples([]*gonum.Plot{left, right}, 2, 42*vg.Millimeter, legend{{text: says}}), nil
}

// scatter draws points, and a line across the plot.
func scatter(p *gonum.Plot, points, across plotter.XYs) error {
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: shade(len(points)), Radius: vg.Points(1), Shape: draw.CircleGlyph{}}
	line, err := plotter.NewLine(across)
	if err != nil {
		return err
	}
	line.LineStyle = draw.LineStyle{Color: vermillion, Width: vg.Points(0.8), Dashes: strokes[1].Dashes}
	p.Add(dots, line)
	p.X.Min, p.X.Max = across[0].X, across[1].X
	return nil
}

// shade is the colour of n dots: the more, the fainter.
func shade(n int) color.Color {
	alpha := uint8(max(70, 200-n/8))
	if n > 8*130 {
		alpha = 70
	}
	return color.NRGBA{R: blue.R, G: blue.G, B: blue.B, A: alpha}
}
