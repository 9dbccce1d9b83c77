package plot

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tskgraph/tskgraph/internal/base/metric"
)

const (
	mostCurves = 10   // of a figure of receiver operating characteristics
	mostSteps  = 1000 // of a curve
)

// ROC draws the receiver operating characteristic of each class against all others, of the second class if there are two,
// with the areas under the curves. It draws at most ten curves, those with the least areas.
func ROC(c Classified) (*Figure, error) {
	measures, err := c.measure()
	if err != nil {
		return nil, err
	}
	type curve struct {
		class int
		metric.Curve
	}
	var curves []curve
	for k := range c.P {
		if len(c.P) == 2 && k == 0 {
			continue
		}
		if of, ok := metric.ROC(c.P[k], c.Y, k, c.Weights); ok {
			curves = append(curves, curve{k, of})
		}
	}
	if len(curves) == 0 {
		return nil, errors.New("plot: all samples have the same class: no receiver operating characteristic")
	}
	says := samplesText(measures)
	if len(c.P) > 2 {
		says += fmt.Sprintf(": mean AUC %.4g", *measures.AUC)
	}
	if all := len(curves); all > mostCurves {
		slices.SortStableFunc(curves, func(a, b curve) int { return cmp.Compare(a.AUC, b.AUC) })
		curves = curves[:mostCurves]
		says += fmt.Sprintf(", the %d lowest of %d curves", mostCurves, all)
	}
	if measures.Absent > 0 {
		says += fmt.Sprintf("; %d classes without a sample", measures.Absent)
	}
	p := newPlot("false positive rate", "true positive rate", 60*vg.Millimeter)
	if err := addDiagonal(p); err != nil {
		return nil, err
	}
	l := legend{{text: says}}
	classes := make([]int, len(curves))
	for i, of := range curves {
		classes[i] = of.class
	}
	names := fit(c.names(classes), style(tickSize), 45*vg.Millimeter)
	for i, of := range curves {
		line, err := plotter.NewLine(corners(of.Curve))
		if err != nil {
			return nil, err
		}
		line.LineStyle = stroke(i)
		p.Add(line)
		l = append(l, entry{fmt.Sprintf("%s: AUC %.4g", names[i], of.AUC), line})
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.01, 1.01, -0.01, 1.01
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(6), ticks(6)
	return multiples([]*gonum.Plot{p}, 1, 68*vg.Millimeter, l), nil
}

// stroke returns the line style of curve i of ten: each has its own pair of colour and dashes.
func stroke(i int) draw.LineStyle {
	s := strokes[i%len(strokes)]
	if n := i / len(strokes); n > 0 {
		s.Dashes = strokes[(i+n)%len(strokes)].Dashes
		s.Width = vg.Points(0.8)
	}
	return s
}

// addDiagonal draws the diagonal of the unit square.
func addDiagonal(p *gonum.Plot) error {
	diagonal, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		return err
	}
	diagonal.LineStyle = draw.LineStyle{Color: faint, Width: vg.Points(0.7), Dashes: strokes[2].Dashes}
	p.Add(diagonal)
	return nil
}

// corners returns the points of a curve.
func corners(c metric.Curve) plotter.XYs {
	c = c.Corners(mostSteps)
	points := make(plotter.XYs, len(c.FPR))
	for i := range points {
		points[i] = plotter.XY{X: c.FPR[i], Y: c.TPR[i]}
	}
	return points
}
