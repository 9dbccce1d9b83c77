package plot

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Numbers of classes in a confusion matrix.
const (
	mostClasses   = 26 // drawn
	withShares    = 8  // most with count and share in a cell; more have the count
	withCounts    = 14 // most with counts; more have the share in percent
	confusionName = 17 * vg.Millimeter
)

// Confusion draws the confusion matrix: the share of each true class, a row, that is predicted as each class, a column. It
// draws at most 26 classes, those with the most samples predicted wrongly, from or to them.
func Confusion(c Classified) (*Figure, error) {
	measures, err := c.measure()
	if err != nil {
		return nil, err
	}
	chosen := metric.MostConfused(measures.Confusion, mostClasses)
	g := newConfusion(measures.Confusion, chosen)
	p := newPlot("predicted class", "true class", 60*vg.Millimeter)
	heat := plotter.NewHeatMap(g, whiteToBlue{})
	heat.Min, heat.Max, heat.Rasterized = 0, 1, false
	p.Add(heat)
	labels, err := g.labels()
	if err != nil {
		return nil, err
	}
	p.Add(labels)
	k := len(chosen)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.5, float64(k)-0.5, -0.5, float64(k)-0.5
	g.nameAxes(p, fit(c.names(chosen), style(g.size()), confusionName))
	l := legend{{text: fmt.Sprintf("%s: accuracy %.4g, balanced %.4g", samplesText(measures), measures.Accuracy,
		measures.BalancedAccuracy)}, {text: g.says(len(c.P))}}
	return multiples([]*axes{p}, 1, 78*vg.Millimeter, l)
}

// confusion is the matrix of the chosen classes, the first row on top; it implements plotter.GridXYZ with the shares of the rows.
type confusion struct {
	counts [][]float64 // [k][k]
	totals []float64   // [k] of the rows, also of columns that are not chosen
}

func newConfusion(matrix [][]float64, chosen []int) confusion {
	var g confusion
	for _, i := range chosen {
		total := 0.0
		for _, w := range matrix[i] {
			total += w
		}
		row := make([]float64, len(chosen))
		for at, j := range chosen {
			row[at] = matrix[i][j]
		}
		g.counts, g.totals = append(g.counts, row), append(g.totals, total)
	}
	return g
}

func (g confusion) Dims() (c, r int) { return len(g.counts), len(g.counts) }
func (g confusion) X(c int) float64  { return float64(c) }
func (g confusion) Y(r int) float64  { return float64(r) }
func (g confusion) Z(c, r int) float64 {
	r = len(g.counts) - 1 - r
	if g.totals[r] == 0 {
		return 0
	}
	return g.counts[r][c] / g.totals[r]
}

// size is the size of type.
func (g confusion) size() float64 {
	switch k := len(g.counts); {
	case k <= withShares:
		return tickSize
	case k <= withCounts:
		return 5
	}
	return 4
}

// nameAxes writes the names of the classes along both axes, upwards along the horizontal one if they are too long.
func (g confusion) nameAxes(p *axes, names []string) {
	k := len(names)
	upwards := slices.ContainsFunc(names, func(name string) bool { return style(g.size()).Width(name+" ") > 58*vg.Millimeter/vg.Length(k) })
	x, y := make(gonum.ConstantTicks, k), make(gonum.ConstantTicks, k)
	for i, name := range names {
		x[i], y[i] = gonum.Tick{Value: float64(i), Label: name}, gonum.Tick{Value: float64(k - 1 - i), Label: name}
		if upwards {
			x[i].Label += " " // keeps its distance from the axis
		}
	}
	if upwards {
		p.X.Tick.Length, p.X.Tick.Label.Rotation = 0, math.Pi/2
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = x, y
	p.X.Tick.Label.Font, p.Y.Tick.Label.Font = sans(g.size()), sans(g.size())
	p.Y.Tick.Length = 0
}

// says explains the cells.
func (g confusion) says(classes int) string {
	cell := "count and share of the row"
	switch k := len(g.counts); {
	case k > withCounts:
		cell = "percent of the row"
	case k > withShares:
		cell = "count"
	}
	if len(g.counts) < classes {
		cell += fmt.Sprintf("; the %d most confused of %d classes", len(g.counts), classes)
	}
	return cell
}

// labels returns the texts of the cells that are not zero.
func (g confusion) labels() (*plotter.Labels, error) {
	var at plotter.XYLabels
	var styles []text.Style
	k := len(g.counts)
	for r := range k {
		for c := range k {
			count, share := g.counts[k-1-r][c], g.Z(c, r)
			if count == 0 {
				continue
			}
			s := numeric.Short(count, 4)
			switch {
			case k <= withShares:
				s += fmt.Sprintf("\n%.0f%%", 100*share)
			case k > withCounts:
				s = fmt.Sprintf("%.0f", 100*share)
			}
			st := style(g.size())
			st.XAlign, st.YAlign = draw.XCenter, draw.YCenter
			if share > 0.55 {
				st.Color = color.White
			}
			at.XYs, at.Labels = append(at.XYs, plotter.XY{X: float64(c), Y: float64(r)}), append(at.Labels, s)
			styles = append(styles, st)
		}
	}
	l, err := plotter.NewLabels(at)
	if err != nil {
		return nil, err
	}
	l.TextStyle = styles
	return l, nil
}

// whiteToBlue is the palette of shares.
type whiteToBlue struct{}

func (whiteToBlue) Colors() []color.Color {
	colours := make([]color.Color, 101)
	for i := range colours {
		colours[i] = mix(color.White, blue, float64(i)/100)
	}
	return colours
}
