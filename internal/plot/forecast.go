package plot

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Forecast is a forecast of a series after its past.
type Forecast struct {
	Series, Target, Unit string
	Times                []string  // [P+N] of past and forecast
	Past                 []float64 // [P] known targets
	Values               []float64 // [N] forecasts
	Lower, Upper         []float64 // [N] bounds of the intervals; nil: none
	Level                float64   // of the intervals
}

// mostForecasts is the largest number of series in a figure.
const mostForecasts = 12

// Forecasts draws forecasts of series, of at most 12, with their intervals as a band, each after its past.
func Forecasts(all []Forecast) (*Figure, error) {
	if len(all) == 0 || len(all[0].Values) == 0 {
		return nil, errors.New("plot: no forecast to draw")
	}
	var l legend
	if len(all) > mostForecasts {
		l = append(l, entry{text: fmt.Sprintf("the first %d of %d series", mostForecasts, len(all))})
		all = all[:mostForecasts]
	}
	var panels []*axes
	for i, f := range all {
		p, entries := f.draw()
		if panels = append(panels, p); i == 0 {
			l = append(l, entries...)
		}
	}
	return multiples(panels, 1, 40*vg.Millimeter, l)
}

// draw draws one forecast and returns its entries.
func (f Forecast) draw() (*axes, legend) {
	name := label(f.Target, f.Unit)
	if f.Series != "" {
		name = f.Series + ": " + name
	}
	p := newPlot("time", name, 50*vg.Millimeter)
	from := len(f.Past)
	curve := func(values []float64, first int) (points plotter.XYs) {
		for i, v := range values {
			points = append(points, plotter.XY{X: float64(first + i), Y: v})
		}
		return points
	}
	var l legend
	if f.Lower != nil {
		upper := curve(f.Upper, from)
		slices.Reverse(upper)
		tint := mix(color.White, blue, 0.3)
		p.area(append(curve(f.Lower, from), upper...), tint)
		l = append(l, entry{fmt.Sprintf("%g%% interval", 100*f.Level), swatch{tint}})
	}
	l = append(l, entry{"known", p.line(curve(f.Past, 0), draw.LineStyle{Color: ink, Width: vg.Points(0.8)})})
	dashes := strokes[1].Dashes
	line := p.line(curve(f.Values, from), draw.LineStyle{Color: vermillion, Width: vg.Points(1), Dashes: dashes})
	if len(f.Values) == 1 {
		p.dots(curve(f.Values, from), vermillion, 1.5)
	}
	l = append(l, entry{"forecast", line})
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range slices.Concat(f.Past, f.Values, f.Lower, f.Upper) {
		low, high = min(low, v), max(high, v)
	}
	p.Y.Min, p.Y.Max = numeric.WithRoom(low, high)
	p.X.Min, p.X.Max = 0, float64(max(1, len(f.Times)-1))
	p.X.Tick.Marker = gonum.ConstantTicks(f.ticks())
	return p, l
}

// ticks are at the beginning of the past and of the forecast.
func (f Forecast) ticks() (all []gonum.Tick) {
	for _, at := range []int{0, len(f.Past)} {
		if at == 0 || at >= len(f.Times)/3 {
			all = append(all, gonum.Tick{Value: float64(at), Label: f.Times[at]})
		}
	}
	return all
}
