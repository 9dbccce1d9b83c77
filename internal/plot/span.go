package plot

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// span is the axis of a column in a figure: its places, or bins of its numbers.
type span struct {
	column
	places    places        // nil: bins
	bins      *numeric.Bins // nil with places, and for fewer than two different values
	counts    []int         // of the values at the places, or in the bins
	low, high float64
}

// spanOf returns the axis of a column, given its values in the data. It ends where [numeric.Ends] says, or with half a gap beyond the
// outermost places.
func spanOf(m *model.Model, c column, values []float64) span {
	s := span{column: c, places: placesOf(m, c, values)}
	if s.places != nil {
		s.counts = numeric.Occurrences(values, s.places)
		s.low, s.high = s.places.extent()
		return s
	}
	if s.bins = numeric.NewBins(values, numeric.MostBins); s.bins != nil {
		s.counts, s.low, s.high = s.bins.Counts, s.bins.From, s.bins.To
		return s
	}
	at := 0.0
	if len(values) > 0 {
		at = values[0]
	}
	s.low, s.high = at-0.5, at+0.5
	return s
}

// title returns the name of the column with what lies beyond the axis.
func (s span) title() string {
	text := label(s.name, s.unit)
	if s.bins == nil {
		return text
	}
	var beyond []string
	if s.bins.Below > 0 {
		beyond = append(beyond, fmt.Sprintf("%d \u2190 %s", s.bins.Below, brief(s.bins.Least)))
	}
	if s.bins.Above > 0 {
		beyond = append(beyond, fmt.Sprintf("%d \u2192 %s", s.bins.Above, brief(s.bins.Most)))
	}
	if beyond == nil {
		return text
	}
	return text + " (" + strings.Join(beyond, ", ") + ")"
}

// brief formats a number of the data.
func brief(v float64) string { return strings.ReplaceAll(numeric.Short(v, 6), "-", "\u2212") }

// background draws the numbers of rows as bars from a bottom to a height above it, with arrows where values lie beyond the axis, and sets
// the ends and the ticks of the horizontal axis.
func (s span) background(p *axes, width vg.Length, bottom, height float64) {
	for k, share := range shares(s.counts) {
		if s.places != nil {
			half := 0.4 * s.places.gap()
			addBar(p, s.places[k]-half, s.places[k]+half, bottom, float64(height*share))
		} else {
			wide := (s.high - s.low) / float64(len(s.counts))
			addBar(p, s.low+float64(k)*wide, s.low+float64(k+1)*wide, bottom, float64(height*share))
		}
	}
	if s.bins != nil && s.bins.Below > 0 {
		p.glyphs(plotter.XYs{{X: s.low, Y: bottom}}, draw.GlyphStyle{Color: vermillion, Radius: vg.Points(2), Shape: arrow(-1)})
	}
	if s.bins != nil && s.bins.Above > 0 {
		p.glyphs(plotter.XYs{{X: s.high, Y: bottom}}, draw.GlyphStyle{Color: vermillion, Radius: vg.Points(2), Shape: arrow(1)})
	}
	p.X.Min, p.X.Max = s.low, s.high
	s.mark(&p.X, width)
}

// arrow is a triangle that points to the left, -1, or to the right, 1.
type arrow vg.Length

// DrawGlyph implements draw.GlyphDrawer.
func (a arrow) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	var path vg.Path
	path.Move(vg.Point{X: at.X + vg.Length(a)*style.Radius, Y: at.Y + style.Radius})
	path.Line(vg.Point{X: at.X - vg.Length(a)*style.Radius, Y: at.Y + 2*style.Radius})
	path.Line(vg.Point{X: at.X - vg.Length(a)*style.Radius, Y: at.Y})
	path.Close()
	c.SetColor(style.Color)
	c.Fill(path)
}

const turnedWidth = 13 * vg.Millimeter // of names that are turned

// turns reports whether the names of the places are turned on a horizontal axis of a width: they do not fit side by side, or would have
// fewer than about five letters.
func (s span) turns(width vg.Length) bool {
	slot := width / vg.Length(max(1, len(s.levels)))
	return s.levels != nil && slot < 8*vg.Millimeter && slices.ContainsFunc(s.names(), func(name string) bool {
		return style(tickSize).Width(name) > slot-vg.Points(2)
	})
}

// names returns the names of the places.
func (s span) names() []string {
	names := make([]string, len(s.places))
	for k, v := range s.places {
		if s.levels != nil {
			names[k] = label(s.levels[k], "")
		} else {
			names[k] = brief(v)
		}
	}
	return names
}

// mark labels a horizontal axis with the places, as far as there is room.
func (s span) mark(axis *gonum.Axis, width vg.Length) {
	if s.places == nil {
		return
	}
	names, st := s.names(), axis.Tick.Label
	slot := width * vg.Length(s.places.gap()/(s.high-s.low))
	if s.turns(width) {
		axis.Tick.Label.Rotation, axis.Tick.Label.XAlign, axis.Tick.Label.YAlign = math.Pi/2, draw.XRight, draw.YCenter
		turned := fit(names, st, turnedWidth)
		for k := range turned {
			turned[k] += " " // below the tick
		}
		s.ticks(axis, turned, st.FontExtents().Height, slot)
		return
	}
	if s.levels != nil {
		names = fit(names, st, slot-vg.Points(2))
	}
	widest := vg.Length(0)
	for _, name := range names {
		widest = max(widest, st.Width(name))
	}
	s.ticks(axis, names, widest+vg.Points(2), slot)
}

// markUp labels a vertical axis of a height with the places, as far as there is room.
func (s span) markUp(axis *gonum.Axis, height vg.Length) {
	if s.places != nil {
		st := axis.Tick.Label
		s.ticks(axis, fit(s.names(), st, turnedWidth), st.FontExtents().Height, height*vg.Length(s.places.gap()/(s.high-s.low)))
	}
}

// ticks puts names of a size at the places that are a slot apart, at every second or third one if they would overlap.
func (s span) ticks(axis *gonum.Axis, names []string, size, slot vg.Length) {
	every := max(1, int(math.Ceil(float64(size/slot))))
	marks := make(gonum.ConstantTicks, len(names))
	for k, name := range names {
		if k%every != 0 {
			name = ""
		}
		marks[k] = gonum.Tick{Value: s.places[k], Label: name}
	}
	axis.Tick.Marker = marks
}

// curve draws y at the places as points, or as a line over x, faint where no row is near.
func (s span) curve(p *axes, x, y []float64, line draw.LineStyle, point draw.GlyphStyle) {
	if s.places != nil {
		at := make(plotter.XYs, len(s.places))
		for k, v := range s.places {
			at[k] = plotter.XY{X: v, Y: interpolate(x, y, v)}
		}
		p.glyphs(at, point)
		return
	}
	far := line
	far.Color, far.Width = mix(color.White, line.Color, 0.3), line.Width/2
	steps := between(max(s.low, x[0]), min(s.high, x[len(x)-1]), curvePoints)
	for from := 0; from+1 < len(steps); {
		near, to := s.near(steps[from], steps[from+1]), from+1
		for to+1 < len(steps) && s.near(steps[to], steps[to+1]) == near {
			to++
		}
		var points plotter.XYs
		for _, v := range steps[from : to+1] {
			points = append(points, plotter.XY{X: v, Y: interpolate(x, y, v)})
		}
		if near {
			p.line(points, line)
		} else {
			p.line(points, far)
		}
		from = to
	}
}

// near reports whether there are rows near the middle of two values.
func (s span) near(a, b float64) bool { return s.bins == nil || s.bins.Near((a+b)/2) }

// interpolate returns the value at v of the line through points of ascending x, beyond them that of the outermost.
func interpolate(x, y []float64, v float64) float64 {
	i, found := slices.BinarySearch(x, v)
	switch {
	case found || i == 0:
		return y[i]
	case i == len(x):
		return y[i-1]
	}
	share := (v - x[i-1]) / (x[i] - x[i-1])
	return float64(y[i-1]*(1-share)) + float64(y[i]*share)
}
