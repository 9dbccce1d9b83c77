package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tskgraph/tskgraph/membership"
)

// Shape draws the grade over x of three membership functions of a shape: two that it
// places, at -3 with spread 0.5 and at 0 with spread 1, and one near 4 whose parameters
// differ from any placement, as after training. Dots mark the kinks.
func Shape(f membership.Function) (*Figure, error) {
	curves := [][]float64{f.Place(-3, 0.5), f.Place(0, 1), apart(f)}
	from, to := extent(f, curves)
	p := newWide(f.Name(), "x", "grade")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = from, to, 0, 1.42 // room for the legend
	p.Y.Tick.Marker = gonum.ConstantTicks{{Value: 0, Label: "0"}, {Value: 0.25}, {Value: 0.5, Label: "0.5"}, {Value: 0.75}, {Value: 1, Label: "1"}}
	for i, params := range curves {
		var kinks []float64
		if k, ok := f.(membership.Kinked); ok {
			kinks = slices.DeleteFunc(slices.Clone(k.Kinks(params)), func(x float64) bool { return x < from || x > to })
		}
		line, err := plotter.NewLine(graded(f, params, samples(from, to, kinks)))
		if err != nil {
			return nil, err
		}
		line.LineStyle = wideStrokes[i]
		dots, err := plotter.NewScatter(graded(f, params, kinks))
		if err != nil {
			return nil, err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: wideStrokes[i].Color, Radius: vg.Points(2.8), Shape: draw.CircleGlyph{}}
		p.Add(line, dots)
		p.Legend.Add("  "+values(f, params), line)
	}
	return wide(p), nil
}

// apart returns a placement at 4 with spread 0.4 whose parameters are changed, later ones
// more: positions move to the right, slopes are divided and other parameters multiplied by
// their number.
func apart(f membership.Function) []float64 {
	p, positions := f.Place(4, 0.4), 0.0
	for j, param := range f.Params() {
		switch n := float64(j + 1); param.Kind {
		case membership.Position:
			p[j] += 0.5 * positions * positions
			positions++
		case membership.Slope:
			p[j] /= n
		default:
			p[j] *= n
		}
	}
	return p
}

// extent returns the part of [-12, 14] in which the grade of some curve is visible.
func extent(f membership.Function, curves [][]float64) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, params := range curves {
		for _, point := range graded(f, params, samples(-12, 14, nil)) {
			if point.Y > 0.02 {
				from, to = min(from, point.X), max(to, point.X)
			}
		}
	}
	return math.Floor(from), math.Ceil(to)
}

// samples returns 401 evenly spaced values and the kinks, in ascending order.
func samples(from, to float64, kinks []float64) []float64 {
	x := append(between(from, to, 401), kinks...)
	slices.Sort(x)
	return x
}

// graded returns the points of a curve.
func graded(f membership.Function, params, x []float64) plotter.XYs {
	grades, points := make([]float64, len(x)), make(plotter.XYs, len(x))
	f.Grades(grades, x, params)
	for i := range x {
		points[i] = plotter.XY{X: x[i], Y: grades[i]}
	}
	return points
}

// values formats parameters with their names, to three digits.
func values(f membership.Function, params []float64) string {
	var parts []string
	for j, param := range f.Params() {
		parts = append(parts, fmt.Sprintf("%s = %.3g", param.Name, params[j]))
	}
	return strings.Join(parts, ",  ")
}
