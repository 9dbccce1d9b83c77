package plot

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// maxDots limits the size of a figure.
const maxDots = 2000

// Residuals draws the observed target and the residual, observed minus predicted, over the predicted target, number j of [Outputs] (0 for a
// single number). It draws at most 2000 samples, chosen at random. A target of classes is a *TaskError.
func Residuals(m *model.Model, d *data.Dataset, j int) (*Figure, error) {
	if m.Schema.Classes != nil {
		return nil, &TaskError{fmt.Sprintf("the target %s is of classes, which have no residuals: draw confusion, roc or calibration",
			escape.Quote(m.Schema.Target))}
	}
	of := output{m, j}
	predictions, d, err := predict(m, d)
	if err != nil {
		return nil, err
	}
	predicted, target := of.of(predictions), m.Observed(d, j)
	chosen := numeric.Some(d.Len(), maxDots)
	observed, residual := make(plotter.XYs, len(chosen)), make(plotter.XYs, len(chosen))
	for i, n := range chosen {
		v, y := predicted[n], target[n]
		observed[i], residual[i] = plotter.XY{X: v, Y: y}, plotter.XY{X: v, Y: y - v}
	}
	values, residuals := numeric.ErrorAxes(predicted, target)
	low, high := values[0], values[1]
	t := of.label()
	wide := Width/2 - 12*vg.Millimeter
	left, right := newPlot("predicted "+t, "observed", wide), newPlot("predicted "+t, "residual", wide)
	beyond := scatter(left, observed, plotter.XYs{{X: low, Y: low}, {X: high, Y: high}}, low, high)
	beyond += scatter(right, residual, plotter.XYs{{X: low, Y: 0}, {X: high, Y: 0}}, residuals[0], residuals[1])
	left.X.Tick.Marker, right.X.Tick.Marker = ticks(3), ticks(3)
	says := model.MeasureValues(predicted, target, d.Weights).String()
	if len(chosen) < d.Len() {
		says += fmt.Sprintf("; %s are drawn", numeric.Count(len(chosen)))
	}
	if beyond > 0 {
		says += "; rings are beyond the axes"
	}
	return multiples([]*axes{left, right}, 2, 42*vg.Millimeter, legend{{text: says}})
}

// scatter draws points, those beyond the axes as rings at their ends, and a line across the plot. It returns the number of rings.
func scatter(p *axes, points, across plotter.XYs, low, high float64) int {
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = across[0].X, across[1].X, low, high
	var within, rings plotter.XYs
	for _, at := range points {
		end := plotter.XY{X: min(max(at.X, p.X.Min), p.X.Max), Y: min(max(at.Y, low), high)}
		if at == end {
			within = append(within, at)
		} else {
			rings = append(rings, end)
		}
	}
	p.dots(within, shade(len(points)), 1)
	p.glyphs(rings, draw.GlyphStyle{Color: vermillion, Radius: vg.Points(1.6), Shape: draw.RingGlyph{}})
	p.line(across, draw.LineStyle{Color: vermillion, Width: vg.Points(0.8), Dashes: strokes[1].Dashes})
	return len(rings)
}

// shade is the colour of n dots: the more, the fainter.
func shade(n int) color.Color {
	alpha := uint8(max(70, 200-n/8))
	if n > 8*130 {
		alpha = 70
	}
	return color.NRGBA{R: blue.R, G: blue.G, B: blue.B, A: alpha}
}

// mostIntervals is the largest number of samples in a figure of quantiles.
const mostIntervals = 300

// Quantiled are predicted quantiles of a data set, with the observed values.
type Quantiled struct {
	Target, Unit string
	Levels       []float64   // [C] ascending, C at least 2
	Q            [][]float64 // [C][N]
	Y            []float64   // [N] observed
	Weights      []float64   // [N]; nil: all one
}

// Quantiles draws predicted quantiles: on the left over the samples in the order of their middle quantile, as a fan with the
// observed values; on the right the outermost interval of each sample over its observed value. It draws at most 300
// samples, chosen at random; the share of all samples within the outermost interval is in the legend.
func Quantiles(q Quantiled) (*Figure, error) {
	if len(q.Levels) < 2 || len(q.Y) == 0 {
		return nil, errors.New("plot: no quantiles to draw: two levels at least")
	}
	chosen := numeric.Some(len(q.Y), mostIntervals)
	middle := q.Q[len(q.Levels)/2]
	slices.SortFunc(chosen, func(i, j int) int { return cmp.Or(cmp.Compare(middle[i], middle[j]), i-j) })
	target := label(q.Target, q.Unit)
	wide := Width/2 - 12*vg.Millimeter
	left, right := newPlot("samples by prediction", target, 36*vg.Millimeter), newPlot("observed "+target, "interval", wide)
	entries := q.fan(left, chosen)
	q.intervals(right, chosen)
	low, high := q.extent(chosen)
	left.X.Min, left.X.Max, left.X.Tick.Marker = 0.5, float64(len(chosen))+0.5, ticks(3)
	left.Y.Min, left.Y.Max = low, high
	right.X.Min, right.X.Max, right.X.Tick.Marker = low, high, ticks(3)
	right.Y.Min, right.Y.Max = low, high
	return multiples([]*axes{left, right}, 2, 44*vg.Millimeter, append(legend{{text: q.says(len(chosen))}}, entries...))
}

// says is the coverage and the mean width of the outermost interval.
func (q Quantiled) says(drawn int) string {
	low, high := q.Q[0], q.Q[len(q.Q)-1]
	within, width := make([]float64, len(q.Y)), make([]float64, len(q.Y))
	for n, y := range q.Y {
		width[n] = high[n] - low[n]
		if low[n] <= y && y <= high[n] {
			within[n] = 1
		}
	}
	first, last := q.Levels[0], q.Levels[len(q.Levels)-1]
	s := fmt.Sprintf("%s %s, %.1f%% within %g to %g, mean width %s", numeric.Count(len(q.Y)), numeric.SamplesWord(q.Weights != nil),
		100*numeric.WeightedMean(within, q.Weights), first, last, numeric.Short(numeric.WeightedMean(width, q.Weights), 4))
	if drawn < len(q.Y) {
		s += fmt.Sprintf("; %s are drawn", numeric.Count(drawn))
	}
	return s
}

// extent returns the range of the chosen samples with room.
func (q Quantiled) extent(chosen []int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, n := range chosen {
		low, high = min(low, q.Y[n], q.Q[0][n]), max(high, q.Y[n], q.Q[len(q.Q)-1][n])
	}
	return numeric.WithRoom(low, high)
}

// fan draws the areas between pairs of quantiles, the middle one and the observed values, and returns their entries.
func (q Quantiled) fan(p *axes, chosen []int) (l legend) {
	curve := func(level []float64) plotter.XYs {
		points := make(plotter.XYs, len(chosen))
		for i, n := range chosen {
			points[i] = plotter.XY{X: float64(i + 1), Y: level[n]}
		}
		return points
	}
	pairs := len(q.Levels) / 2
	for i := range pairs {
		j := len(q.Levels) - 1 - i
		upper := curve(q.Q[j])
		slices.Reverse(upper)
		tint := mix(color.White, blue, 0.5*float64(i+1)/float64(pairs))
		p.area(append(curve(q.Q[i]), upper...), tint)
		l = append(l, entry{fmt.Sprintf("%g to %g", q.Levels[i], q.Levels[j]), swatch{tint}})
	}
	if len(q.Levels)%2 == 1 {
		l = append(l, entry{fmt.Sprintf("%g", q.Levels[pairs]), p.line(curve(q.Q[pairs]), draw.LineStyle{Color: blue, Width: vg.Points(1)})})
	}
	return append(l, entry{"observed", p.dots(curve(q.Y), vermillion, 0.9)})
}

// intervals draws the outermost interval of each chosen sample over its observed value, and the diagonal.
func (q Quantiled) intervals(p *axes, chosen []int) {
	for _, n := range chosen {
		low, high, y := q.Q[0][n], q.Q[len(q.Q)-1][n], q.Y[n]
		style := draw.LineStyle{Color: shade(8 * len(chosen)), Width: vg.Points(0.8)}
		if y < low || y > high {
			style.Color = vermillion
		}
		p.line(plotter.XYs{{X: y, Y: low}, {X: y, Y: high}}, style)
	}
	low, high := q.extent(chosen)
	p.line(plotter.XYs{{X: low, Y: low}, {X: high, Y: high}}, draw.LineStyle{Color: ink, Width: vg.Points(0.7), Dashes: strokes[1].Dashes})
}

// shares returns counts as shares of the largest.
func shares(counts []int) []float64 {
	most, all := 1.0, make([]float64, len(counts))
	for _, n := range counts {
		most = max(most, float64(n))
	}
	for k, n := range counts {
		all[k] = float64(n) / most
	}
	return all
}

// addBar draws a bar of a histogram; nothing for height 0.
func addBar(p *axes, left, right, bottom, height float64) {
	if height != 0 {
		p.area(plotter.XYs{{X: left, Y: bottom}, {X: left, Y: bottom + height}, {X: right, Y: bottom + height}, {X: right, Y: bottom}}, bars)
	}
}
