package plot

import (
	"cmp"
	"image/color"
	"slices"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mostNames is the largest number of lines that have their names beside them, instead of in a legend.
const mostNames = 4

// names are the names of up to four lines at the right of a plot, each at the height of the end of its line, or beside it where two would
// overlap.
type names []lineName

type lineName struct {
	text   string
	y      float64 // at the end of the line
	colour color.Color
}

// add adds the name of a line with a point.
func (n *names) add(text string, line plotter.XYs, colour color.Color) {
	*n = append(*n, lineName{text, line[len(line)-1].Y, colour})
}

// Plot implements plotter.Plotter.
func (n names) Plot(c draw.Canvas, p *gonum.Plot) {
	st := style(tickSize)
	st.YAlign = draw.YCenter
	slot := st.FontExtents().Height
	_, y := p.Transforms(&c)
	sorted := slices.SortedFunc(slices.Values(n), func(a, b lineName) int { return cmp.Compare(a.y, b.y) })
	at := make([]vg.Length, len(sorted))
	for i, name := range sorted { // from the bottom, each above the one before
		if at[i] = y(name.y); i > 0 {
			at[i] = max(at[i], at[i-1]+slot)
		}
	}
	for i := len(at) - 1; i >= 0; i-- { // none beyond the top
		limit := c.Max.Y
		if i+1 < len(at) {
			limit = at[i+1] - slot
		}
		at[i] = min(at[i], limit)
		st.Color = sorted[i].colour
		c.FillText(st, vg.Point{X: c.Max.X + vg.Points(3), Y: at[i]}, sorted[i].text)
	}
}

// GlyphBoxes implements plot.GlyphBoxer: it keeps room for the names.
func (n names) GlyphBoxes(*gonum.Plot) []gonum.GlyphBox {
	if n == nil {
		return nil
	}
	widest := vg.Length(0)
	for _, name := range n {
		widest = max(widest, style(tickSize).Width(name.text))
	}
	return []gonum.GlyphBox{{X: 1, Y: 0.5, Rectangle: vg.Rectangle{Max: vg.Point{X: widest + vg.Points(3)}}}}
}
