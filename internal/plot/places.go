package plot

import (
	"math"
	"slices"
	"strconv"
	"strings"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tskgraph/tskgraph/model"
)

// places are the positions of the levels, or of the few distinct values, of a column, in
// ascending order.
type places []float64

// placesOf returns the places of a column, given its values in the data; nil for a column
// of many values and for a principal component.
func placesOf(m *model.Model, c column, values []float64) places {
	switch {
	case c.levels != nil:
		return between(0, float64(len(c.levels)-1), len(c.levels))
	case m.Components != nil:
		return nil
	}
	return m.Features[c.first].Occurring(m.Training.Sampled(), values)
}

// gap returns the least distance between neighbours, but at least a fortieth of the range.
func (p places) gap() float64 {
	width := p[len(p)-1] - p[0]
	if width == 0 {
		return 1
	}
	least := width
	for k := 1; k < len(p); k++ {
		least = min(least, p[k]-p[k-1])
	}
	return max(least, width/40)
}

// extent returns the range to draw: that of the places with half a gap on either side.
func (p places) extent() (low, high float64) {
	return p[0] - p.gap()/2, p[len(p)-1] + p.gap()/2
}

// addCounts draws a bar for the number of values at each place, scaled to a height of 1.
func (p places) addCounts(to *gonum.Plot, values []float64) error {
	counts, most := make([]float64, len(p)), 1.0
	for _, v := range values {
		if k := slices.Index(p, v); k >= 0 {
			counts[k]++
			most = max(most, counts[k])
		}
	}
	half := 0.4 * p.gap()
	for k, n := range counts {
		if err := addBar(to, p[k]-half, p[k]+half, 0, n/most); err != nil {
			return err
		}
	}
	return nil
}

// dots returns a point at each place, shifted by a share of the gap.
func (p places) dots(y []float64, aside float64, glyph draw.GlyphStyle) (*plotter.Scatter, error) {
	points := make(plotter.XYs, len(p))
	for k, at := range p {
		points[k] = plotter.XY{X: at + aside*p.gap(), Y: y[k]}
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	dots.GlyphStyle = glyph
	return dots, nil
}

// markValues labels an axis with the places of a column of numbers, as far as there is room.
func (p places) markValues(axis *gonum.Axis, width vg.Length) {
	names, widest := make([]string, len(p)), vg.Length(0)
	for k, v := range p {
		names[k] = strings.ReplaceAll(strconv.FormatFloat(v, 'g', 6, 64), "-", "\u2212")
		widest = max(widest, axis.Tick.Label.Width(names[k]))
	}
	low, high := p.extent()
	slot := width * vg.Length(p.gap()/(high-low))
	every := max(1, int(math.Ceil(float64((widest+vg.Points(2))/slot))))
	marks := make(gonum.ConstantTicks, len(p))
	for k, name := range names {
		if k%every != 0 {
			name = ""
		}
		marks[k] = gonum.Tick{Value: p[k], Label: name}
	}
	axis.Tick.Marker = marks
}
