package figures

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is a line of a legend; without a thumbnail it is text alone.
type entry struct {
	text  string
	thumb plot.Thumbnailer
}

// legend stands above the panels, in as many columns as there is room for.
type legend []entry

const (
	legendLine  = 3.4 * vg.Millimeter
	legendThumb = 6 * vg.Millimeter
	legendGap   = 1.2 * vg.Millimeter
	legendEdge  = 2 * vg.Millimeter
)

func (l legend) columns() int {
	widest := vg.Length(0)
	for _, e := range l {
		widest = max(widest, legendThumb+3*legendGap+style(tickSize).Width(e.text))
	}
	return max(1, min(len(l), int((Width-2*legendEdge)/widest)))
}

func (l legend) height() vg.Length {
	if len(l) == 0 {
		return 0
	}
	n := l.columns()
	return vg.Length((len(l)+n-1)/n)*legendLine + legendGap
}

func (l legend) draw(c draw.Canvas) {
	if len(l) == 0 {
		return
	}
	n := l.columns()
	slot := (Width - 2*legendEdge) / vg.Length(n)
	st := style(tickSize)
	st.YAlign = draw.YCenter
	for i, e := range l {
		x := c.Min.X + legendEdge + vg.Length(i%n)*slot
		y := c.Max.Y - legendGap - (vg.Length(i/n)+0.5)*legendLine
		if e.thumb != nil {
			spot := draw.Crop(c, x-c.Min.X, x+legendThumb-c.Max.X, y-legendLine/3-c.Min.Y, y+legendLine/3-c.Max.Y)
			e.thumb.Thumbnail(&spot)
			x += legendThumb + legendGap
		}
		c.FillText(st, vg.Point{X: x, Y: y}, fit(e.text, st, c.Max.X-x))
	}
}
