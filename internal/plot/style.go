package plot

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Type sizes in points.
const (
	labelSize = 7
	tickSize  = 6
)

var (
	blue       = color.RGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}
	vermillion = color.RGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}
	green      = color.RGBA{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}
	purple     = color.RGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}

	faint = color.Gray{Y: 0xb4} // lines in the background
	bars  = color.Gray{Y: 0xe4} // histograms
	ink   = color.Gray{Y: 0x30}
)

// strokes are the line styles of the curves in figures for one column.
var strokes = strokesOf(1.2, 4, 1.5, 1.2)

// strokesOf returns line styles of a width: solid, with dashes and gaps, with dots, and with both, all in points.
func strokesOf(width, dash, gap, dot vg.Length) []draw.LineStyle {
	return []draw.LineStyle{
		{Color: blue, Width: width}, {Color: vermillion, Width: width, Dashes: []vg.Length{dash, gap}},
		{Color: green, Width: width, Dashes: []vg.Length{dot, dot}}, {Color: purple, Width: width, Dashes: []vg.Length{dash, dot, dot, dot}},
	}
}

var background = draw.LineStyle{Color: faint, Width: vg.Points(0.5)}

// newPlot returns an empty plot with labels of the axes that fit a width.
func newPlot(x, y string, width vg.Length) *axes {
	p := gonum.New()
	p.BackgroundColor = color.White
	for _, axis := range []*gonum.Axis{&p.X, &p.Y} {
		axis.LineStyle.Width, axis.Tick.LineStyle.Width, axis.Tick.Length = vg.Points(0.5), vg.Points(0.5), vg.Points(2)
		axis.Label.TextStyle.Font, axis.Tick.Label.Font = sans(labelSize), sans(tickSize)
		axis.Label.Padding, axis.Padding = vg.Points(1.5), vg.Points(1)
		axis.Tick.Marker = ticks(4)
	}
	labels := fit([]string{x, y}, p.X.Label.TextStyle, width)
	p.X.Label.Text, p.Y.Label.Text = labels[0], labels[1]
	return &axes{Plot: p}
}

func sans(size float64) font.Font {
	return font.Font{Typeface: gonum.DefaultFont.Typeface, Variant: "Sans", Size: vg.Points(size)}
}

func style(size float64) text.Style {
	return text.Style{Color: color.Black, Font: sans(size), Handler: gonum.DefaultTextHandler}
}

// label returns a name with its unit, escaped for people.
func label(name, unit string) string {
	if unit == "" {
		return escape.Text(name)
	}
	return escape.Text(name) + " [" + escape.Text(unit) + "]"
}

// ticks returns about n round values of an axis, at least n-1.
func ticks(n int) gonum.TickerFunc {
	return func(low, high float64) []gonum.Tick {
		step, decimals := roundStep(low, high, n-1)
		millions := max(math.Abs(low), math.Abs(high)) >= 1e6
		var marks []gonum.Tick
		for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step && len(marks) < 4*n; k++ {
			mark := gonum.Tick{Value: k * step, Label: number(k*step, decimals)}
			if millions && math.Abs(mark.Value) < numeric.LargeNumber && mark.Value != 0 {
				mark.Label = brief(mark.Value/1e6) + " M"
			}
			marks = append(marks, mark)
		}
		return marks
	}
}

// roundStep returns the largest of 1, 2 and 5 times a power of ten that has at least n multiples in a range, and its number of decimals.
func roundStep(low, high float64, n int) (step float64, decimals int) {
	power := math.Floor(math.Log10(high - low))
	for ; ; power-- {
		for _, factor := range []float64{5, 2, 1} {
			step = factor * math.Pow(10, power)
			count := math.Floor(high/step+1e-9) - math.Ceil(low/step-1e-9) + 1
			if count >= float64(n) || !(count >= 0) || step == 0 {
				return step, max(0, -int(power))
			}
		}
	}
}

// number formats the value of a tick, small ones with an exponent.
func number(v float64, decimals int) string {
	if decimals > 4 || math.Abs(v) >= 1e6 {
		return strings.ReplaceAll(numeric.Short(v, 3), "-", "\u2212")
	}
	return numeric.Grouped(strings.ReplaceAll(strconv.FormatFloat(v+0, 'f', decimals, 64), "-", "\u2212"))
}

// logTicks returns the multiples of powers of ten, of which those by 1, 2 and 5 have labels; on a short axis all have.
func logTicks(low, high float64) []gonum.Tick {
	var marks []gonum.Tick
	for power := math.Floor(math.Log10(low)); math.Pow(10, power) <= high; power++ {
		for i := 1.0; i < 10; i++ {
			v := i * math.Pow(10, power)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			mark := gonum.Tick{Value: v}
			if i == 1 || i == 2 || i == 5 || high < 4*low {
				mark.Label = number(v, max(0, -int(power)))
			}
			marks = append(marks, mark)
		}
	}
	return marks
}

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

// wideStrokes are the line styles of the curves in figures for a page, in the colours of strokes.
var wideStrokes = strokesOf(1.8, 7, 3, 2)

// wide returns a plot as a figure for a page, 16 cm wide and 9 cm high.
func wide(p *axes) (*Figure, error) {
	return &Figure{width: 16 * vg.Centimeter, height: 9 * vg.Centimeter, draw: p.Draw}, p.err
}

// newWide returns an empty plot for a page, with a grid and the legend in its upper left corner.
func newWide(title, x, y string) *axes {
	p := gonum.New()
	p.BackgroundColor = color.White
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	for _, f := range []*font.Font{
		&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font,
		&p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font,
	} {
		*f = sans(10)
	}
	p.Title.TextStyle.Font.Size = 12
	p.Title.Padding = vg.Points(6)
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.ThumbnailWidth, p.Legend.XOffs, p.Legend.Padding = vg.Points(30), vg.Points(6), vg.Points(2)
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{Y: 0xdd}, color.Gray{Y: 0xdd}
	p.Add(grid)
	return &axes{Plot: p}
}
