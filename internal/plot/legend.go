package plot

import (
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is an entry of a legend; without a thumbnail it is only text.
type entry struct {
	text  string
	thumb gonum.Thumbnailer
}

// legend is drawn above the panels, its entries side by side, in as many lines as needed.
type legend []entry

const (
	legendLine  = 3.4 * vg.Millimeter
	legendThumb = 5 * vg.Millimeter
	legendGap   = 1.2 * vg.Millimeter
	legendEdge  = 2 * vg.Millimeter
)

// width returns the width of an entry with the gap after it.
func (e entry) width() vg.Length {
	w := style(tickSize).Width(e.text) + 2*legendGap
	if e.thumb != nil {
		w += legendThumb + legendGap
	}
	return w
}

// places returns the start and the line of each entry, and the number of lines.
func (l legend) places() (x []vg.Length, line []int, lines int) {
	at := legendEdge
	for i, e := range l {
		if i > 0 && at+e.width() > Width {
			at = legendEdge
			lines++
		}
		x, line = append(x, at), append(line, lines)
		at += e.width()
	}
	return x, line, lines + 1
}

func (l legend) height() vg.Length {
	if len(l) == 0 {
		return 0
	}
	_, _, lines := l.places()
	return vg.Length(lines)*legendLine + legendGap
}

func (l legend) draw(c draw.Canvas) {
	st := style(tickSize)
	st.YAlign = draw.YCenter
	places, line, _ := l.places()
	for i, e := range l {
		x := c.Min.X + places[i]
		y := c.Max.Y - legendGap - (vg.Length(line[i])+0.5)*legendLine
		if e.thumb != nil {
			spot := draw.Crop(c, x-c.Min.X, x+legendThumb-c.Max.X, y-legendLine/3-c.Min.Y, y+legendLine/3-c.Max.Y)
			e.thumb.Thumbnail(&spot)
			x += legendThumb + legendGap
		}
		c.FillText(st, vg.Point{X: x, Y: y}, cutEnd(e.text, "", st, c.Max.X-x))
	}
}
