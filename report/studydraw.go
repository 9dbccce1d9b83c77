package report

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The layout of small multiples.
const (
	panelWidth  = 5.6 * vg.Centimeter
	panelHeight = 4.6 * vg.Centimeter
	legendSpace = 0.9 * vg.Centimeter // above the panels
	marginSpace = 0.2 * vg.Centimeter
)

// draw returns the figure in one of [FigureFormats].
func (f *studyFigure) draw(format string) ([]byte, error) {
	columns := min(len(f.panels), 5)
	if len(f.panels) == 6 {
		columns = 3
	}
	rows := (len(f.panels) + columns - 1) / columns
	plots := make([][]*plot.Plot, rows)
	for r := range plots {
		plots[r] = make([]*plot.Plot, columns)
		for c := range plots[r] {
			i := r*columns + c
			if i >= len(f.panels) {
				continue
			}
			p, err := f.panel(f.panels[i], c == 0, i+columns >= len(f.panels))
			if err != nil {
				return nil, fmt.Errorf("report: figure %s: %w", f.name, err)
			}
			plots[r][c] = p
		}
	}
	width := max(vg.Length(columns)*panelWidth, vg.Length(len(f.algorithms))*panelWidth)
	height := vg.Length(rows)*panelHeight + legendSpace + marginSpace
	to, err := draw.NewFormattedCanvas(width, height, format)
	if err != nil {
		return nil, fmt.Errorf("report: figure %s: %w", f.name, err)
	}
	whole := draw.New(to)
	whole.SetColor(color.White)
	whole.Fill(whole.Rectangle.Path())
	if err := f.legend(draw.Crop(whole, 0, 0, height-legendSpace, 0)); err != nil {
		return nil, fmt.Errorf("report: figure %s: %w", f.name, err)
	}
	below := draw.Crop(whole, marginSpace, -2*marginSpace, marginSpace, -legendSpace)
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: 3 * vg.Millimeter, PadY: 3 * vg.Millimeter}
	for r, canvases := range plot.Align(plots, tiles, below) {
		for c, canvas := range canvases {
			if plots[r][c] != nil {
				plots[r][c].Draw(canvas)
			}
		}
	}
	var b bytes.Buffer
	if _, err := to.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("report: figure %s: %w", f.name, err)
	}
	return withFonts(b.Bytes()), nil
}

// panel draws one data set; the labels of the axes are on the left and at the
// bottom of the figure only.
func (f *studyFigure) panel(data panel, first, last bool) (*plot.Plot, error) {
	p := newFigure(data.title, "", "")
	p.Title.TextStyle.Font.Size, p.Title.Padding = 10, vg.Points(2)
	p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = 8, 8
	p.X.Label.TextStyle.Font.Size, p.Y.Label.TextStyle.Font.Size = 9, 9
	if first {
		p.Y.Label.Text = f.label
	}
	if last {
		p.X.Label.Text = "iteration"
	}
	longest := 0
	for i, curve := range data.curves {
		if curve == nil {
			continue
		}
		points := make(plotter.XYs, len(curve))
		for k, v := range curve {
			points[k] = plotter.XY{X: float64(k + 1), Y: v}
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return nil, err
		}
		line.LineStyle = studyStrokes[f.algorithms[i]]
		p.Add(line)
		longest = max(longest, len(curve))
	}
	if f.zero {
		zero, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: float64(longest), Y: 0}})
		if err != nil {
			return nil, err
		}
		zero.LineStyle = draw.LineStyle{Color: color.Black, Width: vg.Points(0.7)}
		p.Add(zero)
	}
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, float64(longest), fifths(longest)
	p.Y.Min, p.Y.Max = data.extent(f.log)
	if f.log && p.Y.Min > 0 {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, decades(p.Y.Min, p.Y.Max)
	}
	return p, nil
}

// decades marks 1, 2 and 5 times the powers of ten on a logarithmic axis; on a
// short one all multiples.
func decades(low, high float64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for power := math.Floor(math.Log10(low)); math.Pow(10, power) <= high; power++ {
		for i := 1; i < 10; i++ {
			v := float64(i) * math.Pow(10, power)
			if v < low || v > high {
				continue
			}
			tick := plot.Tick{Value: v}
			if i == 1 || i == 2 || i == 5 || high < 4*low {
				tick.Label = strconv.FormatFloat(v, 'g', 3, 64)
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// fifths marks every fifth of an axis from zero.
func fifths(longest int) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for i := range 6 {
		v := float64(longest*i) / 5
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', -1, 64)})
	}
	return ticks
}

// legend names the algorithms that have curves, side by side.
func (f *studyFigure) legend(strip draw.Canvas) error {
	slot := strip.Size().X / vg.Length(len(f.algorithms))
	for i, name := range f.algorithms {
		if !slices.ContainsFunc(f.panels, func(p panel) bool { return p.curves[i] != nil }) {
			continue
		}
		line, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}})
		if err != nil {
			return err
		}
		line.LineStyle = studyStrokes[name]
		legend := newFigure("", "", "").Legend
		legend.YOffs, legend.XOffs = -vg.Points(6), vg.Points(10)
		legend.Add("  "+name, line)
		legend.Draw(draw.Crop(strip, vg.Length(i)*slot, -vg.Length(len(f.algorithms)-1-i)*slot, 0, 0))
	}
	return nil
}
